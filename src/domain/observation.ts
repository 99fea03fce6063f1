import type { GroupPriorities } from './expansion/group-priorities.js';
import type { DaemonSet, DisruptionBudget, Workload } from './kubernetes/workload.js';
import type { Node } from './kubernetes/node.js';
import type { Namespace } from './kubernetes/namespace.js';
import type { Pod } from './kubernetes/pod.js';
import type { ClusterStorage } from './kubernetes/storage.js';
import type { NodeGroup } from './node-group/node-group.js';

/** What the provider knows of a registered node's machine. */
export type MachineExistence = 'exists' | 'gone' | 'unknown' | 'foreign';

/** The cluster and the cloud at one moment. Every decision of an iteration uses this one time and nothing newer. */
export interface Observation {
  readonly nowMs: number;
  readonly nodes: readonly Node[];
  /** All pods that are neither Succeeded nor Failed. */
  readonly pods: readonly Pod[];
  readonly daemonSets: readonly DaemonSet[];
  readonly disruptionBudgets: readonly DisruptionBudget[];
  readonly workloads: readonly Workload[];
  /** Absent: none is known, so that none has labels. */
  readonly namespaces?: readonly Namespace[];
  /** Absent: none. */
  readonly storage?: ClusterStorage;
  /** Absent or null: the priority expander is not used, or nothing is configured for it. */
  readonly groupPriorities?: GroupPriorities | null;
  /** In the provider's order. */
  readonly groups: readonly NodeGroup[];
  /** Group of each node that has one; nodes that are absent are not ours and are never touched. */
  readonly groupIdByNode: ReadonlyMap<string, string>;
  readonly existenceByNode: ReadonlyMap<string, MachineExistence>;
  /** Deletions under way when the observation was made, before the provider was refreshed. */
  readonly deletions: DeletionsInProgress;
}

/** Copy of the deletion tracker (`scale-down` 8.14). */
export interface DeletionsInProgress {
  /** Node names being deleted that needed no drain. */
  readonly empty: readonly string[];
  /** Node names being drained or deleted after a drain. */
  readonly drained: readonly string[];
  /** Pods evicted recently, with the time of their eviction. */
  readonly recentEvictions: readonly { readonly pod: Pod; readonly evictedMs: number }[];
}

export const NO_DELETIONS: DeletionsInProgress = { empty: [], drained: [], recentEvictions: [] };
