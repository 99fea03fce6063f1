import type { Node } from '../kubernetes/node.js';
import type { Observation } from '../observation.js';
import type { Reason } from '../reason.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { BudgetResult, CutRemoval } from './budgets.js';
import { cropToBudgets } from './budgets.js';
import { findCandidates } from './candidates.js';
import { chooseRemovals } from './choose-removals.js';
import type { Choice } from './choose-removals.js';
import { cooldown } from './cooldown.js';
import type { UnneededFindings } from './find-unneeded.js';
import { findUnneeded } from './find-unneeded.js';
import type { ScaleDownGroup } from './group-index.js';
import { GroupIndex } from './group-index.js';
import type { ScaleDownMemory } from './memory.js';
import type { ScaleDownPlan, ScaleDownResult, UnneededNode } from './plan.js';
import type { ScaleDownPolicy } from './policy.js';
import { ResourceFloor } from './resource-floor.js';
import { softTaintChanges } from './soft-taints.js';
import { withUpdate } from './unneeded-limit.js';
import type { UnremovableNode } from './unremovable.js';
import { unremovable } from './unremovable.js';

export interface ScaleDownInput {
  /** Nodes that are still starting while their group grows are left out of it by the loop (`scale-down` 2.2, step 18). */
  readonly observation: Observation;
  /**
   * The observed nodes with the pods that count, the pending pods that fit, and placeholders of machines on order.
   * Forked while the plan is made and as it was afterwards.
   */
  readonly snapshot: ClusterSnapshot;
  readonly policy: ScaleDownPolicy;
  readonly memory: ScaleDownMemory;
  /** Label key that marks this cloud's GPU nodes. */
  readonly gpuLabel: string;
  /** The loop forbids deletions in this iteration, and says why; null: it does not. */
  readonly forbidden: Reason | null;
  /**
   * Machines that the cloud lets go from now on, those of deletions in progress included; null: no limit. Told by the
   * provider, so that no node is drained whose machine would then be refused.
   */
  readonly releaseBudget: number | null;
  /** Asked before each simulation of a node. */
  readonly isOutOfTime: () => boolean;
}

export interface ScaleDownDecision {
  readonly plan: ScaleDownPlan;
  readonly memory: ScaleDownMemory;
}

/**
 * Decides which nodes go now, which may go later and why the others stay (`scale-down` 2.4). Yields between nodes: the
 * caller drives it in slices and lets the process breathe in between. Equal input gives an equal decision.
 */
export function* planScaleDown(input: ScaleDownInput): Generator<undefined, ScaleDownDecision, undefined> {
  const { observation, snapshot, policy, gpuLabel, isOutOfTime } = input;
  const memory = withUpdate(input.memory, observation.nowMs);
  const groups = new GroupIndex(observation, policy);
  const candidates = findCandidates(observation, { groups, policy, memory });
  const findings = yield* findUnneeded({
    observation,
    snapshot,
    policy,
    memory,
    gpuLabel,
    groups,
    candidates: candidates.nodes,
    isOutOfTime,
  });
  const pause = cooldown(policy, memory, { nowMs: observation.nowMs, forbidden: input.forbidden });
  const idle = pause !== null || candidates.nodes.length === 0;
  const removals = idle ? NO_REMOVALS : removalsNow(findings.unneeded, groups, input);
  const plan: ScaleDownPlan = {
    nowMs: observation.nowMs,
    result: resultOf(pause, candidates.nodes, removals),
    cooldown: pause,
    candidateCount: candidates.nodes.length,
    buckets: removals.buckets,
    unneeded: findings.unneeded,
    unremovable: [...findings.unremovable, ...removals.unremovable],
    notCandidates: candidates.others,
    postponed: removals.cut.map(postponed),
    notEvaluated: findings.notEvaluated,
    utilization: findings.utilization,
    softTaints: planSoftTaints(observation, groups, findings.unneeded, removals),
  };
  return { plan, memory: remember(memory, findings) };
}

type Removals = BudgetResult & Pick<Choice, 'unremovable'>;

const NO_REMOVALS: Removals = { buckets: [], cut: [], unremovable: [] };

function removalsNow(unneeded: readonly UnneededNode[], groups: GroupIndex, input: ScaleDownInput): Removals {
  const { observation, policy, gpuLabel } = input;
  const groupOf = ({ node }: UnneededNode) => known(groups.groupOf(node.name));
  const staying = observation.nodes.filter(({ name }) => !groups.beingDeleted.has(name));
  const floor = new ResourceFloor(staying, policy.resourceMinimums, gpuLabel);
  const choice = chooseRemovals(unneeded, { nowMs: observation.nowMs, policy, gpuLabel, groupOf, floor });
  const cropped = cropToBudgets({
    empty: choice.empty,
    drain: choice.drain,
    groupOf,
    maxParallelism: policy.maxParallelism,
    maxDrainParallelism: policy.maxDrainParallelism,
    emptyInProgress: observation.deletions.empty.length,
    drainInProgress: observation.deletions.drained.length,
    releaseBudget: input.releaseBudget,
  });
  return { ...cropped, unremovable: choice.unremovable };
}

/** Unneeded nodes have passed the check that they belong to a group. */
function known(group: ScaleDownGroup | undefined): ScaleDownGroup {
  if (group === undefined) throw new Error('an unneeded node belongs to no group');
  return group;
}

function postponed({ removal: { node, groupId }, cloudLimit }: CutRemoval): UnremovableNode {
  const cause = cloudLimit === null ? {} : { text: 'the cloud takes no more deletions now', ...cloudLimit };
  const reason = unremovable('NodeGroupMaxDeletionCountReached', cause);
  return { nodeName: node.name, groupId, reason, blockingPod: null };
}

function resultOf(pause: Reason | null, candidates: readonly Node[], { buckets }: Removals): ScaleDownResult {
  if (pause !== null) return 'ScaleDownInCooldown';
  if (candidates.length === 0) return 'ScaleDownNoCandidates';
  return buckets.length === 0 ? 'ScaleDownNoNodeDeleted' : 'ScaleDownNodeDeleteStarted';
}

function planSoftTaints(
  observation: Observation,
  groups: GroupIndex,
  unneeded: readonly UnneededNode[],
  { buckets }: Removals,
) {
  const going = buckets.flatMap(({ empty, drain }) => [...empty, ...drain]).map(({ node }) => node.name);
  return softTaintChanges({
    managed: observation.nodes.filter(({ name }) => groups.groupOf(name) !== undefined),
    unneeded: new Set(unneeded.map(({ node }) => node.name)),
    leaving: new Set([...groups.beingDeleted, ...going]),
  });
}

/** The new unneeded set is exactly what was found: a node that was not confirmed starts over. */
function remember(memory: ScaleDownMemory, findings: UnneededFindings): ScaleDownMemory {
  const since = findings.unneeded.map(({ node, sinceMs }): [string, number] => [node.name, sinceMs]);
  return {
    ...memory,
    unneededSinceMs: Object.fromEntries(since),
    rechecks: findings.rechecks,
    hints: findings.hints,
  };
}
