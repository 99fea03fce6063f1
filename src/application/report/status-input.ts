/** Nodes of the cluster or of one group by readiness (`interface` 4.3). */
export interface StatusNodeCounts {
  readonly total: number;
  readonly ready: number;
  readonly notStarted: number;
  readonly suspended: number;
  readonly beingDeleted: number;
  /** All that are unready, with those that wait for a device. */
  readonly unready: number;
  readonly resourceUnready: number;
  readonly longUnregistered: number;
  /** Without the long ones. */
  readonly unregistered: number;
}

export interface StatusGroup {
  readonly id: string;
  readonly isHealthy: boolean;
  readonly counts: StatusNodeCounts;
  readonly targetSize: number;
  readonly minSize: number;
  readonly maxSize: number;
  /** Requested nodes are pending and the group is usable. */
  readonly isScalingUp: boolean;
  /** Null: not backed off. */
  readonly backoff: { readonly code: string; readonly message: string } | null;
  readonly scaleDownCandidates: number;
}

/** What one loop has to tell. */
export interface StatusInput {
  /** Start of the loop. */
  readonly nowMs: number;
  /** Last time at which scale-down was evaluated; null: never. */
  readonly scaleDownEvaluatedMs: number | null;
  readonly isHealthy: boolean;
  readonly counts: StatusNodeCounts;
  readonly scaleDownCandidates: number;
  /** In the provider's order. */
  readonly groups: readonly StatusGroup[];
}
