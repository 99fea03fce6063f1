import type { Pod } from '../../domain/kubernetes/pod.js';

/** How a deletion ended (`scale-down` 1.6), as upstream spells it. */
export type NodeDeleteCode =
  | 'NodeDeleteOk'
  | 'NodeDeleteErrorFailedToEvictPods'
  | 'NodeDeleteErrorFailedToDelete'
  | 'NodeDeleteErrorInternal';

/** How the eviction of one pod ended. */
export interface PodEvictionResult {
  readonly pod: Pod;
  /** It was tried until its time was over. */
  readonly timedOut: boolean;
  /** Null: evicted and gone. */
  readonly error: string | null;
}

/** Why a node stays after all. */
export interface DeletionFailure {
  readonly code: Exclude<NodeDeleteCode, 'NodeDeleteOk'>;
  readonly message: string;
  /** By pod UID; empty where it did not come to evictions. */
  readonly evictions: ReadonlyMap<string, PodEvictionResult>;
}

export function deletionFailure(
  code: DeletionFailure['code'],
  message: string,
  evictions: DeletionFailure['evictions'] = new Map(),
): DeletionFailure {
  return { code, message, evictions };
}
