import type { Labels } from './labels.js';
import type { Resources } from './resources.js';
import type { VolumeLimits } from './storage.js';
import type { Taint } from './taint.js';

/** A condition of a node, compact. */
export interface NodeCondition {
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  readonly reason: string;
  readonly changedMs: number | null;
}

/** The conditions that readiness reads (`scale-up` 3.3); null where the node has none of that type. */
export interface NodeConditions {
  readonly ready: NodeCondition | null;
  readonly diskPressure: NodeCondition | null;
  readonly networkUnavailable: NodeCondition | null;
  readonly suspended: NodeCondition | null;
}

/** One node, compact. Immutable; an update makes a new record. */
export interface Node {
  readonly uid: string;
  readonly name: string;
  /** `spec.providerID`, or empty. */
  readonly providerId: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  readonly allocatable: Resources;
  readonly capacity: Resources;
  readonly conditions: NodeConditions;
  /** `status.declaredFeatures`. */
  readonly declaredFeatures: readonly string[];
  readonly createdMs: number;
  /** Annotation `cluster-autoscaler.kubernetes.io/scale-down-disabled`, as written, or null. */
  readonly scaleDownDisabled: string | null;
  /** Keys of annotations with the prefix `delay-deletion.cluster-autoscaler.kubernetes.io/`. */
  readonly delayDeletion: readonly string[];
  /** Volumes that may be attached, by driver; absent: no limit. Comes from the CSINode, not from the Node. */
  readonly volumeLimits?: VolumeLimits;
  /** For optimistic writes; empty on nodes that were made up. */
  readonly resourceVersion: string;
}

export const NO_CONDITIONS: NodeConditions = {
  ready: null,
  diskPressure: null,
  networkUnavailable: null,
  suspended: null,
};
