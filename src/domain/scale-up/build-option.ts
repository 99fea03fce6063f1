import type { Estimate, PendingClass } from '../estimation/estimate.js';
import { clusterCapacityOpinion, combineNodeLimits, groupCapacityOpinion } from '../estimation/limits.js';
import type { ExpansionOption } from '../expansion/expansion-option.js';
import type { Resources } from '../kubernetes/resources.js';
import type { NodeGroup } from '../node-group/node-group.js';
import { smallestGrowth } from './judge-groups.js';
import type { OpenGroup } from './judge-groups.js';
import type { ScaleUpPolicy } from './policy.js';
import type { ScaleUpInput } from './scale-up-input.js';

export interface EstimatedGroup {
  readonly estimate: Estimate;
  /** Null where no pod found a place. */
  readonly option: ExpansionOption | null;
}

/**
 * What growing one group would bring (`scale-up` 5.5). `accepted`: indices of the classes that a fresh node takes; the
 * others are not tried.
 */
export function buildOption(
  main: OpenGroup,
  similar: readonly OpenGroup[],
  accepted: ReadonlySet<number>,
  input: ScaleUpInput,
  policy: ScaleUpPolicy,
): EstimatedGroup {
  const indices = [...accepted];
  const classes = indices.map((index) => input.classes[index]!);
  const groups = [main, ...similar].map(({ group }) => group);
  const estimate = input.estimator(input.snapshot, main.template, classes, {
    maxNodes: nodeLimit(groups, input, policy),
    isOutOfTime: input.startTimer(policy.groupBudgetMs),
  });
  const podCount = estimate.placed.reduce((sum, count) => sum + count, 0);
  if (estimate.nodeCount === 0 || podCount === 0) return { estimate, option: null };
  const placed = input.classes.map(() => 0);
  indices.forEach((index, position) => (placed[index] = estimate.placed[position]!));
  const isAtomic = main.group.options.zeroOrMaxNodeScaling === true;
  const option: ExpansionOption = {
    groupId: main.group.id,
    similarGroupIds: similar.map(({ group }) => group.id),
    nodeCount: isAtomic ? smallestGrowth(main.group) : estimate.nodeCount,
    template: main.template,
    placed,
    podCount,
    requests: sumOfRequests(input.classes, placed),
    pricePerHour: input.prices.get(main.group.id) ?? null,
  };
  return { estimate, option };
}

/** The limits of `scale-up` 6.2 together. */
function nodeLimit(groups: readonly NodeGroup[], input: ScaleUpInput, policy: ScaleUpPolicy): number | null {
  return combineNodeLimits([
    policy.maxNodesPerScaleUp,
    groupCapacityOpinion(groups),
    clusterCapacityOpinion(policy.maxNodesTotal, input.snapshot.nodeNames().length),
  ]);
}

function sumOfRequests(classes: readonly PendingClass[], placed: readonly number[]): Resources {
  const sum = new Map<string, number>();
  classes.forEach(({ pods }, index) => {
    for (const [name, amount] of pods[0]!.shape.requests) {
      sum.set(name, (sum.get(name) ?? 0) + amount * placed[index]!);
    }
  });
  return sum;
}
