import { register as globalRegistry } from 'prom-client';
import { PrometheusMetrics } from '../../../src/adapters/metrics/index.js';

const LEADING = true;

function create(options: { leading?: boolean; perNodeGroup?: boolean } = {}): PrometheusMetrics {
  const metrics = new PrometheusMetrics({ perNodeGroup: options.perNodeGroup ?? false });
  if (options.leading) metrics.showAutoscalerSeries();
  return metrics;
}

/** Sample lines that start with a name, sorted. */
async function samples(metrics: PrometheusMetrics, name: string): Promise<string[]> {
  const { text } = await metrics.render();
  return text
    .split('\n')
    .filter((line) => line.startsWith(name))
    .sort();
}

describe('shown series', () => {
  // interface 9/19
  it('of a standby have no autoscaler metric, but process and client ones', async () => {
    const metrics = create();
    metrics.set('nodes_count', 3, { state: 'ready' });
    const { text, contentType } = await metrics.render();
    expect(text).not.toContain('cluster_autoscaler_');
    expect(text).toContain('\nhcloud_api_in_flight_requests 0\n');
    expect(text).toMatch(/\nprocess_resident_memory_bytes \d+/u);
    expect(text).toMatch(/\nprocess_start_time_seconds \d{10}/u);
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('of a new leader include what was counted before', async () => {
    const metrics = create();
    metrics.set('nodes_count', 3, { state: 'ready' });
    metrics.showAutoscalerSeries();
    metrics.showAutoscalerSeries();
    expect(await samples(metrics, 'cluster_autoscaler_nodes_count')).toEqual([
      'cluster_autoscaler_nodes_count{state="ready"} 3',
    ]);
  });

  // interface 9/20
  it('of a fresh leader have the initial values', async () => {
    const metrics = create({ leading: LEADING });
    expect(await samples(metrics, 'cluster_autoscaler_errors_total')).toEqual(
      [
        'apiCallError',
        'cloudProviderError',
        'configurationError',
        'internalError',
        'nodeGroupDoesNotExistError',
        'transientError',
        'unexpectedScaleDownStateError',
      ].map((type) => `cluster_autoscaler_errors_total{type="${type}"} 0`),
    );
    expect(await samples(metrics, 'cluster_autoscaler_evicted_pods_total')).toEqual([
      'cluster_autoscaler_evicted_pods_total{eviction_result="failed"} 0',
      'cluster_autoscaler_evicted_pods_total{eviction_result="succeeded"} 0',
    ]);
    expect(await samples(metrics, 'cluster_autoscaler_skipped_scale_events_count')).toHaveLength(4);
    expect(await samples(metrics, 'cluster_autoscaler_scaled_up_nodes_total')).toEqual([]);
    expect(await samples(metrics, 'cluster_autoscaler_failed_scale_ups_total')).toContain(
      'cluster_autoscaler_failed_scale_ups_total{reason="timeout",gpu_resource_name="",gpu_name="",dra_drivers=""} 0',
    );
    expect(await samples(metrics, 'cluster_autoscaler_scaled_down_nodes_total')).toHaveLength(3);
    for (const unlabelled of [
      'unneeded_nodes_count',
      'scale_down_in_cooldown',
      'old_unregistered_nodes_removed_count',
      'pending_node_deletions',
      'inconsistent_instances_migs_count',
      'max_node_skip_eval_duration_seconds',
      'cluster_safe_to_autoscale',
    ]) {
      const name = `cluster_autoscaler_${unlabelled}`;
      expect(await samples(metrics, name)).toEqual([`${name} 0`]);
    }
  });

  // interface 9/21
  it('per node group need their flag', async () => {
    const silent = create({ leading: LEADING });
    const open = create({ leading: LEADING, perNodeGroup: true });
    for (const metrics of [silent, open]) {
      for (const gauge of ['min_count', 'max_count', 'target_count', 'healthiness', 'backoff_status']) {
        metrics.set(`node_group_${gauge}`, 1, { node_group: 'pool1' });
      }
    }
    expect(await samples(silent, 'cluster_autoscaler_node_group_')).toEqual([]);
    expect(await samples(open, 'cluster_autoscaler_node_group_')).toEqual([
      'cluster_autoscaler_node_group_backoff_status{node_group="pool1",reason=""} 1',
      'cluster_autoscaler_node_group_healthiness{node_group="pool1"} 1',
      'cluster_autoscaler_node_group_max_count{node_group="pool1"} 1',
      'cluster_autoscaler_node_group_min_count{node_group="pool1"} 1',
      'cluster_autoscaler_node_group_target_count{node_group="pool1"} 1',
    ]);
  });

  it('carry their stability in the help text, and are counted', async () => {
    const { text } = await create({ leading: LEADING }).render();
    const helps = text.split('\n').filter((line) => /^# HELP (cluster_autoscaler|hcloud)_/u.test(line));
    expect(helps.length).toBeGreaterThan(40);
    expect(helps.filter((line) => !line.includes(' [ALPHA] '))).toEqual([]);
    expect(text).toContain(
      'registered_metrics_total{stability_level="ALPHA",deprecated_version="1.36.0"} 3\n',
    );
    expect(text).toContain('# TYPE cluster_autoscaler_old_unregistered_nodes_removed_count counter\n');
    expect(text).toContain('# TYPE cluster_autoscaler_function_duration_quantile_seconds summary\n');
  });

  it('live in a registry of their own', async () => {
    create({ leading: LEADING });
    expect(await globalRegistry.metrics()).toBe('\n');
  });
});

describe('observations', () => {
  it('of functions fill 150 buckets with the digits of the Go program, and quantiles', async () => {
    const metrics = create({ leading: LEADING });
    metrics.observe('function_duration_seconds', 0.105, { function: 'main' });
    const { text } = await metrics.render();
    const bounds = [
      ...text.matchAll(/function_duration_seconds_bucket\{le="([^"]+)",function="main"\}/gu),
    ].map((match) => match[1]);
    expect(bounds).toHaveLength(151);
    expect([bounds[0], bounds[1], bounds[149], bounds[150]]).toEqual([
      '0.1',
      '0.10679695638437142',
      '1800.0000000000045',
      '+Inf',
    ]);
    expect(text).toContain('function_duration_quantile_seconds{quantile="0.99",function="main"} 0.105\n');
  });

  // interface 9/25
  it('of Hetzner requests go by their full names', async () => {
    const metrics = create();
    metrics.add('hcloud_api_requests_total', 1, { code: '200', method: 'get', api_endpoint: '/servers/' });
    metrics.add('hcloud_api_in_flight_requests', 1);
    metrics.observe('hcloud_api_request_duration_seconds', 0.2, { method: 'get' });
    expect(await samples(metrics, 'hcloud_api_requests_total')).toEqual([
      'hcloud_api_requests_total{code="200",method="get",api_endpoint="/servers/"} 1',
    ]);
    expect(await samples(metrics, 'hcloud_api_in_flight_requests')).toEqual([
      'hcloud_api_in_flight_requests 1',
    ]);
    expect(await samples(metrics, 'hcloud_api_request_duration_seconds_bucket')).toHaveLength(12);
  });

  it('can be dropped before a gauge is set anew', async () => {
    const metrics = create({ leading: LEADING });
    metrics.set('unremovable_nodes_count', 2, { reason: 'BlockedByPod' });
    metrics.reset('unremovable_nodes_count');
    metrics.set('unremovable_nodes_count', 1, { reason: 'NoPlaceToMovePods' });
    expect(await samples(metrics, 'cluster_autoscaler_unremovable_nodes_count')).toEqual([
      'cluster_autoscaler_unremovable_nodes_count{reason="NoPlaceToMovePods"} 1',
    ]);
  });

  it.each<[string, (metrics: PrometheusMetrics) => void]>([
    ['an unknown name', (metrics) => metrics.add('no_such_metric', 1)],
    [
      'the prefixed name',
      (metrics) => metrics.add('cluster_autoscaler_errors_total', 1, { type: 'internalError' }),
    ],
    ['an unknown label', (metrics) => metrics.add('errors_total', 1, { kind: 'internalError' })],
    ['setting a counter', (metrics) => metrics.set('errors_total', 1, { type: 'internalError' })],
    ['observing a gauge', (metrics) => metrics.observe('nodes_count', 1, { state: 'ready' })],
    ['adding to a histogram', (metrics) => metrics.add('function_duration_seconds', 1, { function: 'main' })],
    ['resetting a counter', (metrics) => metrics.reset('errors_total')],
  ])('refuse %s', (_what, act) => {
    expect(() => act(create())).toThrow();
  });
});
