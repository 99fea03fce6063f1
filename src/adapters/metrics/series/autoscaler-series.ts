import { AUTOSCALER_PREFIX } from './series-definition.js';
import type { SeriesDefinition } from './series-definition.js';

type Details = Partial<
  Pick<SeriesDefinition, 'labels' | 'buckets' | 'initial' | 'deprecatedSince' | 'scope'>
>;

function series(
  kind: SeriesDefinition['kind'],
  name: string,
  help: string,
  details: Details = {},
): SeriesDefinition {
  return { kind, name: `${AUTOSCALER_PREFIX}${name}`, help, scope: 'autoscaler', labels: [], ...details };
}

const gauge = series.bind(null, 'gauge');
const counter = series.bind(null, 'counter');

function values(label: string, names: readonly string[]): readonly Readonly<Record<string, string>>[] {
  return names.map((name) => ({ [label]: name }));
}

const FACTOR = Math.pow(18_000, 1 / 149);

/** 150 bounds from 0.1 s to 1800 s in geometric progression; recording rules select them by `le`. */
export const FUNCTION_DURATION_BUCKETS = Array.from({ length: 150 }, (_, i) => 0.1 * Math.pow(FACTOR, i));

/** 1.5^0 … 1.5^18 s. */
const REMOVAL_LATENCY_BUCKETS = Array.from({ length: 19 }, (_, i) => Math.pow(1.5, i));

const PER_GROUP = { scope: 'node-group', labels: ['node_group'] } as const;
const GPU = ['gpu_resource_name', 'gpu_name'];
const GPU_AND_DRA = [...GPU, 'dra_drivers'];
const NO_GPU_OR_DRA = { gpu_resource_name: '', gpu_name: '', dra_drivers: '' };
const FAILURE_REASONS = values('reason', ['cloudProviderError', 'apiCallError', 'timeout']);
const ERROR_TYPES = values('type', [
  'cloudProviderError',
  'apiCallError',
  'internalError',
  'transientError',
  'configurationError',
  'nodeGroupDoesNotExistError',
  'unexpectedScaleDownStateError',
]);
const SCALE_DOWN_REASONS = values('reason', ['underutilized', 'empty', 'unready']);
const SKIPPED_EVENTS = ['up', 'down'].flatMap((direction) =>
  ['CpuResourceLimit', 'MemoryResourceLimit'].map((reason) => ({ direction, reason })),
);

/** State of the cluster (`interface` 2.2). */
const CLUSTER_STATE: readonly SeriesDefinition[] = [
  gauge('cluster_safe_to_autoscale', 'Whether the cluster is healthy enough for autoscaling, 1 or 0.'),
  gauge('nodes_count', 'Number of nodes by state.', { labels: ['state'] }),
  gauge('node_groups_count', 'Number of node groups by type.', { labels: ['node_group_type'] }),
  gauge('unschedulable_pods_count', 'Number of unschedulable pods.', { labels: ['type'] }),
  gauge('max_nodes_count', 'Most nodes that all node groups may have together.'),
  gauge('cluster_cpu_current_cores', 'Cores of the cluster, without nodes being deleted.'),
  gauge('cluster_memory_current_bytes', 'Memory of the cluster, without nodes being deleted.'),
  gauge('cpu_limits_cores', 'Least and most cores of the cluster.', { labels: ['direction'] }),
  gauge('memory_limits_bytes', 'Least and most bytes of memory of the cluster.', { labels: ['direction'] }),
  gauge('node_taints_count', 'Number of taints on nodes by type.', { labels: ['type'] }),
  gauge('skipped_pods_count', 'Number of pods left out of the simulation.', { labels: ['requestor'] }),
  gauge('overflowing_controllers_count', 'Number of controllers with too many different pods to group.'),
  gauge('dra_node_template_resources_mismatch', 'Differences of device templates from real nodes.', {
    labels: ['driver', 'mismatch_type'],
  }),
  gauge('inconsistent_instances_migs_count', 'Number of inconsistent instance groups (GCE only).'),
  gauge('node_group_min_count', 'Least nodes of a node group.', PER_GROUP),
  gauge('node_group_max_count', 'Most nodes of a node group.', PER_GROUP),
  gauge('node_group_target_count', 'Target size of a node group.', PER_GROUP),
  gauge('node_group_healthiness', 'Whether a node group is healthy, 1 or 0.', PER_GROUP),
  gauge('node_group_backoff_status', 'Whether a node group backs off, 1 or 0, by reason.', {
    ...PER_GROUP,
    labels: ['node_group', 'reason'],
  }),
];

