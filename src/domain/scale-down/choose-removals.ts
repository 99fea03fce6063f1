import { renderGoDuration } from '../go-duration.js';
import { evictsDaemonSetPod } from './daemon-set-eviction.js';
import type { ScaleDownGroup } from './group-index.js';
import type { NodeRemoval, RemovalCause, UnneededNode } from './plan.js';
import type { ScaleDownPolicy } from './policy.js';
import { rounded, thresholdOf } from './eligibility.js';
import type { ResourceFloor } from './resource-floor.js';
import type { UnremovableNode, UnremovableReasonRecord } from './unremovable.js';
import { unremovable } from './unremovable.js';

export interface ChoiceContext {
  readonly nowMs: number;
  readonly policy: ScaleDownPolicy;
  readonly gpuLabel: string;
  readonly groupOf: (node: UnneededNode) => ScaleDownGroup;
  readonly floor: ResourceFloor;
}

export interface Choice {
  readonly empty: readonly NodeRemoval[];
  readonly drain: readonly NodeRemoval[];
  readonly unremovable: readonly UnremovableNode[];
}

/** Nodes that go together or not at all: one, or all of an atomic group. */
interface Unit {
  readonly group: ScaleDownGroup;
  readonly nodes: readonly UnneededNode[];
}

/** What the choice has come to so far. */
interface Ledger {
  /** Nodes that stay. */
  readonly reasons: Map<UnneededNode, UnremovableReasonRecord>;
  readonly chosenByGroup: Map<string, number>;
}

/**
 * Of the unneeded nodes, those that may be deleted now (`scale-down` 7.1, 2.9, 10): empty ones first, risky ones last.
 * differs from upstream: size and headroom are consumed only by nodes that nothing else holds back (W31), and when one
 * node of an atomic group stays, all of them say so (W32).
 */
export function chooseRemovals(unneeded: readonly UnneededNode[], context: ChoiceContext): Choice {
  const ledger: Ledger = { reasons: new Map(), chosenByGroup: new Map() };
  for (const node of unneeded) {
    const reason = heldBack(node, context);
    if (reason !== null) ledger.reasons.set(node, reason);
  }
  const free = unneeded.filter((node) => !ledger.reasons.has(node)).sort(byPreference);
  const units = unitsOf(free, context);
  const chosen = [...units.single, ...wholeGroups(units.atomic, ledger)].filter((unit) =>
    takes(unit, context.floor, ledger),
  );
  const removals = chosen.flatMap(({ nodes }) => nodes).map((node) => removalOf(node, context));
  return {
    empty: removals.filter(({ isEmpty }) => isEmpty),
    drain: removals.filter(({ isEmpty }) => !isEmpty),
    unremovable: [...ledger.reasons].map(([{ node, groupId }, reason]) => ({
      nodeName: node.name,
      groupId,
      reason,
      blockingPod: null,
    })),
  };
}

/** Empty, then needing drain, then risky; stable otherwise. */
function byPreference(left: UnneededNode, right: UnneededNode): number {
  return rank(left) - rank(right);
}

function rank({ isEmpty, isRisky }: UnneededNode): number {
  return isEmpty ? 0 : isRisky ? 2 : 1;
}

/** What speaks against the node by itself. */
function heldBack(node: UnneededNode, context: ChoiceContext): UnremovableReasonRecord | null {
  const { unneededTimeMs, unreadyTimeMs } = context.groupOf(node);
  const thresholdMs = node.ready ? unneededTimeMs : unreadyTimeMs;
  const forMs = context.nowMs - node.sinceMs;
  if (thresholdMs > 0 && forMs <= thresholdMs) {
    return unremovable(node.ready ? 'NotUnneededLongEnough' : 'NotUnreadyLongEnough', {
      asked: seconds(forMs),
      limit: seconds(thresholdMs),
      measure: 'duration',
    });
  }
  const waiting = node.onCompletionPods[0];
  return waiting === undefined
    ? null
    : unremovable('BlockedByOnCompletionPod', { subject: `${waiting.namespace}/${waiting.name}` });
}

function unitsOf(nodes: readonly UnneededNode[], { groupOf }: ChoiceContext) {
  const single: Unit[] = [];
  const atomic = new Map<string, { readonly group: ScaleDownGroup; readonly nodes: UnneededNode[] }>();
  for (const node of nodes) {
    const group = groupOf(node);
    const unit = atomic.get(group.id);
    if (!group.isAtomic) single.push({ group, nodes: [node] });
    else if (unit === undefined) atomic.set(group.id, { group, nodes: [node] });
    else unit.nodes.push(node);
  }
  return { single, atomic: [...atomic.values()] };
}

/** Atomic groups of which all nodes may go, be it those asked for or those that ever joined. */
function wholeGroups(units: readonly Unit[], { reasons }: Ledger): readonly Unit[] {
  return units.filter(({ group, nodes }) => {
    if (nodes.length === group.targetSize || nodes.length === group.registeredCount) return true;
    const numbers = { subject: group.id, asked: nodes.length, limit: group.targetSize };
    for (const node of nodes) reasons.set(node, unremovable('AtomicScaleDownFailed', numbers));
    return false;
  });
}

/** Consumes size and headroom for the unit, or notes why not. */
function takes(unit: Unit, floor: ResourceFloor, { reasons, chosenByGroup }: Ledger): boolean {
  const chosen = chosenByGroup.get(unit.group.id) ?? 0;
  const reason = sizeReason(unit, chosen) ?? floorReason(unit, floor);
  if (reason === null) chosenByGroup.set(unit.group.id, chosen + unit.nodes.length);
  else for (const node of unit.nodes) reasons.set(node, reason);
  return reason === null;
}

function sizeReason({ group, nodes }: Unit, chosen: number): UnremovableReasonRecord | null {
  const left = group.targetSize - group.deletionCount - chosen - nodes.length;
  // An atomic group whose machines did not all join is deleted by the nodes it has.
  const isAllowed = group.isAtomic ? group.minSize === 0 : left >= group.minSize;
  return isAllowed
    ? null
    : unremovable('NodeGroupMinSizeReached', { subject: group.id, asked: left, limit: group.minSize });
}

function floorReason({ nodes }: Unit, floor: ResourceFloor): UnremovableReasonRecord | null {
  const shortage = floor.take(nodes.map(({ node }) => node));
  if (shortage === null) return null;
  const { resource, asked, free, limit } = shortage;
  return unremovable('MinimalResourceLimitExceeded', { subject: resource, asked, free, limit });
}

function removalOf(node: UnneededNode, context: ChoiceContext): NodeRemoval {
  const cause: RemovalCause = !node.ready ? 'unready' : node.isEmpty ? 'empty' : 'underutilized';
  const limit = thresholdOf(node.node, context.groupOf(node), context.gpuLabel);
  const text = `unneeded for ${seconds(context.nowMs - node.sinceMs)}`;
  const { resource, value } = node.utilization;
  return {
    ...node,
    cause,
    reason: { rule: cause, text, subject: resource, asked: rounded(value), limit, measure: 'utilization' },
    daemonSetPodsToEvict: node.daemonSetPods.filter((pod) =>
      evictsDaemonSetPod(pod, node.isEmpty, context.policy),
    ),
  };
}

function seconds(ms: number): string {
  return renderGoDuration(Math.floor(ms / 1_000) * 1_000);
}
