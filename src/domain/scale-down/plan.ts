import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import type { Reason } from '../reason.js';
import type { UnremovableNode } from './unremovable.js';
import type { Utilization } from './utilization.js';

/** What an iteration came to (`scale-down` 1.6), as upstream spells it. */
export type ScaleDownResult =
  | 'ScaleDownError'
  | 'ScaleDownNoNodeDeleted'
  | 'ScaleDownNodeDeleteStarted'
  | 'ScaleDownNotTried'
  | 'ScaleDownInCooldown'
  | 'ScaleDownNoCandidates';

/** Why a node goes: the label values of `scaled_down_nodes_total`. */
export type RemovalCause = 'empty' | 'underutilized' | 'unready';

/** A node that nobody needs: its pods fit elsewhere, together with those of all other unneeded nodes. */
export interface UnneededNode {
  readonly node: Node;
  readonly groupId: string;
  readonly sinceMs: number;
  readonly utilization: Utilization;
  readonly ready: boolean;
  /** Nothing would have to be moved. */
  readonly isEmpty: boolean;
  /** Its pods can't all be evicted at once within the disruption budgets. */
  readonly isRisky: boolean;
  /** Pods that run on it and would have to move. Pods that only the simulation put there are left out. */
  readonly podsToMove: readonly Pod[];
  readonly daemonSetPods: readonly Pod[];
  /** Pods that the node waits for. */
  readonly onCompletionPods: readonly Pod[];
}

/** A node that goes now. */
export interface NodeRemoval extends UnneededNode {
  readonly cause: RemovalCause;
  /** With utilization, threshold and time. `rule` is the cause. */
  readonly reason: Reason;
  /** Those of its DaemonSet pods that are evicted, as far as the API server allows. */
  readonly daemonSetPodsToEvict: readonly Pod[];
}

/** Removals of one group. An atomic group goes as a whole: if one of its nodes can't, none does. */
export interface RemovalBucket {
  readonly groupId: string;
  readonly isAtomic: boolean;
  readonly empty: readonly NodeRemoval[];
  readonly drain: readonly NodeRemoval[];
}

/** Soft marks to change, in this order, as many as the budget of one iteration allows. */
export interface SoftTaintChanges {
  readonly remove: readonly string[];
  readonly add: readonly string[];
}

/** Everything that one look at the cluster says about scale-down. */
export interface ScaleDownPlan {
  readonly nowMs: number;
  /** What the iteration comes to if all removals can be started. */
  readonly result: ScaleDownResult;
  /** Why nothing is deleted now, or null. */
  readonly cooldown: Reason | null;
  /** Nodes that were considered. */
  readonly candidateCount: number;
  readonly buckets: readonly RemovalBucket[];
  readonly unneeded: readonly UnneededNode[];
  /** Candidates that stay, with upstream's reasons: what `unremovable_nodes_count` counts. */
  readonly unremovable: readonly UnremovableNode[];
  /** Nodes that were no candidates, and why. Upstream has no status for them, so they are not counted. */
  readonly notCandidates: readonly UnremovableNode[];
  /** Nodes that may go but wait for others to be deleted first. */
  readonly postponed: readonly UnremovableNode[];
  /** Candidates that were not simulated: time or the limit of unneeded nodes was over. */
  readonly notEvaluated: readonly string[];
  /** Of every candidate that it could be told for, by node name. */
  readonly utilization: ReadonlyMap<string, Utilization>;
  readonly softTaints: SoftTaintChanges;
}
