import { distribute } from '../../../src/domain/node-group/index.js';

const sizesAfter = (sizes: readonly (readonly [size: number, max: number])[], count: number) =>
  distribute(
    sizes.map(([size, maxSize], index) => ({ groupId: `ng${index + 1}`, size, maxSize })),
    count,
  ).map(({ groupId, newSize }) => `${groupId}=${newSize}`);

describe('spreading new nodes over groups', () => {
  const four = [1, 3, 5, 5].map((size) => [size, 10] as const);

  // scale-up 14/96
  it.each([
    [1, ['ng1=2']],
    [2, ['ng1=3']],
    [4, ['ng1=4', 'ng2=4']],
    [5, ['ng1=5', 'ng2=4']],
    [10, ['ng1=6', 'ng2=6', 'ng3=6', 'ng4=6']],
  ])('of sizes 1, 3, 5, 5: %d more', (count, expected) => {
    expect(sizesAfter(four, count)).toEqual(expected);
  });

  const full = [2, 2] as const;
  const small = [1, 3] as const;
  const large = [3, 10] as const;
  // scale-up 14/97
  it.each([
    ['a full group and one with little room', [full, small], 5, ['ng2=3']],
    ['groups that fill up on the way', [full, small, large], 4, ['ng2=3', 'ng3=5']],
    ['three groups', [full, small, large, [5, 7] as const], 9, ['ng2=3', 'ng3=8', 'ng4=7']],
    ['more than all can take', [full, small, large, [5, 7] as const], 900, ['ng2=3', 'ng3=10', 'ng4=7']],
    ['a group above its maximum', [[12, 10] as const, large], 2, ['ng2=5']],
    ['no group at all', [], 3, []],
    ['no node at all', [large], 0, []],
  ])('with %s', (_, sizes, count, expected) => {
    expect(sizesAfter(sizes, count)).toEqual(expected);
  });

  it('is the same as giving one node after another to the smallest', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const draw = (limit: number, salt: number) => (seed * 7919 + salt * 104_729) % limit;
      const sizes = Array.from({ length: 1 + draw(5, 1) }, (_, index) => {
        const size = draw(6, index + 2);
        return [size, size + draw(5, index + 20)] as const;
      });
      const count = draw(15, 40);
      const oneByOne = sizes.map(([size]) => size);
      for (let node = 0; node < count; node++) {
        const open = sizes.flatMap(([, max], index) => (oneByOne[index]! < max ? [index] : []));
        const smallest = Math.min(...open.map((index) => oneByOne[index]!));
        const next = open.find((index) => oneByOne[index] === smallest);
        if (next !== undefined) oneByOne[next]!++;
      }
      const changed = distribute(
        sizes.map(([size, maxSize], index) => ({ groupId: String(index), size, maxSize })),
        count,
      );
      const spread = sizes.map(([size], index) => {
        return changed.find(({ groupId }) => groupId === String(index))?.newSize ?? size;
      });
      const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b);
      expect({ seed, sizes: sorted(spread) }).toEqual({ seed, sizes: sorted(oneByOne) });
    }
  });
});
