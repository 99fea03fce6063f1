import type { BudgetInput } from '../../../src/domain/scale-down/index.js';
import { cropToBudgets } from '../../../src/domain/scale-down/budgets.js';
import type { ScaleDownGroup } from '../../../src/domain/scale-down/group-index.js';
import type { NodeRemoval } from '../../../src/domain/scale-down/index.js';
import { buildNode, T0 } from '../../support/builders.js';

/** Nodes of one group that are offered, and how the group stands. */
interface Offer {
  readonly empty?: number;
  readonly drain?: number;
  readonly atomic?: boolean;
  readonly target?: number;
  readonly registered?: number;
}

function crop(
  offers: readonly Offer[],
  inProgress: readonly [number, number] = [0, 0],
  releaseBudget: number | null = null,
) {
  const groups = new Map<string, ScaleDownGroup>();
  const removals = (index: number, count: number, isEmpty: boolean) =>
    Array.from({ length: count }, (_, number) =>
      removal(`g${index}`, `${isEmpty ? 'e' : 'd'}${number}`, isEmpty),
    );
  const empty = offers.flatMap(({ empty = 0 }, index) => removals(index, empty, true));
  const drain = offers.flatMap(({ drain = 0 }, index) => removals(index, drain, false));
  offers.forEach((offer, index) => groups.set(`g${index}`, group(`g${index}`, offer)));
  const input: BudgetInput = {
    empty,
    drain,
    groupOf: ({ groupId }) => groups.get(groupId)!,
    maxParallelism: 10,
    maxDrainParallelism: 5,
    emptyInProgress: inProgress[0],
    drainInProgress: inProgress[1],
    releaseBudget,
  };
  const { buckets, cut } = cropToBudgets(input);
  const started = buckets.reduce((sum, bucket) => sum + bucket.empty.length + bucket.drain.length, 0);
  expect(started + cut.length).toBe(empty.length + drain.length);
  return Object.fromEntries(
    offers.map((_, index): [string, string] => {
      const own = buckets.filter(({ groupId }) => groupId === `g${index}`);
      const count = (kind: 'empty' | 'drain') => own.reduce((sum, bucket) => sum + bucket[kind].length, 0);
      return [`g${index}`, `${count('empty')}+${count('drain')}`];
    }),
  );
}

function group(
  id: string,
  { empty = 0, drain = 0, atomic = false, target, registered }: Offer,
): ScaleDownGroup {
  const offered = empty + drain;
  return {
    id,
    minSize: 0,
    targetSize: target ?? offered,
    registeredCount: registered ?? offered,
    deletionCount: 0,
    isAtomic: atomic,
    utilizationThreshold: 0.5,
    gpuUtilizationThreshold: 0.5,
    unneededTimeMs: 0,
    unreadyTimeMs: 0,
    ignoreDaemonSets: false,
  };
}

function removal(groupId: string, name: string, isEmpty: boolean): NodeRemoval {
  return {
    node: buildNode(`${groupId}-${name}`),
    groupId,
    sinceMs: T0,
    utilization: { cpu: 0, memory: 0, gpu: 0, resource: 'cpu', value: 0 },
    ready: true,
    isEmpty,
    isRisky: false,
    podsToMove: [],
    daemonSetPods: [],
    onCompletionPods: [],
    cause: isEmpty ? 'empty' : 'underutilized',
    reason: { rule: 'empty', text: '' },
    daemonSetPodsToEvict: [],
  };
}

