import type { Node } from '../kubernetes/node.js';
import { TO_BE_DELETED_TAINT } from '../kubernetes/taint.js';
import { rawReadiness } from '../readiness/node-readiness.js';
import { entryOf } from '../readiness/keyed.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { ScaleDownGroup } from './group-index.js';
import { markedAtMs } from './marks.js';
import type { Recheck, ScaleDownMemory } from './memory.js';
import type { ScaleDownPolicy } from './policy.js';
import type { BlockingPod, UnremovableReasonRecord } from './unremovable.js';
import { unremovable } from './unremovable.js';
import type { Utilization } from './utilization.js';
import { isGpuNode, nodeUtilization } from './utilization.js';

/** A younger hard mark means that the deletion is still under way (upstream: the longer of 3 and 5 minutes). */
const BEING_DELETED_WINDOW_MS = 5 * 60_000;

export interface EligibilityContext {
  readonly nowMs: number;
  readonly policy: ScaleDownPolicy;
  readonly memory: ScaleDownMemory;
  readonly snapshot: ClusterSnapshot;
  readonly gpuLabel: string;
  /** Nodes of the cluster. */
  readonly nodeCount: number;
}

export type Eligibility =
  | { readonly eligible: true; readonly utilization: Utilization; readonly ready: boolean }
  | {
      readonly eligible: false;
      readonly reason: UnremovableReasonRecord;
      readonly blockingPod: BlockingPod | null;
      readonly utilization: Utilization | null;
    };

/** The cheap checks of one candidate, first match wins (`scale-down` 3). Options of groups are data here and can't fail. */
export function judgeEligibility(
  node: Node,
  group: ScaleDownGroup | undefined,
  context: EligibilityContext,
): Eligibility {
  const { nowMs, policy, memory, snapshot } = context;
  if (!snapshot.hasNode(node.name)) {
    return no(unremovable('UnexpectedError', { text: 'the node is not in the snapshot' }));
  }
  const recheck = entryOf(memory.rechecks, node.name);
  if (recheck !== null && isStanding(recheck, node, context)) return recentlyUnremovable(recheck, nowMs);
  if (isBeingDeleted(node, nowMs)) return no(unremovable('CurrentlyBeingDeleted'));
  if (node.scaleDownDisabled === 'true') return no(unremovable('ScaleDownDisabledAnnotation'));
  if (group === undefined) return no(unremovable('NotAutoscaled'));
  const utilization = nodeUtilization(node, snapshot.podsOn(node.name), {
    nowMs,
    ignoreDaemonSets: group.ignoreDaemonSets,
    ignoreMirrorPods: policy.ignoreMirrorPodsUtilization,
    gpuLabel: context.gpuLabel,
  });
  if (utilization === null) {
    return no(unremovable('UnexpectedError', { text: 'the node offers no cpu or no memory' }));
  }
  const { ready } = rawReadiness(node);
  if (!policy.unreadyEnabled && !ready) return no(unremovable('ScaleDownUnreadyDisabled'));
  const limit = thresholdOf(node, group, context.gpuLabel);
  if (utilization.value > limit) return notUnderutilized(utilization, limit);
  return { eligible: true, utilization, ready };
}

export function isBeingDeleted(node: Node, nowMs: number): boolean {
  const markedMs = markedAtMs(node, TO_BE_DELETED_TAINT);
  return markedMs !== null && nowMs - markedMs < BEING_DELETED_WINDOW_MS;
}

/** The utilization above which a node is needed. */
export function thresholdOf(node: Node, group: ScaleDownGroup, gpuLabel: string): number {
  return isGpuNode(node, gpuLabel) ? group.gpuUtilizationThreshold : group.utilizationThreshold;
}

/**
 * differs from upstream: a deadline ends early when the blocking pod or others have left the node, or nodes have joined
 * that may take its pods (W9).
 */
function isStanding(recheck: Recheck, node: Node, context: EligibilityContext): boolean {
  if (recheck.deadlineMs <= context.nowMs) return false;
  const pods = context.snapshot.podsOn(node.name);
  const blocker = recheck.blockingPod;
  if (blocker !== null) return pods.some((pod) => pod.uid === blocker.uid);
  return pods.length >= recheck.podCount && context.nodeCount <= recheck.nodeCount;
}

function recentlyUnremovable({ reason, blockingPod, deadlineMs }: Recheck, nowMs: number): Eligibility {
  const text = `found unremovable, looked at again in ${Math.ceil((deadlineMs - nowMs) / 1_000)}s: ${reason.text}`;
  const subject = reason.subject === undefined ? {} : { subject: reason.subject };
  return { ...no(unremovable('RecentlyUnremovable', { text, ...subject })), blockingPod };
}

function notUnderutilized(utilization: Utilization, limit: number): Eligibility {
  const numbers = {
    subject: utilization.resource,
    asked: rounded(utilization.value),
    limit,
    measure: 'utilization',
  } as const;
  return { ...no(unremovable('NotUnderutilized', numbers)), utilization };
}

function no(reason: UnremovableReasonRecord): Eligibility & { readonly eligible: false } {
  return { eligible: false, reason, blockingPod: null, utilization: null };
}

/** Three decimals are plenty for people. */
export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
