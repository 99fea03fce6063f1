import { flag } from '../flag-definition.js';
import { boolean, duration, float, integer, string } from '../flag-types.js';
import { MINUTE_MS, SECOND_MS } from './units.js';

/** `interface` 1.3. */
export const LOOP_FLAGS = {
  'scan-interval': flag(duration, 10 * SECOND_MS, 'Pause between loops.'),
  'frequent-loops-enabled': flag(
    boolean,
    true,
    'Loop again at once after productive work or when a pod becomes unschedulable.',
  ),
  'max-inactivity': flag(duration, 10 * MINUTE_MS, 'Liveness: allowed age of the last loop start.'),
  'max-failing-time': flag(duration, 15 * MINUTE_MS, 'Liveness: allowed age of the last good loop.'),
  'max-startup-time': flag(duration, 20 * MINUTE_MS, 'Liveness: both limits until the first good loop.'),
  'write-status-configmap': flag(boolean, true, 'Write the status map, and events on it.'),
  'status-config-map-name': flag(string, 'cluster-autoscaler-status', 'Name of the status map.'),
  'record-duplicated-events': flag(boolean, false, 'Send similar events more often.'),
  'emit-per-nodegroup-metrics': flag(boolean, false, 'Expose five gauges per node group.'),
  'node-removal-latency-tracking-enabled': flag(boolean, false, 'Fill node_removal_latency_seconds.'),
  'max-node-skip-eval-time-tracker-enabled': flag(
    boolean,
    false,
    'Fill max_node_skip_eval_duration_seconds.',
  ),
  'max-total-unready-percentage': flag(float, 45, 'Share of unready nodes at which the loop stops early.'),
  'ok-total-unready-count': flag(integer, 3, 'Unready nodes that are always tolerated.'),
};
