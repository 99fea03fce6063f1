import { AcceleratedClock, RealClock } from '../../../src/sandbox/world/index.js';

describe('AcceleratedClock', () => {
  beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 5, 1) }));
  afterEach(() => jest.useRealTimers());

  it('runs so many times as fast as real time', () => {
    const clock = new AcceleratedClock(60, 1_000_000);
    jest.advanceTimersByTime(1000);
    expect(clock.now()).toBe(1_060_000);
    expect(() => new AcceleratedClock(0)).toThrow(RangeError);
  });

  it('runs tasks by world time, and those of one moment in the order of scheduling', () => {
    const clock = new AcceleratedClock(60, 0);
    const history: string[] = [];
    clock.schedule(120_000, () => history.push('late'));
    clock.schedule(60_000, () => history.push('first'));
    clock.schedule(60_000, () => history.push('second'));
    clock.schedule(60_000, () => history.push('cancelled')).cancel();
    jest.advanceTimersByTime(999);
    expect(history).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(history).toEqual(['first', 'second']);
    jest.advanceTimersByTime(1000);
    expect(history).toEqual(['first', 'second', 'late']);
  });

  it('goes on after a task that throws', () => {
    const clock = new AcceleratedClock(1, 0);
    const history: string[] = [];
    clock.schedule(10, () => {
      throw new Error('broken');
    });
    clock.schedule(10, () => history.push('next'));
    expect(() => jest.advanceTimersByTime(10)).toThrow('broken');
    jest.advanceTimersByTime(1);
    expect(history).toEqual(['next']);
  });

  it('holds delays longer than a timer can', () => {
    const clock = new AcceleratedClock(1, 0);
    const history: number[] = [];
    const monthMs = 30 * 24 * 3_600_000;
    clock.schedule(monthMs, () => history.push(clock.now()));
    jest.advanceTimersByTime(monthMs - 1);
    expect(history).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(history).toEqual([monthMs]);
  });

  it('leaves no timer behind after stop', () => {
    const clock = new AcceleratedClock(2, 0);
    clock.schedule(1000, () => undefined);
    clock.stop();
    clock.schedule(1000, () => undefined);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('wakes sleepers, and at once when their signal aborts', async () => {
    const clock = new AcceleratedClock(10, 0);
    const slept = clock.sleep(1000);
    jest.advanceTimersByTime(100);
    await slept;
    const abort = new AbortController();
    const cancelled = clock.sleep(1000, abort.signal);
    abort.abort(new Error('enough'));
    await expect(cancelled).rejects.toThrow('enough');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is the time on the wall as RealClock', () => {
    const clock = new RealClock();
    expect(clock.now()).toBe(Date.now());
    jest.advanceTimersByTime(500);
    expect(clock.now()).toBe(Date.now());
  });
});
