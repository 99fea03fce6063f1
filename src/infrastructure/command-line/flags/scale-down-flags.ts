import { flag, noEffect } from '../flag-definition.js';
import { boolean, duration, float, integer, string } from '../flag-types.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './units.js';

const UNREAD_LIMITER = noEffect('the old candidate limiter is gone upstream, too');

/** `interface` 1.5. */
export const SCALE_DOWN_FLAGS = {
  'scale-down-enabled': flag(boolean, true, 'Deprecated: false turns scale-down off.'),
  'scale-down-unready-enabled': flag(boolean, true, 'Also remove unready nodes.'),
  'scale-down-delay-after-add': flag(duration, 10 * MINUTE_MS, 'Pause after a scale-up.'),
  'scale-down-delay-after-delete': flag(duration, 0, 'Pause after a deletion.'),
  'scale-down-delay-after-failure': flag(duration, 3 * MINUTE_MS, 'Pause after a failed scale-down.'),
  'scale-down-delay-type-local': flag(boolean, false, 'Apply the pauses per node group.'),
  'scale-down-unneeded-time': flag(duration, 10 * MINUTE_MS, 'Unneeded this long before removal.'),
  'scale-down-unready-time': flag(duration, 20 * MINUTE_MS, 'The same for unready nodes.'),
  'scale-down-utilization-threshold': flag(float, 0.5, 'Utilisation below which a node is a candidate.'),
  'scale-down-gpu-utilization-threshold': flag(float, 0.5, 'The same for GPU nodes.'),
  'scale-down-non-empty-candidates-count': flag(integer, 30, 'Most candidates.', UNREAD_LIMITER),
  'scale-down-candidates-pool-ratio': flag(float, 0.1, 'Share of nodes that are candidates.', UNREAD_LIMITER),
  'scale-down-candidates-pool-min-count': flag(integer, 50, 'Least size of that share.', UNREAD_LIMITER),
  'scale-down-simulation-timeout': flag(duration, 30 * SECOND_MS, 'Time for the removal simulation.'),
  'unremovable-node-recheck-timeout': flag(duration, 5 * MINUTE_MS, 'Skip an unremovable node this long.'),
  'max-scale-down-parallelism': flag(integer, 10, 'Deletions at once.'),
  'max-drain-parallelism': flag(integer, 1, 'Drains at once.'),
  'max-graceful-termination-sec': flag(integer, 600, 'Longest grace period granted to a pod, in seconds.'),
  'drain-priority-config': flag(string, '', 'priority:seconds,...: grace periods by pod priority.'),
  'max-pod-eviction-time': flag(duration, 2 * MINUTE_MS, 'Retry one eviction this long.'),
  'node-deletion-delay-timeout': flag(duration, 2 * MINUTE_MS, 'Wait for delay-deletion annotations to go.'),
  'node-deletion-batcher-interval': flag(duration, 0, 'Collect deletions of a group this long.'),
  'node-delete-delay-after-taint': flag(duration, 5 * SECOND_MS, 'Wait between taint and deletion.'),
  'dynamic-node-delete-delay-after-taint-enabled': flag(
    boolean,
    false,
    'Derive that wait from the latency of the API server.',
  ),
  'cordon-node-before-terminating': flag(boolean, true, 'Also set spec.unschedulable.'),
  'daemonset-eviction-for-empty-nodes': flag(boolean, false, 'Evict DaemonSet pods from empty nodes.'),
  'daemonset-eviction-for-occupied-nodes': flag(boolean, true, 'Evict DaemonSet pods from drained nodes.'),
  'ignore-daemonsets-utilization': flag(boolean, false, 'Leave DaemonSet pods out of utilisation.'),
  'ignore-mirror-pods-utilization': flag(boolean, false, 'Leave mirror pods out of utilisation.'),
  'max-bulk-soft-taint-count': flag(integer, 10, 'Soft-taint changes per loop; 0 turns them off.'),
  'max-bulk-soft-taint-time': flag(duration, 3 * SECOND_MS, 'Time for soft-taint changes.'),
  'node-deletion-candidate-ttl': flag(duration, 0, 'Age at which a soft taint found at start is stale.'),
  'skip-nodes-with-system-pods': flag(boolean, true, 'kube-system pods without budget block removal.'),
  'blocking-system-pod-distruption-timeout': flag(duration, HOUR_MS, 'Until this age of the block.'),
  'skip-nodes-with-local-storage': flag(boolean, true, 'Pods with local storage block removal.'),
  'skip-nodes-with-custom-controller-pods': flag(boolean, true, 'Pods of unknown controllers block removal.'),
  'min-replica-count': flag(integer, 0, 'Controllers with fewer replicas block removal.'),
  'force-delete-unregistered-nodes': flag(boolean, false, 'Remove unregistered instances below the minimum.'),
  'force-delete-failed-nodes': flag(boolean, false, 'Remove failed instances below the minimum.'),
};
