import { inject, injectable } from 'inversify';
import { priorityEvents } from '../../domain/expansion/index.js';
import type { GroupPriorities } from '../../domain/expansion/index.js';
import type { Pod } from '../../domain/kubernetes/pod.js';
import { limitedByMaxNodesEvents, maxNodesReachedEvent, podEvents } from '../../domain/scale-up/index.js';
import type { PodEvent, PodReport, ScaleUpPlan } from '../../domain/scale-up/index.js';
import { ClusterWriter } from '../ports/cluster-writer.js';
import { Metrics } from '../ports/metrics.js';
import { DecisionLog } from '../report/decision-log.js';
import { GroupEvents } from './group-events.js';

/** Quota resources that have a metric of their own. */
const LIMIT_REASONS: ReadonlyMap<string, string> = new Map([
  ['cpu', 'CpuResourceLimit'],
  ['memory', 'MemoryResourceLimit'],
]);

/** Says what was decided and why: log, metrics, events on pods and on the status. */
@injectable()
export class ScaleUpReporter {
  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(GroupEvents) private readonly events: GroupEvents,
    @inject(DecisionLog) private readonly decisions: DecisionLog,
    @inject(Metrics) private readonly metrics: Metrics,
  ) {}

  planned(plan: ScaleUpPlan, priorities: GroupPriorities | null = null): void {
    for (const resource of plan.limitHits) {
      const reason = LIMIT_REASONS.get(resource);
      if (reason !== undefined)
        this.metrics.add('skipped_scale_events_count', 1, { direction: 'up', reason });
    }
    this.maxNodesReached(plan.maxNodesReached);
    for (const event of priorityEvents(plan.choice, priorities)) {
      this.writer.recordEvent({ subject: { kind: 'ConfigMap', ...priorities!.source }, ...event });
    }
    this.decisions.scaleUp(plan);
  }

  maxNodesReached(maxNodesTotal: number | null): void {
    if (maxNodesTotal !== null) this.events.record(maxNodesReachedEvent(maxNodesTotal));
  }

  /** The gate is closed because the cluster has as many nodes as it may have. */
  limitedByMaxNodes(pods: readonly Pod[], maxNodesTotal: number): void {
    this.maxNodesReached(maxNodesTotal);
    this.record(limitedByMaxNodesEvents(pods));
  }

  tellPods(report: PodReport): void {
    this.decisions.pods(report.reports);
    this.record(podEvents(report));
  }

  private record(events: readonly PodEvent[]): void {
    for (const { pod, ...text } of events) {
      const { namespace, name, uid } = pod;
      this.writer.recordEvent({ subject: { kind: 'Pod', namespace, name, uid }, ...text });
    }
  }
}
