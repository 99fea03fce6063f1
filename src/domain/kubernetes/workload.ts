import type { LabelSelector } from './selectors.js';
import type { Pod } from './pod.js';

/** A controller that pods may belong to, as the drainability rules need it. */
export interface Workload {
  readonly kind: 'ReplicationController' | 'ReplicaSet' | 'StatefulSet' | 'Job' | 'DaemonSet';
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /**
   * Pods that it wants at a time: `spec.replicas` (default 1); for a Job its parallelism, but no more than are still to
   * succeed; 0 for a DaemonSet.
   */
  readonly replicas: number;
  /** `metadata.deletionTimestamp` is set. */
  readonly terminating: boolean;
}

/** A DaemonSet with the pod that its template would make, name and node empty. */
export interface DaemonSet {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly pod: Pod;
}

/** A disruption budget (`policy/v1`). */
export interface DisruptionBudget {
  readonly namespace: string;
  readonly name: string;
  /** Null matches no pod; empty matches all pods of the namespace. */
  readonly selector: LabelSelector | null;
  /** `status.disruptionsAllowed`. */
  readonly disruptionsAllowed: number;
  /** Names in `status.disruptedPods`: evictions that the budget has counted already. */
  readonly disruptedPods: readonly string[];
  readonly unhealthyPodEvictionPolicy: string | null;
}
