/** What the loop itself needs of the flags. */
export interface LoopOptions {
  /** `--scan-interval` (10s). */
  readonly scanIntervalMs: number;
  /** `--frequent-loops-enabled` (true). */
  readonly frequentLoops: boolean;
  /** `--scale-up-from-zero` (true): run also without a single ready node. */
  readonly scaleUpFromZero: boolean;
  /** `--scale-down-enabled` (true). */
  readonly scaleDown: boolean;
  /** `--enforce-node-group-min-size` (false). */
  readonly enforceMinSize: boolean;
  /** `--write-status-configmap` (true). */
  readonly writeStatus: boolean;
  /** `--node-removal-latency-tracking-enabled` (false). */
  readonly trackRemovalLatency: boolean;
  /** `--max-node-skip-eval-time-tracker-enabled` (false). */
  readonly trackEvaluationGaps: boolean;
}

export const LoopOptions = Symbol('LoopOptions');
