import { createScaleDownMemory } from '../../../src/domain/scale-down/index.js';
import { unneededLimit, withUpdate } from '../../../src/domain/scale-down/unneeded-limit.js';
import { MINUTE, T0 } from '../../support/builders.js';

const SECOND = 1_000;

function limit(unneeded: number, unneededTimeMs: number, gapMs: number): number {
  const names = Array.from({ length: unneeded }, (_, index): [string, number] => [`n${index}`, T0]);
  const memory = { unneededSinceMs: Object.fromEntries(names), updateGapsMs: [gapMs] };
  return unneededLimit({ maxParallelism: 10, unneededTimeMs }, memory);
}

describe('limit of unneeded nodes', () => {
  it.each([
    // scale-down 13.1/15
    [0, MINUTE, 10 * SECOND, 20],
    [3, MINUTE, 10 * SECOND, 23],
    [70, MINUTE, 10 * SECOND, 70],
    [77, MINUTE, 10 * SECOND, 70],
    // scale-down 13.1/16
    [0, 0, 10 * SECOND, 20],
    [13, MINUTE, SECOND, 33],
    [13, MINUTE, 30 * SECOND, 30],
  ])('%i unneeded, unneeded time %i ms, an update every %i ms: %i', (unneeded, timeMs, gapMs, expected) => {
    expect(limit(unneeded, timeMs, gapMs)).toBe(expected);
  });

  it('starts with the unneeded time as distance of updates', () => {
    expect(unneededLimit({ maxParallelism: 10, unneededTimeMs: MINUTE }, createScaleDownMemory(T0))).toBe(20);
    expect(unneededLimit({ maxParallelism: 10, unneededTimeMs: 0 }, createScaleDownMemory(T0))).toBe(20);
  });

  // case U002
  it('drops no node whose time was restored in the first iteration', () => {
    const names = Array.from({ length: 330 }, (_, index): [string, number] => [`n${index}`, T0]);
    const restored = { ...createScaleDownMemory(T0), unneededSinceMs: Object.fromEntries(names) };
    expect(unneededLimit({ maxParallelism: 10, unneededTimeMs: 10 * MINUTE }, restored)).toBe(330);
  });

  it('ignores updates at the same time and forgets an old hasty one', () => {
    let memory = createScaleDownMemory(T0);
    for (const atMs of [0, 0, 1, 10_000]) memory = withUpdate(memory, T0 + atMs);
    expect(memory.updateGapsMs).toEqual([1, 9_999]);
    for (let update = 1; update <= 30; update++) memory = withUpdate(memory, T0 + 10_000 + update * 10_000);
    expect(Math.min(...memory.updateGapsMs)).toBe(10_000);
  });
});
