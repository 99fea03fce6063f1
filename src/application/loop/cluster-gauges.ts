import { inject, injectable } from 'inversify';
import { CPU, MEMORY } from '../../domain/kubernetes/resources.js';
import { TO_BE_DELETED_TAINT, hasTaint } from '../../domain/kubernetes/taint.js';
import type { Observation } from '../../domain/observation.js';
import { taintMetricType } from '../../domain/readiness/index.js';
import type { ScalingState } from '../../domain/readiness/index.js';
import type { TriagedPods } from '../../domain/scale-up/index.js';
import { Metrics } from '../ports/metrics.js';
import { LoopPolicies } from './loop-policies.js';

/** Gauges on the state of the cluster (`interface` 2.2). */
@injectable()
export class ClusterGauges {
  constructor(
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(LoopPolicies) private readonly policies: LoopPolicies,
  ) {}

  observed(observation: Observation, { unschedulable, unprocessed }: TriagedPods): void {
    const { nodes, groups } = observation;
    this.setCounts('node_taints_count', 'type', this.taintCounts(observation));
    const staying = nodes.filter(({ taints }) => !hasTaint(taints, TO_BE_DELETED_TAINT));
    const total = (resource: string): number =>
      staying.reduce((sum, { capacity }) => sum + (capacity.get(resource) ?? 0), 0);
    this.metrics.set('cluster_cpu_current_cores', Math.ceil(total(CPU) / 1000));
    this.metrics.set('cluster_memory_current_bytes', total(MEMORY));
    const groupsMax = groups.reduce((sum, { maxSize }) => sum + maxSize, 0);
    const { maxNodesTotal } = this.policies.scaleUp;
    this.metrics.set('max_nodes_count', maxNodesTotal > 0 ? Math.min(maxNodesTotal, groupsMax) : groupsMax);
    this.metrics.set('node_groups_count', groups.length, { node_group_type: 'autoscaled' });
    this.metrics.set('unschedulable_pods_count', unschedulable.length, { type: 'unschedulable' });
    this.metrics.set('unschedulable_pods_count', unprocessed.length, { type: 'scheduler_unprocessed' });
    for (const { id, minSize, maxSize } of groups) {
      this.metrics.set('node_group_min_count', minSize, { node_group: id });
      this.metrics.set('node_group_max_count', maxSize, { node_group: id });
    }
  }

  derived({ total, healthy, groups }: ScalingState): void {
    this.metrics.set('cluster_safe_to_autoscale', healthy ? 1 : 0);
    const states = [
      'ready',
      'unready',
      'notStarted',
      'suspended',
      'unregistered',
      'longUnregistered',
    ] as const;
    for (const state of states) this.metrics.set('nodes_count', total[state].length, { state });
    this.metrics.reset('node_group_backoff_status');
    for (const [id, group] of groups) {
      this.metrics.set('node_group_target_count', group.group.targetSize, { node_group: id });
      this.metrics.set('node_group_healthiness', group.healthy ? 1 : 0, { node_group: id });
      const reason = group.backOff === null ? '' : group.backOff.failure.code || 'unknown';
      this.metrics.set('node_group_backoff_status', group.backOff === null ? 0 : 1, {
        node_group: id,
        reason,
      });
    }
  }

  private taintCounts({ nodes }: Observation): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const taint of nodes.flatMap(({ taints }) => taints)) {
      const type = taintMetricType(taint, this.policies.templates.taints);
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    return counts;
  }

  /** differs from upstream: a label value that vanished goes, instead of keeping its last count. */
  private setCounts(name: string, label: string, counts: ReadonlyMap<string, number>): void {
    this.metrics.reset(name);
    for (const [value, count] of counts) this.metrics.set(name, count, { [label]: value });
  }
}