describe('budgets of 10 deletions and 5 drains', () => {
  // scale-down 13.9/106
  it.each<[string, readonly [number, number], readonly Offer[], Record<string, string>]>([
    // scale-down 13.9/99
    ['11 empty', [0, 0], [{ empty: 11 }], { g0: '10+0' }],
    // scale-down 13.9/100
    ['atomic 11 empty', [0, 0], [{ empty: 11, atomic: true }], { g0: '11+0' }],
    [
      'two atomic groups, the first over the budget',
      [0, 0],
      [
        { empty: 11, atomic: true },
        { empty: 2, atomic: true },
      ],
      { g0: '11+0', g1: '0+0' },
    ],
    [
      '8 individual empty + atomic 3 empty',
      [0, 0],
      [{ empty: 8 }, { empty: 3, atomic: true }],
      { g0: '7+0', g1: '3+0' },
    ],
    [
      'individual 3, atomic 8, atomic 3',
      [0, 0],
      [{ empty: 3 }, { empty: 8, atomic: true }, { empty: 3, atomic: true }],
      { g0: '2+0', g1: '8+0', g2: '0+0' },
    ],
    ['10 empty while 1 + 1 are under way', [1, 1], [{ empty: 10 }], { g0: '8+0' }],
    ['atomic 8 empty while 3 + 3 are under way', [3, 3], [{ empty: 8, atomic: true }], { g0: '8+0' }],
    // scale-down 13.9/103
    ['atomic 3 empty while 5 + 5 are under way', [5, 5], [{ empty: 3, atomic: true }], { g0: '0+0' }],
    // scale-down 13.9/101
    ['6 drain', [0, 0], [{ drain: 6 }], { g0: '0+5' }],
    ['5 + 5 drain in two groups', [0, 0], [{ drain: 5 }, { drain: 5 }], { g0: '0+5', g1: '0+0' }],
    ['4 drain while 7 + 1 are under way', [7, 1], [{ drain: 4 }], { g0: '0+2' }],
    // scale-down 13.9/102
    ['8 empty + 8 drain', [0, 0], [{ empty: 8 }, { drain: 8 }], { g0: '8+0', g1: '0+2' }],
    [
      'individual 5 empty + atomic 8 drain',
      [0, 0],
      [{ empty: 5 }, { drain: 8, atomic: true }],
      { g0: '2+0', g1: '0+8' },
    ],
    ['5 empty + 5 drain while 5 drains are under way', [0, 5], [{ empty: 5, drain: 5 }], { g0: '5+0' }],
    ['5 empty + 5 drain while 9 drains are under way', [0, 9], [{ empty: 5, drain: 5 }], { g0: '1+0' }],
    // scale-down 13.9/104
    [
      'atomic 8 of which 4 are not offered',
      [0, 0],
      [{ empty: 2, drain: 2, atomic: true, target: 8, registered: 8 }],
      { g0: '0+0' },
    ],
    // scale-down 13.9/105
    [
      'atomic 8 of which only 4 ever joined',
      [0, 0],
      [{ empty: 2, drain: 2, atomic: true, target: 8, registered: 4 }],
      { g0: '2+2' },
    ],
    [
      'atomic 3 empty while more than allowed is under way',
      [9, 3],
      [{ empty: 3, atomic: true }],
      { g0: '0+0' },
    ],
    [
      'atomic drain-only group behind one with empty nodes that did not fit',
      [0, 5],
      [
        { empty: 1, drain: 1, atomic: true },
        { drain: 1, atomic: true },
      ],
      { g0: '0+0', g1: '0+0' },
    ],
  ])('%s', (_what, inProgress, offers, expected) => {
    expect(crop(offers, inProgress)).toEqual(expected);
  });
});

describe('a cloud that lets only so many machines go', () => {
  it.each<[string, number, readonly [number, number], readonly Offer[], Record<string, string>]>([
    ['empty nodes first', 4, [0, 0], [{ empty: 3, drain: 3 }], { g0: '3+1' }],
    ['what is under way will need its share', 4, [2, 1], [{ empty: 3 }], { g0: '1+0' }],
    ['nothing is left', 2, [2, 2], [{ empty: 1, drain: 1 }], { g0: '0+0' }],
    ['more than the parallelism', 50, [0, 0], [{ empty: 11 }], { g0: '10+0' }],
    [
      'an atomic group has to fit, and others need not wait for it',
      2,
      [0, 0],
      [{ empty: 3, atomic: true }, { empty: 1 }],
      { g0: '0+0', g1: '1+0' },
    ],
  ])('%s', (_what, releaseBudget, inProgress, offers, expected) => {
    expect(crop(offers, inProgress, releaseBudget)).toEqual(expected);
  });
});
