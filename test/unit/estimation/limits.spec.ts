import {
  clusterCapacityOpinion,
  combineNodeLimits,
  groupCapacityOpinion,
} from '../../../src/domain/estimation/limits.js';

describe('limits of an estimation', () => {
  it.each<[number[], number | null]>([
    // scale-up 14/50
    [[], null],
    [[0, 0], null],
    [[0, 7, 3], 3],
    [[5, -1, 0], -1],
  ])('combines %j to %p', (opinions, expected) => {
    expect(combineNodeLimits(opinions)).toBe(expected);
  });

  it('limits the cluster', () => {
    // scale-up 14/51
    expect([
      clusterCapacityOpinion(0, 5),
      clusterCapacityOpinion(5, 5),
      clusterCapacityOpinion(7, 5),
    ]).toEqual([0, -1, 2]);
  });

  it('limits the group together with similar ones', () => {
    // scale-up 14/51
    const group = (targetSize: number, maxSize: number) => ({ targetSize, maxSize });
    expect(groupCapacityOpinion([group(1, 3), group(9, 5), group(0, 4)])).toBe(6);
    expect(groupCapacityOpinion([group(3, 3), group(9, 5)])).toBe(-1);
  });
});
