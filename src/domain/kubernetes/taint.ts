export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: TaintEffect;
  /** `timeAdded`, or null when the API does not say. */
  readonly timeAddedMs?: number | null;
}

export interface Toleration {
  /** Empty with operator Exists: tolerates every key. */
  readonly key: string;
  readonly operator: string;
  readonly value: string;
  /** Empty: every effect. */
  readonly effect: string;
}

/** Hard mark of a node that is being deleted; value: Unix seconds. */
export const TO_BE_DELETED_TAINT = 'ToBeDeletedByClusterAutoscaler';
/** Soft mark (PreferNoSchedule) of a node that is unneeded; value: Unix seconds. */
export const DELETION_CANDIDATE_TAINT = 'DeletionCandidateOfClusterAutoscaler';

export function hasTaint(taints: readonly Taint[], key: string): boolean {
  return taints.some((taint) => taint.key === key);
}
