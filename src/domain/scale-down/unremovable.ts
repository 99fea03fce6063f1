import type { Pod } from '../kubernetes/pod.js';
import { podKey } from '../kubernetes/pod.js';
import type { Reason } from '../reason.js';

/** Why a node stays, as upstream spells it: the label values of `unremovable_nodes_count` (`scale-down` 1.4). */
export const UNREMOVABLE_REASONS = [
  'NoReason',
  'ScaleDownDisabledAnnotation',
  'ScaleDownUnreadyDisabled',
  'NotAutoscaled',
  'NotUnneededLongEnough',
  'NotUnreadyLongEnough',
  'NodeGroupMinSizeReached',
  'NodeGroupMaxDeletionCountReached',
  'AtomicScaleDownFailed',
  'MinimalResourceLimitExceeded',
  'CurrentlyBeingDeleted',
  'NotUnderutilized',
  'NotUnneededOtherReason',
  'RecentlyUnremovable',
  'NoPlaceToMovePods',
  'BlockedByPod',
  'UnexpectedError',
  'NoNodeInfo',
  'BlockedByOnCompletionPod',
] as const;

export type UnremovableReason = (typeof UNREMOVABLE_REASONS)[number];

/** Why a pod keeps its node (`scale-down` 1.5). */
export type BlockingReason =
  | 'ControllerNotFound'
  | 'MinReplicasReached'
  | 'NotReplicated'
  | 'LocalStorageRequested'
  | 'NotSafeToEvictAnnotation'
  | 'UnmovableKubeSystemPod'
  | 'NotEnoughPdb'
  | 'UnexpectedError';

/** The pod that keeps a node. */
export interface BlockingPod {
  readonly uid: string;
  /** `namespace/name`. */
  readonly key: string;
  readonly reason: BlockingReason;
  /** More than the reason says: the budget, the controller, the volume. */
  readonly details: string;
}

/** A node that stays, and why. */
export interface UnremovableNode {
  readonly nodeName: string;
  /** Empty for nodes of no group. */
  readonly groupId: string;
  /** `rule` is an {@link UnremovableReason}; with `BlockedByPod` the subject is the pod. */
  readonly reason: Reason & { readonly rule: UnremovableReason };
  readonly blockingPod: BlockingPod | null;
}

export type UnremovableReasonRecord = UnremovableNode['reason'];

const TEXTS: Readonly<Record<UnremovableReason, string>> = {
  NoReason: 'no reason',
  ScaleDownDisabledAnnotation: 'the node is annotated against scale-down',
  ScaleDownUnreadyDisabled: 'unready nodes are not scaled down',
  NotAutoscaled: 'the node belongs to no node group',
  NotUnneededLongEnough: 'not unneeded for long enough',
  NotUnreadyLongEnough: 'not unready for long enough',
  NodeGroupMinSizeReached: 'the node group is at its minimum',
  NodeGroupMaxDeletionCountReached: 'enough nodes are being deleted already',
  AtomicScaleDownFailed: 'the node group goes as a whole or not at all',
  MinimalResourceLimitExceeded: 'the cluster would fall below a minimum',
  CurrentlyBeingDeleted: 'the node is being deleted',
  NotUnderutilized: 'utilization is above the threshold',
  NotUnneededOtherReason: 'the node is needed',
  RecentlyUnremovable: 'found unremovable a short while ago',
  NoPlaceToMovePods: 'its pods fit nowhere else',
  BlockedByPod: 'a pod must not be moved',
  UnexpectedError: 'unexpected error',
  NoNodeInfo: 'the node is not in the snapshot',
  BlockedByOnCompletionPod: 'waits until a pod has completed',
};

/** The reason with its usual text; `extra` adds numbers, a subject or another text. */
export function unremovable(
  rule: UnremovableReason,
  extra: Partial<Omit<Reason, 'rule'>> = {},
): UnremovableReasonRecord {
  return { rule, text: TEXTS[rule], ...extra };
}

const BLOCKING_TEXTS: Readonly<Record<BlockingReason, string>> = {
  ControllerNotFound: 'its controller was not found',
  MinReplicasReached: 'its controller has too few replicas',
  NotReplicated: 'it has no controller that would replace it',
  LocalStorageRequested: 'it uses local storage',
  NotSafeToEvictAnnotation: 'it is annotated as not safe to evict',
  UnmovableKubeSystemPod: 'it is a system pod without disruption budget',
  NotEnoughPdb: 'a disruption budget forbids its eviction',
  UnexpectedError: 'unexpected error',
};

export function blockingPod(pod: Pod, reason: BlockingReason, details = ''): BlockingPod {
  return { uid: pod.uid, key: podKey(pod), reason, details };
}

export function blockedByPod(blocker: BlockingPod): UnremovableReasonRecord {
  const details = blocker.details === '' ? '' : ` (${blocker.details})`;
  const text = `pod ${blocker.key} must not be moved, ${blocker.reason}: ${BLOCKING_TEXTS[blocker.reason]}${details}`;
  return unremovable('BlockedByPod', { text, subject: blocker.key });
}
