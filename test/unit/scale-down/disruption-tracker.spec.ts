import { DisruptionTracker } from '../../../src/domain/scale-down/index.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import { buildPod } from '../../support/builders.js';
import { buildBudget } from './world.js';

const ONE = { one: 'yes' };
const TWO = { two: 'yes' };

function pods(count: number, labels: Record<string, string>): Pod[] {
  return Array.from({ length: count }, (_, index) => buildPod(`p${index}`, { labels }));
}

function tracker(first: number, second: number): DisruptionTracker {
  return new DisruptionTracker([buildBudget('b1', first, ONE), buildBudget('b2', second, TWO)]);
}

describe('what budgets allow', () => {
  it.each([
    // scale-down 13.8/97
    { left: [1, 0], asked: [2, 1, 0], possible: false, inParallel: false },
    { left: [1, 2], asked: [2, 1, 0], possible: true, inParallel: false },
    { left: [2, 4], asked: [2, 3, 0], possible: true, inParallel: true },
    { left: [1, 1], asked: [0, 0, 1], possible: true, inParallel: true },
    { left: [2, 1], asked: [1, 1, 1], possible: true, inParallel: false },
  ])('left $left, asked for $asked (first, second, both)', ({ left, asked, possible, inParallel }) => {
    const list = [...pods(asked[0]!, ONE), ...pods(asked[1]!, TWO), ...pods(asked[2]!, { ...ONE, ...TWO })];
    expect(tracker(left[0]!, left[1]!).canRemove(list)).toMatchObject({ possible, inParallel });
  });

  it('is everything without budgets', () => {
    // scale-down 13.8/95
    const answer = new DisruptionTracker([]).canRemove([...pods(2, ONE), ...pods(1, TWO)]);
    expect(answer).toEqual({ possible: true, inParallel: true, blocker: null });
  });

  it('names the pod that can not leave at the same time', () => {
    // scale-down 13.8/96
    const [first, second] = pods(2, ONE) as [Pod, Pod];
    expect(tracker(1, 0).canRemove([first, second])).toEqual({
      possible: true,
      inParallel: false,
      blocker: second,
    });
  });

  it('shrinks for every budget that matches', () => {
    // scale-down 13.8/98
    const both = pods(1, { ...ONE, ...TWO });
    const budgets = tracker(1, 1);
    budgets.remove(both);
    expect(budgets.exhausted(pods(1, ONE)[0]!)?.name).toBe('b1');
    expect(budgets.exhausted(pods(1, TWO)[0]!)?.name).toBe('b2');
  });

  it('shrinks once for a pod that moves twice', () => {
    const moved = pods(1, ONE);
    const budgets = tracker(2, 0);
    budgets.remove(moved);
    budgets.remove([{ ...moved[0]!, nodeName: '' }]);
    expect(budgets.canRemove(pods(1, ONE)).possible).toBe(true);
  });

  it('tells a budget that the plan has used up from one that was used up before', () => {
    const [first, second] = pods(2, ONE) as [Pod, Pod];
    const budgets = tracker(1, 0);
    budgets.remove([first]);
    expect(budgets.isExhaustedByPlan(second)).toBe(true);
    expect(budgets.isExhaustedByPlan(pods(1, TWO)[0]!)).toBe(false);
  });

  it('is not touched by a selector that is null, and a budget with an empty one covers the namespace', () => {
    const budgets = new DisruptionTracker([buildBudget('none', 0, null), buildBudget('all', 0, {})]);
    const [here] = pods(1, {});
    expect(budgets.matching(here!).map(({ name }) => name)).toEqual(['all']);
    expect(budgets.matching({ ...here!, namespace: 'elsewhere' })).toEqual([]);
  });
});
