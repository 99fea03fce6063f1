import type { Pod } from '../kubernetes/pod.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { Rejection } from '../simulation/verdict.js';
import type { VolumeNeed } from '../simulation/volumes/volume-classes.js';

/** Pods of one class that wait, in order. */
export interface PendingClass {
  readonly classId: number;
  /** At least one; the first is the exemplar. */
  readonly pods: readonly Pod[];
  /** Absent: their volumes matter to nothing. */
  readonly volumes?: VolumeNeed;
}

export interface EstimationLimits {
  /** Upper bound of new nodes; null: none. Negative: no node allowed. */
  readonly maxNodes: number | null;
  /** Asked between classes; true ends the estimation with what was placed so far. */
  readonly isOutOfTime?: () => boolean;
}

export interface Estimate {
  /** New nodes that received at least one pod. */
  readonly nodeCount: number;
  /** How many of each class were placed, by index into the input; pods are placed in order, so it is a prefix. */
  readonly placed: readonly number[];
  /** Rejection of the first pod that fitted on no new node, by index into the input; undefined where all were placed. */
  readonly rejections: readonly (Rejection | undefined)[];
  /** What stopped the estimation early. */
  readonly stoppedBy: 'node-limit' | 'time' | null;
}

/** Packs classes into copies of one template (`scheduling` 5.7, `scale-up` 6). Leaves the snapshot as it was. */
export type Estimator = (
  snapshot: ClusterSnapshot,
  template: NodeTemplate,
  classes: readonly PendingClass[],
  limits: EstimationLimits,
) => Estimate;
