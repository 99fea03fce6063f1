import type { Taint } from '../../domain/kubernetes/taint.js';
import type { Node } from '../../domain/kubernetes/node.js';
import type { Pod } from '../../domain/kubernetes/pod.js';

export type EventKind = 'Normal' | 'Warning';

/** The object an event is about. */
export interface EventSubject {
  readonly kind: 'Pod' | 'Node' | 'ConfigMap' | 'Lease';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface ClusterEvent {
  readonly subject: EventSubject;
  readonly type: EventKind;
  /** `TriggeredScaleUp`, … (`interface` 5). */
  readonly reason: string;
  readonly message: string;
}

/** What one eviction request came to. */
export type EvictionOutcome =
  | { readonly kind: 'accepted' }
  /** The pod is gone, or another pod of that name took its place: as good as accepted. */
  | { readonly kind: 'gone' }
  /** 429: a disruption budget forbids it now. */
  | { readonly kind: 'blocked-by-budget'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Changes to one node; absent parts stay as they are. */
export interface NodePatch {
  readonly addTaints?: readonly Taint[];
  /** Keys. */
  readonly removeTaints?: readonly string[];
  readonly unschedulable?: boolean;
}

/** Code is stable; `conflict` after the retries of W2, `not-found`, `forbidden`, `unreachable`, `invalid`. */
export class ClusterWriteError extends Error {
  constructor(
    readonly code: 'conflict' | 'not-found' | 'forbidden' | 'unreachable' | 'invalid',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ClusterWriteError';
  }
}

/**
 * Writes to the cluster, and the looks that must be fresh before a write. Rules, each a test of `test/contract/cluster-writer`:
 *
 * - W1 `patchNode` reads the node afresh, changes only what is asked, and sends the resource version: a concurrent
 *   writer is never overwritten. Adding a taint key that exists with the same effect leaves it (and its value) alone.
 *   Nothing to change: nothing is sent.
 * - W2 Conflicts are retried within the deadline of `scale-down` 8.3 (5 s), then `ClusterWriteError('conflict')`.
 * - W3 `evict` names the pod's UID as precondition, and `gone` is an outcome, not an error.
 * - W4 `recordEvent` never throws and never blocks; repeats are counted, not doubled (`interface` 5.4).
 * - W5 `writeStatus` creates or updates the status ConfigMap; `deleteStatus` of a missing one succeeds.
 * - W6 `podsOn` asks the API server, not a cache. A pod that can't be read makes the whole look fail (`invalid`): the
 *   node must not look emptier than it is.
 */
export interface ClusterWriter {
  /** Returns true if something was written. */
  patchNode(nodeName: string, patch: NodePatch, signal?: AbortSignal): Promise<boolean>;
  /** `gracePeriodSeconds` null: the pod's own. */
  evict(pod: Pod, gracePeriodSeconds: number | null, signal?: AbortSignal): Promise<EvictionOutcome>;
  /** True once the pod with this UID is off the node or gone. Reads the API server, not a cache. */
  isPodGone(pod: Pod, signal?: AbortSignal): Promise<boolean>;
  readNode(nodeName: string, signal?: AbortSignal): Promise<Node | null>;
  /** Pods bound to the node, without those in phase Succeeded or Failed. To be looked at, not to be simulated with. */
  podsOn(nodeName: string, signal?: AbortSignal): Promise<readonly Pod[]>;
  recordEvent(event: ClusterEvent): void;
  writeStatus(
    status: { readonly yaml: string; readonly lastUpdated: string },
    signal?: AbortSignal,
  ): Promise<void>;
  deleteStatus(): Promise<void>;
  /** Settles when events under way are sent, or after a short while. */
  flush(): Promise<void>;
}

export const ClusterWriter = Symbol('ClusterWriter');
