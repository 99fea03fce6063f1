import { flag, noEffect, notYet } from '../flag-definition.js';
import { boolean, duration, float, integer, string, stringArray, stringSlice } from '../flag-types.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './units.js';

const NONE: readonly string[] = [];

/** `utho` 1.1: pools and their bounds come from the API alone. */
const POOLS_FROM_API = { utho: 'every pool whose auto_scale is on is scaled, within its own bounds' };

/** `interface` 1.4, without what works for whole requests and buffers. */
export const SCALE_UP_FLAGS = {
  nodes: {
    ...flag(stringArray, NONE, 'One node group. Hetzner: min:max:serverType:location:name. Repeatable.'),
    ignoredBy: POOLS_FROM_API,
  },
  'node-group-auto-discovery': {
    ...flag(
      stringArray,
      NONE,
      'Discovery rules.',
      noEffect('hetzner takes --nodes, utho reads its pools from the API'),
    ),
    ignoredBy: POOLS_FROM_API,
  },
  'max-nodes-total': flag(integer, 0, 'Most nodes in all groups together; 0 means no limit.'),
  'cores-total': flag(string, '0:320000', 'min:max cores of the cluster.'),
  'memory-total': flag(string, '0:6400000', 'min:max GiB of memory of the cluster.'),
  'gpu-total': flag(stringArray, NONE, 'type:min:max of one GPU type. Repeatable.'),
  'enforce-node-group-min-size': flag(boolean, false, 'Bring groups below their minimum up to it.'),
  'scale-up-from-zero': flag(boolean, true, 'Work although no node is ready.'),
  'parallel-scale-up': flag(boolean, false, 'Resize several groups concurrently.'),
  'scaleup-simulation-for-skipped-node-groups-enabled': flag(
    boolean,
    false,
    'Also simulate groups that were skipped.',
  ),
  'salvo-scale-up': flag(boolean, false, 'Make several scale-ups in one loop.'),
  'salvo-scale-up-budget': flag(duration, MINUTE_MS, 'Time for --salvo-scale-up.'),
  'new-pod-scale-up-delay': flag(duration, 0, 'Ignore pods younger than this.'),
  'scale-from-unschedulable': flag(boolean, false, 'Ignore spec.unschedulable of sample nodes.'),
  'max-node-provision-time': flag(duration, 15 * MINUTE_MS, 'Wait for a requested node to register.'),
  'max-node-startup-time': flag(duration, 15 * MINUTE_MS, 'Wait from registered to ready.'),
  'max-nodes-per-scaleup': flag(integer, 1000, 'Most nodes that one estimation may add.'),
  'max-nodegroup-binpacking-duration': flag(
    duration,
    10 * SECOND_MS,
    'Time for one group in the estimation.',
  ),
  'max-binpacking-time': flag(duration, 5 * MINUTE_MS, 'Time for all estimations of one scale-up.'),
  'fastpath-binpacking-enabled': flag(
    boolean,
    false,
    'Use the cheaper packing algorithm.',
    noEffect('equal pods are always packed together, and exactly'),
  ),
  estimator: flag(string, 'binpacking', 'Estimator; binpacking is the only one.'),
  expander: flag(
    string,
    'least-waste',
    'Comma chain of random, most-pods, least-waste, price, priority, grpc.',
  ),
  'balance-similar-node-groups': flag(boolean, false, 'Spread a scale-up over similar groups.'),
  'balancing-ignore-label': flag(stringArray, NONE, 'Labels left out of the similarity test. Repeatable.'),
  'balancing-label': flag(stringArray, NONE, 'Compare groups by these labels only. Repeatable.'),
  'memory-difference-ratio': flag(float, 0.015, 'Similarity tolerance for memory capacity.'),
  'max-free-difference-ratio': flag(float, 0.05, 'Similarity tolerance for free resources.'),
  'max-allocatable-difference-ratio': flag(float, 0.05, 'Similarity tolerance for allocatable.'),
  'initial-node-group-backoff-duration': flag(duration, 5 * MINUTE_MS, 'First back-off of a failed group.'),
  'max-node-group-backoff-duration': flag(duration, 30 * MINUTE_MS, 'Longest back-off of a failed group.'),
  'node-group-backoff-reset-timeout': flag(
    duration,
    3 * HOUR_MS,
    'Quiet time after which back-off starts over.',
  ),
  'expendable-pods-priority-cutoff': flag(
    integer,
    -10,
    'Pods below this priority neither trigger scale-up nor block scale-down.',
  ),
  'force-ds': flag(boolean, false, 'Refuse groups too small for their DaemonSet pods.'),
  'node-info-cache-expire-time': flag(duration, 87_600 * HOUR_MS, 'Life of cached templates.'),
  'startup-taint': flag(stringArray, NONE, 'Taint key of nodes that still start. Repeatable.'),
  'startup-taint-prefix': flag(stringArray, NONE, 'The same by prefix. Repeatable.'),
  'status-taint': flag(stringArray, NONE, 'Taint key that templates leave out. Repeatable.'),
  'ignore-taint': flag(stringArray, NONE, 'Deprecated spelling of --startup-taint. Repeatable.'),
  'bypassed-scheduler-names': flag(
    stringSlice,
    NONE,
    'Schedulers whose unprocessed pods count as unschedulable at once.',
  ),
  'allowed-scheduler-names': flag(stringSlice, NONE, 'Consider pods of these schedulers only.'),
  'scheduler-config-file': flag(
    string,
    '',
    'KubeSchedulerConfiguration for the simulation.',
    notYet('the simulation uses the default profile'),
  ),
  'scheduler-verbosity': flag(
    integer,
    0,
    'Verbosity of scheduler code.',
    noEffect('there is no embedded scheduler'),
  ),
  'predicate-parallelism': flag(
    integer,
    4,
    'Checks run in parallel; at least 1.',
    noEffect('checks are made once per kind of node, on one thread'),
  ),
  'cluster-snapshot-parallelism': flag(
    integer,
    16,
    'Deprecated.',
    noEffect('deprecated and unread upstream, too'),
  ),
  'enable-csi-node-aware-scheduling': flag(
    boolean,
    false,
    'Use the limits of CSINode objects.',
    noEffect('volume limits are always simulated'),
  ),
  'enable-dynamic-resource-allocation': flag(
    boolean,
    true,
    'Dynamic resource allocation; locked to true.',
    notYet('pods with resource claims find no place in the simulation, so nothing is bought for them'),
  ),
  'enable-inter-pod-affinity-hostname-fast-path': flag(
    boolean,
    false,
    'Faster check of affinity by hostname.',
    noEffect('the check is always fast'),
  ),
  'enable-graceful-degradation': flag(boolean, false, 'Bound the time spent on filtering pending pods.'),
  'pending-pods-batching-timeout': flag(
    duration,
    4 * MINUTE_MS,
    'The bound of --enable-graceful-degradation.',
  ),
  'async-node-groups': flag(
    boolean,
    false,
    'Create node groups asynchronously.',
    noEffect('neither provider creates node groups'),
  ),
};
