import { growthTarget } from '../../../src/adapters/utho/growth/growth-target.js';

describe('count that a growth writes', () => {
  it.each([
    ['nothing moved', { fresh: 2, cached: 2, delta: 1, unseen: 0 }, 3],
    ['somebody added fewer', { fresh: 3, cached: 2, delta: 2, unseen: 0 }, 4],
    ['somebody added as many', { fresh: 4, cached: 2, delta: 2, unseen: 0 }, 4],
    ['somebody added more', { fresh: 6, cached: 3, delta: 1, unseen: 0 }, 6],
    ['somebody took some', { fresh: 1, cached: 3, delta: 1, unseen: 0 }, 2],
    ['an own write does not show yet', { fresh: 2, cached: 2, delta: 1, unseen: 5 }, 5],
    ['an own write is exceeded', { fresh: 2, cached: 2, delta: 5, unseen: 5 }, 7],
  ])('when %s', (_, basis, target) => {
    expect(growthTarget(basis)).toBe(target);
  });

  it('is never below what was read or written', () => {
    for (let fresh = 0; fresh < 6; fresh++) {
      for (let cached = 0; cached < 6; cached++) {
        for (let unseen = 0; unseen < 6; unseen++) {
          const target = growthTarget({ fresh, cached, unseen, delta: 1 });
          expect(target).toBeGreaterThanOrEqual(Math.max(fresh, unseen));
        }
      }
    }
  });
});
