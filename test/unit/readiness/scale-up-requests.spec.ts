import { registerScaleUp } from '../../../src/domain/readiness/index.js';
import { MINUTE, T0 } from '../../support/builders.js';

const change = (delta: number, atMs = T0) => ({ groupId: 'g', delta, atMs, provisionTimeMs: 15 * MINUTE });

describe('scale-up requests', () => {
  // scale-up 14/67
  it('add up, and only growth restarts the clock', () => {
    const first = registerScaleUp({}, change(100));
    expect(first.g).toEqual({ groupId: 'g', requestedMs: T0, expectedMs: T0 + 15 * MINUTE, increase: 100 });
    const second = registerScaleUp(first, change(-20, T0 + MINUTE));
    expect(second.g).toEqual({ ...first.g, increase: 80 });
    const third = registerScaleUp(second, change(30, T0 + 2 * MINUTE));
    expect(third.g).toEqual({
      groupId: 'g',
      requestedMs: T0 + 2 * MINUTE,
      expectedMs: T0 + 17 * MINUTE,
      increase: 110,
    });
    expect(registerScaleUp(third, change(-200))).toEqual({});
  });

  // scale-up 14/67
  it('do not begin with a reduction', () => {
    expect(registerScaleUp({}, change(-1))).toEqual({});
    expect(registerScaleUp({}, change(0))).toEqual({});
  });
});
