import type { Node } from '../kubernetes/node.js';
import type { Observation } from '../observation.js';
import { renderReason } from '../reason.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import { collectPods } from './collect-pods.js';
import { groupCooldown } from './cooldown.js';
import { DisruptionTracker } from './disruption-tracker.js';
import type { DrainContext } from './drainability/rule.js';
import type { GroupIndex } from './group-index.js';
import type { ScaleDownMemory } from './memory.js';
import type { ScaleDownPolicy } from './policy.js';
import type { UnremovableNode, UnremovableReasonRecord } from './unremovable.js';
import { unremovable } from './unremovable.js';
import type { Utilization } from './utilization.js';

export interface CandidateContext {
  readonly groups: GroupIndex;
  readonly policy: ScaleDownPolicy;
  readonly memory: ScaleDownMemory;
}

export interface Candidates {
  readonly nodes: readonly Node[];
  readonly others: readonly UnremovableNode[];
}

/**
 * Nodes that scale-down may look at at all (`scale-down` 2.7). differs from upstream: the others are told, with their
 * reason (W36).
 */
export function findCandidates(observation: Observation, context: CandidateContext): Candidates {
  const candidates: Node[] = [];
  const others: UnremovableNode[] = [];
  const leaving = leavingMachines(observation);
  for (const node of observation.nodes) {
    const reason = leaving(node)
      ? unremovable('CurrentlyBeingDeleted')
      : ruledOut(node, observation.nowMs, context);
    if (reason === null) candidates.push(node);
    else {
      const groupId = context.groups.groupOf(node.name)?.id ?? '';
      others.push({ nodeName: node.name, groupId, reason, blockingPod: null });
    }
  }
  return { nodes: candidates, others };
}

/**
 * differs from upstream: a node whose machine is gone or on its way out is left to the cloud controller. Where there is
 * none the node lingers, and would be removed again and again, to no effect (case U057).
 */
function leavingMachines({ groups, groupIdByNode, existenceByNode }: Observation): (node: Node) => boolean {
  const deleting = new Set(
    groups.flatMap(({ instances }) =>
      instances.filter(({ state }) => state === 'deleting').map(({ id }) => id),
    ),
  );
  return ({ name, providerId }) =>
    groupIdByNode.has(name) && (deleting.has(providerId) || existenceByNode.get(name) === 'gone');
}

function ruledOut(node: Node, nowMs: number, context: CandidateContext): UnremovableReasonRecord | null {
  const group = context.groups.groupOf(node.name);
  if (group === undefined) return unremovable('NotAutoscaled');
  if (context.groups.beingDeleted.has(node.name)) return unremovable('CurrentlyBeingDeleted');
  if (group.targetSize <= group.minSize) {
    const numbers = { subject: group.id, asked: group.targetSize, limit: group.minSize };
    return unremovable('NodeGroupMinSizeReached', numbers);
  }
  const delay = groupCooldown(context.policy, context.memory, group.id, nowMs);
  if (delay === null) return null;
  return unremovable('NotUnneededOtherReason', {
    text: `its group ${renderReason(delay)}`,
    subject: group.id,
  });
}

/** A candidate with what its place in the order depends on. */
export interface RankedCandidate {
  readonly node: Node;
  readonly utilization: Utilization;
  readonly ready: boolean;
  /** Of {@link emptinessIn}. */
  readonly emptiness: number;
}

/**
 * The order of simulation: empty nodes, then those that only wait for pods to complete, then the others; nodes that were
 * unneeded before come first in each. differs from upstream, which leaves the rest to chance (W25): less used nodes
 * first, then by name.
 */
export function sortCandidates(
  candidates: readonly RankedCandidate[],
  memory: ScaleDownMemory,
): readonly RankedCandidate[] {
  const known = new Set(Object.keys(memory.unneededSinceMs));
  return candidates
    .map((candidate) => ({ candidate, isNew: known.has(candidate.node.name) ? 0 : 1 }))
    .sort(
      (left, right) =>
        left.candidate.emptiness - right.candidate.emptiness ||
        left.isNew - right.isNew ||
        left.candidate.utilization.value - right.candidate.utilization.value ||
        (left.candidate.node.name < right.candidate.node.name ? -1 : 1),
    )
    .map(({ candidate }) => candidate);
}

/** 0: empty, 1: empty but for pods that run to completion, 2: not empty. Neither controllers nor budgets are looked at. */
export function emptinessIn(snapshot: ClusterSnapshot, context: Pick<DrainContext, 'nowMs' | 'policy'>) {
  const drain: DrainContext = { ...context, workloads: null, budgets: new DisruptionTracker([]) };
  return (nodeName: string): number => {
    if (!snapshot.hasNode(nodeName)) return 2;
    const pods = collectPods(snapshot.podsOn(nodeName), drain);
    if (pods.blocked || pods.toMove.length > 0) return 2;
    return pods.onCompletion.length > 0 ? 1 : 0;
  };
}
