import type { NodeGroup } from '../node-group/node-group.js';

const MINUTE_MS = 60_000;

/** How patient the autoscaler is with machines, groups and the cluster. */
export interface ClusterStatePolicy {
  /** `--max-node-provision-time`, 15m: from the order of a machine until its node must have joined. */
  readonly maxNodeProvisionTimeMs: number;
  /** `--max-node-startup-time`, 15m: from a node's creation until it must be ready. */
  readonly maxNodeStartupTimeMs: number;
  /** `--ok-total-unready-count`, 3: unready nodes that are always tolerated. */
  readonly okTotalUnreadyCount: number;
  /** `--max-total-unready-percentage`, 45. */
  readonly maxTotalUnreadyPercentage: number;
  /** `--initial-node-group-backoff-duration`, 5m. */
  readonly initialBackOffMs: number;
  /** `--max-node-group-backoff-duration`, 30m. */
  readonly maxBackOffMs: number;
  /** `--node-group-backoff-reset-timeout`, 3h: quiet time after which back-off starts over. */
  readonly backOffResetMs: number;
  /** `--force-delete-unregistered-nodes`, false: remove machines that never joined even below the minimum. */
  readonly forceDeleteUnregisteredNodes: boolean;
  /** `--force-delete-failed-nodes`, false: remove failed machines through the forced call. */
  readonly forceDeleteFailedNodes: boolean;
}

export const DEFAULT_CLUSTER_STATE_POLICY: ClusterStatePolicy = {
  maxNodeProvisionTimeMs: 15 * MINUTE_MS,
  maxNodeStartupTimeMs: 15 * MINUTE_MS,
  okTotalUnreadyCount: 3,
  maxTotalUnreadyPercentage: 45,
  initialBackOffMs: 5 * MINUTE_MS,
  maxBackOffMs: 30 * MINUTE_MS,
  backOffResetMs: 180 * MINUTE_MS,
  forceDeleteUnregisteredNodes: false,
  forceDeleteFailedNodes: false,
};

export function provisionTimeMs(group: NodeGroup, policy: ClusterStatePolicy): number {
  return group.options.maxNodeProvisionTimeMs ?? policy.maxNodeProvisionTimeMs;
}

/** Startup time of a node's group; nodes of no group have the default. */
export function startupTimeMs(group: NodeGroup | undefined, policy: ClusterStatePolicy): number {
  return group?.options.maxNodeStartupTimeMs ?? policy.maxNodeStartupTimeMs;
}