/** Work of the loop (`interface` 2.3). The quantiles are fed together with the histogram. */
const EXECUTION: readonly SeriesDefinition[] = [
  gauge('last_activity', 'Time of the last activity in Unix seconds.', { labels: ['activity'] }),
  series('histogram', 'function_duration_seconds', 'Time taken by parts of the loop.', {
    labels: ['function'],
    buckets: FUNCTION_DURATION_BUCKETS,
  }),
  series(
    'summary',
    'function_duration_quantile_seconds',
    'Quantiles of the time taken by parts of the loop.',
    {
      labels: ['function'],
    },
  ),
  gauge('pending_node_deletions', 'Number of nodes that wait for their deletion.'),
];

/** What was done (`interface` 2.4). */
const OPERATIONS: readonly SeriesDefinition[] = [
  counter('errors_total', 'Number of loops that failed, by type of error.', {
    labels: ['type'],
    initial: ERROR_TYPES,
  }),
  counter('scaled_up_nodes_total', 'Number of nodes added.', { labels: GPU_AND_DRA }),
  counter('scaled_up_gpu_nodes_total', 'Number of GPU nodes added.', {
    labels: GPU,
    deprecatedSince: '1.36.0',
  }),
  counter('failed_scale_ups_total', 'Number of scale-ups that failed.', {
    labels: ['reason', ...GPU_AND_DRA],
    initial: FAILURE_REASONS.map((reason) => ({ ...reason, ...NO_GPU_OR_DRA })),
  }),
  counter('failed_node_creations_total', 'Number of nodes that were not created.', {
    labels: ['reason'],
    initial: FAILURE_REASONS,
  }),
  counter('failed_gpu_scale_ups_total', 'Number of GPU scale-ups that failed.', {
    labels: ['reason', ...GPU],
    deprecatedSince: '1.36.0',
  }),
  counter('scaled_down_nodes_total', 'Number of nodes removed.', {
    labels: ['reason', ...GPU_AND_DRA],
    initial: SCALE_DOWN_REASONS.map((reason) => ({ ...reason, ...NO_GPU_OR_DRA })),
  }),
  counter('scaled_down_gpu_nodes_total', 'Number of GPU nodes removed.', {
    labels: ['reason', ...GPU],
    deprecatedSince: '1.36.0',
  }),
  counter('evicted_pods_total', 'Number of pods evicted.', {
    labels: ['eviction_result'],
    initial: values('eviction_result', ['succeeded', 'failed']),
  }),
  gauge('unneeded_nodes_count', 'Number of nodes that are not needed.'),
  gauge('unremovable_nodes_count', 'Number of nodes that can not be removed, by reason.', {
    labels: ['reason'],
  }),
  gauge('scale_down_in_cooldown', 'Whether scale-down pauses, 1 or 0.'),
  counter('old_unregistered_nodes_removed_count', 'Number of instances removed that never registered.'),
  counter('skipped_scale_events_count', 'Number of scalings skipped for a limit.', {
    labels: ['direction', 'reason'],
    initial: SKIPPED_EVENTS,
  }),
  counter('created_node_groups_total', 'Number of node groups created.', { labels: ['group_type'] }),
  counter('deleted_node_groups_total', 'Number of node groups deleted.', { labels: ['group_type'] }),
  series('histogram', 'binpacking_heterogeneity', 'Number of kinds of pods in one estimation.', {
    labels: ['instance_type', 'cpu_count', 'namespace_count'],
    buckets: [1, 2, 4, 8, 16, 32],
  }),
  gauge('max_node_skip_eval_duration_seconds', 'Longest time that a node was not evaluated for removal.'),
  series('histogram', 'node_removal_latency_seconds', 'Time from unneeded to removed or needed again.', {
    labels: ['deleted', 'delay_reason'],
    buckets: REMOVAL_LATENCY_BUCKETS,
  }),
];

export const AUTOSCALER_SERIES: readonly SeriesDefinition[] = [...CLUSTER_STATE, ...EXECUTION, ...OPERATIONS];
