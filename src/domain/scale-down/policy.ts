import type { DrainPriorityGroup } from './drain-priority.js';

/**
 * What the operator decided about scale-down. Times in milliseconds, thresholds 0 to 1. Each field names its flag
 * and the flag's default.
 */
export interface ScaleDownPolicy {
  /** `--scale-down-unready-enabled` (true): unready nodes may be removed. */
  readonly unreadyEnabled: boolean;
  /** `--scale-down-utilization-threshold` (0.5): a node above it is needed. Groups may override. */
  readonly utilizationThreshold: number;
  /** `--scale-down-gpu-utilization-threshold` (0.5): the same for nodes with the cloud's GPU label. Groups may override. */
  readonly gpuUtilizationThreshold: number;
  /** `--scale-down-unneeded-time` (10m): a ready node must stay unneeded longer. Groups may override. */
  readonly unneededTimeMs: number;
  /** `--scale-down-unready-time` (20m): the same for unready nodes. Groups may override. */
  readonly unreadyTimeMs: number;
  /** `--ignore-daemonsets-utilization` (false). Groups may override. */
  readonly ignoreDaemonSetsUtilization: boolean;
  /** `--ignore-mirror-pods-utilization` (false). */
  readonly ignoreMirrorPodsUtilization: boolean;
  /** `--unremovable-node-recheck-timeout` (5m): a failed simulation is not repeated earlier. */
  readonly recheckTimeoutMs: number;
  /** `--scale-down-simulation-timeout` (30s): bound of the simulation of one iteration, on the wall clock. */
  readonly simulationTimeoutMs: number;
  /** `--expendable-pods-priority-cutoff` (-10): pods below it are not looked at. */
  readonly expendablePriorityCutoff: number;

  /** `--scale-down-delay-after-add` (10m). */
  readonly delayAfterAddMs: number;
  /** `--scale-down-delay-after-delete` (0s). */
  readonly delayAfterDeleteMs: number;
  /** `--scale-down-delay-after-failure` (3m). */
  readonly delayAfterFailureMs: number;
  /** `--scale-down-delay-type-local` (false): the three delays count per node group instead of for all. */
  readonly delayPerGroup: boolean;

  /** `--skip-nodes-with-system-pods` (true). */
  readonly skipNodesWithSystemPods: boolean;
  /** `--blocking-system-pod-distruption-timeout` (1h): older kube-system pods without budget stop blocking. */
  readonly systemPodBlocksForMs: number;
  /** `--skip-nodes-with-local-storage` (true). */
  readonly skipNodesWithLocalStorage: boolean;
  /** `--skip-nodes-with-custom-controller-pods` (true). */
  readonly skipNodesWithCustomControllerPods: boolean;
  /** `--min-replica-count` (0); read only while custom controllers are skipped, as upstream does. */
  readonly minReplicaCount: number;

  /** `--max-scale-down-parallelism` (10): deletions at once, empty and drained. */
  readonly maxParallelism: number;
  /** `--max-drain-parallelism` (1): drains at once. */
  readonly maxDrainParallelism: number;
  /** Minimums of `--cores-total` (cores, 0) and `--memory-total` (bytes, 0), and of `--gpu-total` by GPU type. */
  readonly resourceMinimums: ResourceMinimums;

  /** `--daemonset-eviction-for-empty-nodes` (false). */
  readonly evictDaemonSetsFromEmptyNodes: boolean;
  /** `--daemonset-eviction-for-occupied-nodes` (true). */
  readonly evictDaemonSetsFromOccupiedNodes: boolean;
  /** `--max-graceful-termination-sec` (600): cap of a pod's grace period; 0: no cap. Seconds. */
  readonly maxGracefulTerminationSeconds: number;
  /** `--max-pod-eviction-time` (2m): retry window of one eviction. */
  readonly maxPodEvictionTimeMs: number;
  /** `--drain-priority-config` (empty): drain in groups of priority. */
  readonly drainPriorities: readonly DrainPriorityGroup[];
  /** `--node-deletion-delay-timeout` (2m): longest wait for delay-deletion annotations; 0: no wait. */
  readonly nodeDeletionDelayTimeoutMs: number;
  /** `--node-deletion-batcher-interval` (0s): machines of one group are collected for so long before the cloud is called. */
  readonly nodeDeletionBatcherIntervalMs: number;
  /** `--node-delete-delay-after-taint` (5s). */
  readonly nodeDeleteDelayAfterTaintMs: number;
  /** `--dynamic-node-delete-delay-after-taint-enabled` (false): twice the observed time until a taint shows instead. */
  readonly dynamicDeleteDelayAfterTaint: boolean;
  /** `--cordon-node-before-terminating` (true). */
  readonly cordonNodeBeforeTerminating: boolean;

  /** `--max-bulk-soft-taint-count` (10): soft-taint changes per iteration; 0: none, and clean at start. */
  readonly maxBulkSoftTaintCount: number;
  /** `--max-bulk-soft-taint-time` (3s). */
  readonly maxBulkSoftTaintTimeMs: number;
  /** `--node-deletion-candidate-ttl` (0s): younger soft taints restore unneeded timers after a restart; 0: off. */
  readonly deletionCandidateTtlMs: number;
  /**
   * How long an evicted pod keeps room reserved until its controller has recreated it (0: not at all). No upstream
   * flag: there the retention is wired to zero (`scale-down` W1).
   */
  readonly evictedPodRetentionMs: number;
}

/** Amounts the cluster must not fall below; `cpu` in whole cores, `memory` in bytes, others by resource or GPU type. */
export type ResourceMinimums = Readonly<Record<string, number>>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The defaults of upstream's flags (`scale-down` appendix A). */
export const DEFAULT_SCALE_DOWN_POLICY: ScaleDownPolicy = {
  unreadyEnabled: true,
  utilizationThreshold: 0.5,
  gpuUtilizationThreshold: 0.5,
  unneededTimeMs: 10 * MINUTE,
  unreadyTimeMs: 20 * MINUTE,
  ignoreDaemonSetsUtilization: false,
  ignoreMirrorPodsUtilization: false,
  recheckTimeoutMs: 5 * MINUTE,
  simulationTimeoutMs: 30 * SECOND,
  expendablePriorityCutoff: -10,
  delayAfterAddMs: 10 * MINUTE,
  delayAfterDeleteMs: 0,
  delayAfterFailureMs: 3 * MINUTE,
  delayPerGroup: false,
  skipNodesWithSystemPods: true,
  systemPodBlocksForMs: 60 * MINUTE,
  skipNodesWithLocalStorage: true,
  skipNodesWithCustomControllerPods: true,
  minReplicaCount: 0,
  maxParallelism: 10,
  maxDrainParallelism: 1,
  resourceMinimums: {},
  evictDaemonSetsFromEmptyNodes: false,
  evictDaemonSetsFromOccupiedNodes: true,
  maxGracefulTerminationSeconds: 600,
  maxPodEvictionTimeMs: 2 * MINUTE,
  drainPriorities: [],
  nodeDeletionDelayTimeoutMs: 2 * MINUTE,
  nodeDeletionBatcherIntervalMs: 0,
  nodeDeleteDelayAfterTaintMs: 5 * SECOND,
  dynamicDeleteDelayAfterTaint: false,
  cordonNodeBeforeTerminating: true,
  maxBulkSoftTaintCount: 10,
  maxBulkSoftTaintTimeMs: 3 * SECOND,
  deletionCandidateTtlMs: 0,
  evictedPodRetentionMs: 0,
};
