import { HOSTNAME_LABEL } from '../kubernetes/labels.js';
import type { Node } from '../kubernetes/node.js';
import type { ScalingState } from '../readiness/scaling-state.js';
import { applyGrowth } from './apply-growth.js';
import { judgeGroups } from './judge-groups.js';
import { matchClasses } from './match-classes.js';
import { mergeChanges, mergeReports } from './merge-rounds.js';
import type { Round } from './merge-rounds.js';
import { planScaleUp } from './plan-scale-up.js';
import type { ScaleUpPlan } from './plan.js';
import type { ScaleUpPolicy } from './policy.js';
import type { ScaleUpInput } from './scale-up-input.js';
import type { Steps } from './steps.js';

/** How far the rounds have come. */
interface Progress {
  /** What the next round is planned from. */
  readonly input: ScaleUpInput;
  readonly plans: readonly ScaleUpPlan[];
  readonly rounds: readonly Round[];
  /** Nodes of the rounds so far. */
  readonly nodeNames: readonly string[];
}

/**
 * Growth of several groups in one plan (`scale-up` 13.6): round after round plans for the pods that are left, with the
 * nodes of the rounds before in the snapshot. Every round serves a pod, so there are no more rounds than pods.
 *
 * differs from upstream: nothing is ordered before all is planned, and the domains of groups that may grow count for
 * topology spread from the first round on. Else the first zone takes what belongs to zones whose nodes are ordered a
 * moment later, and its nodes are in vain (case U045).
 */
export function* planSalvo(input: ScaleUpInput, policy: ScaleUpPolicy): Steps<ScaleUpPlan> {
  const { snapshot } = input;
  const isOutOfTime = input.startTimer(policy.salvoBudgetMs);
  const spreadOver = groupsToSpreadOver(input, policy);
  let progress: Progress = { input, plans: [], rounds: [], nodeNames: [] };
  snapshot.fork();
  try {
    do {
      snapshot.expectDomainsOf(templatesOf(spreadOver, progress.input, policy));
      progress = yield* oneRound(progress, policy);
      // A budget of 0 is one round.
    } while (isGoingOn(progress) && policy.salvoBudgetMs > 0 && !isOutOfTime());
  } finally {
    snapshot.expectDomainsOf([]);
    snapshot.revert();
  }
  return merged(input, progress);
}

function* oneRound(before: Progress, policy: ScaleUpPolicy): Steps<Progress> {
  const { input, nodeNames } = before;
  const plan = yield* planScaleUp(input, policy);
  const plans = [...before.plans, plan];
  const growth = plan.increases.map(({ groupId, currentSize, newSize }) => ({
    template: input.templates.get(groupId)!,
    count: newSize - currentSize,
  }));
  const applied = yield* applyGrowth(
    input.snapshot,
    input.classes,
    growth,
    `salvo-${plans.length}`,
    nodeNames,
  );
  const served = new Map(input.classes.map(({ classId }, index) => [classId, applied.placed[index]!]));
  const quotas = growth.reduce(
    (tracker, { template, count }) => tracker.consume(template.node, count),
    input.quotas,
  );
  return {
    input: { ...input, classes: applied.left, quotas, state: withIncreases(input.state, plan) },
    plans,
    rounds: [...before.rounds, { reports: plan.reports, served }],
    nodeNames: [...nodeNames, ...applied.nodeNames],
  };
}

function isGoingOn({ input, rounds }: Progress): boolean {
  const served = [...(rounds.at(-1)?.served.values() ?? [])];
  return input.classes.length > 0 && served.some((count) => count > 0);
}

function withIncreases(state: ScalingState, { increases }: ScaleUpPlan): ScalingState {
  const groups = new Map(state.groups);
  for (const { groupId, newSize } of increases) {
    const known = groups.get(groupId)!;
    groups.set(groupId, { ...known, group: { ...known.group, targetSize: newSize } });
  }
  return { ...state, groups };
}

/**
 * Open groups whose nodes would take every pod that is spread over more than hosts. A group that takes only some of them
 * may never grow, and waiting for its domain would keep the others from growing, too.
 */
function groupsToSpreadOver(input: ScaleUpInput, policy: ScaleUpPolicy): ReadonlySet<string> {
  const spread = input.classes.filter(({ pods }) =>
    pods[0]!.shape.topologySpread.some(({ topologyKey }) => topologyKey !== HOSTNAME_LABEL),
  );
  if (spread.length === 0) return new Set();
  const { open } = judgeGroups(input, policy);
  const willing = open.filter(({ template }) =>
    matchClasses(input.snapshot, template, spread).every((reasons) => reasons === null),
  );
  return new Set(willing.map(({ group }) => group.id));
}

/** Of those that still may grow. */
function templatesOf(
  groupIds: ReadonlySet<string>,
  input: ScaleUpInput,
  policy: ScaleUpPolicy,
): readonly Node[] {
  if (groupIds.size === 0) return [];
  const { open } = judgeGroups(input, policy);
  return open.filter(({ group }) => groupIds.has(group.id)).map(({ template }) => template.node);
}

/** The rounds as one plan, as it would be carried out. */
function merged(input: ScaleUpInput, { plans, rounds }: Progress): ScaleUpPlan {
  const first = plans[0]!;
  const last = plans.at(-1)!;
  const increases = mergeChanges(plans.flatMap((plan) => plan.increases));
  return {
    ...first,
    result: increases.length > 0 ? 'ScaleUpSuccessful' : last.result,
    increases,
    reports: mergeReports(input.classes, rounds),
    maxNodesReached: plans.find(({ maxNodesReached }) => maxNodesReached !== null)?.maxNodesReached ?? null,
    limitHits: last.limitHits,
    error: increases.length > 0 ? null : last.error,
  };
}
