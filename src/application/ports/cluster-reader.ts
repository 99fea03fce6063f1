import type { GroupPriorities } from '../../domain/expansion/group-priorities.js';
import type { DaemonSet, DisruptionBudget, Workload } from '../../domain/kubernetes/workload.js';
import type { Node } from '../../domain/kubernetes/node.js';
import type { Namespace } from '../../domain/kubernetes/namespace.js';
import type { Pod } from '../../domain/kubernetes/pod.js';
import type { ClusterStorage } from '../../domain/kubernetes/storage.js';

/** What the caches hold at one moment. Arrays are copies of the moment; records are shared and immutable. */
export interface ClusterState {
  readonly nodes: readonly Node[];
  /** Without those in phase Succeeded or Failed. */
  readonly pods: readonly Pod[];
  readonly daemonSets: readonly DaemonSet[];
  readonly disruptionBudgets: readonly DisruptionBudget[];
  readonly workloads: readonly Workload[];
  /** Absent: none is known, so that none has labels. */
  readonly namespaces?: readonly Namespace[];
  /** Absent: none. */
  readonly storage?: ClusterStorage;
  /** From the ConfigMap of the priority expander; absent or null: it is not watched, or not there. */
  readonly groupPriorities?: GroupPriorities | null;
}

/**
 * The cluster, read from watches. Rules, each a test of `test/contract/cluster-reader`:
 *
 * - R1 After `start` settles, `state` holds every object that existed when it began.
 * - R2 A change shows up without being asked for, also after cut, silent, expired (410) and duplicated watches.
 * - R3 A broken object is skipped and reported once; the others are kept.
 * - R4 `state` costs no I/O. It throws {@link ClusterReadError} while the caches are too old to act upon (`maxStalenessMs`).
 * - R5 `onUnschedulablePod` fires when a pod becomes unschedulable (`scale-up` 2.2), at once.
 * - R6 While the API server is away the caches stay, and reconnects back off with jitter.
 */
export interface ClusterReader {
  start(signal: AbortSignal): Promise<void>;
  state(): ClusterState;
  /** Registers a listener; the returned function removes it. */
  onUnschedulablePod(listener: () => void): () => void;
  stop(): Promise<void>;
}

/** Code is stable: `stale-cache`, `unreachable`, `forbidden`. */
export class ClusterReadError extends Error {
  constructor(
    readonly code: 'stale-cache' | 'unreachable' | 'forbidden',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ClusterReadError';
  }
}

export const ClusterReader = Symbol('ClusterReader');
