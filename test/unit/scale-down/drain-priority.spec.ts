import { drainWaves, parseDrainPriorities } from '../../../src/domain/scale-down/index.js';
import { buildPod } from '../../support/builders.js';

describe('--drain-priority-config', () => {
  it.each([
    // scale-down 13.12/162
    ['', []],
    [
      '1:2,3:4',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      '10:5,-5:7',
      [
        [-5, 7],
        [10, 5],
      ],
    ],
  ])('%j is read', (text, expected) => {
    const groups = parseDrainPriorities(text);
    expect(groups?.map((group) => [group.priority, group.shutdownGracePeriodSeconds])).toEqual(expected);
  });

  it.each(['1:2,', '1:2, 3:4', '1', '1:', ':2', '1:x', '1:2:3', ',', '1.5:2'])('%j is refused', (text) => {
    // scale-down 13.12/162
    expect(parseDrainPriorities(text)).toBeNull();
  });
});

describe('waves of a drain', () => {
  const groups = parseDrainPriorities('10:1,1000:2,2000:3,2000000000:4') ?? [];

  it.each([
    // scale-down 13.10/131
    [null, 1],
    [0, 1],
    [100, 1],
    [500, 1],
    [1_000, 2],
    [2_000_000_005, 4],
    [-7, 1],
  ])('a pod of priority %p belongs to the group with %i s', (priority, seconds) => {
    const waves = drainWaves([buildPod('p', { shape: { priority } })], groups);
    expect(waves.map((wave) => wave.shutdownGracePeriodSeconds)).toEqual([seconds]);
  });
});
