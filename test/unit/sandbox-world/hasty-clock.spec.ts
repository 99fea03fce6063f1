import { HastyClock } from '../../../src/sandbox/world/index.js';

describe('HastyClock', () => {
  beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 5, 1) }));
  afterEach(() => jest.useRealTimers());

  it('shortens what is waited for, and shows the time on the wall', async () => {
    const clock = new HastyClock(10);
    const history: string[] = [];
    clock.schedule(60_000, () => history.push('booted'));
    const slept = clock.sleep(30_000).then(() => history.push('slept'));
    jest.advanceTimersByTime(3_000);
    await slept;
    expect(history).toEqual(['slept']);
    jest.advanceTimersByTime(3_000);
    expect(history).toEqual(['slept', 'booted']);
    expect(clock.now()).toBe(Date.UTC(2026, 5, 1) + 6_000);
    expect(() => new HastyClock(0)).toThrow(RangeError);
  });
});
