import { inject, injectable } from 'inversify';
import type { Pod } from '../../domain/kubernetes/pod.js';
import type { ScalingState } from '../../domain/readiness/index.js';
import type { ScaleDownPlan } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import { Metrics } from '../ports/metrics.js';
import { SnapshotDesk } from '../report/snapshot-desk.js';
import { DeletionTracker } from '../scale-down/index.js';
import { ClusterGauges } from './cluster-gauges.js';
import type { ClusterModel } from './cluster-modeler.js';
import { statusOf } from './status-of.js';
import { StatusWriter } from './status-writer.js';

/** Last step of an iteration: status and gauges. Decisions report themselves where they are made. */
@injectable()
export class LoopReporter {
  private scaleDown: ScaleDownPlan | null = null;

  constructor(
    @inject(StatusWriter) private readonly status: StatusWriter,
    @inject(ClusterGauges) private readonly gauges: ClusterGauges,
    @inject(SnapshotDesk) private readonly snapshots: SnapshotDesk,
    @inject(DeletionTracker) private readonly tracker: DeletionTracker,
    @inject(Clock) private readonly clock: Clock,
    @inject(Metrics) private readonly metrics: Metrics,
  ) {}

  observed({ observation, triaged }: ClusterModel): void {
    this.gauges.observed(observation, triaged);
  }

  /** For a debugging snapshot, if somebody waits for one. */
  decidedOn({ observation, templates }: ClusterModel, schedulablePods: readonly Pod[]): void {
    this.snapshots.collect({ observation, schedulablePods, templates });
  }

  planned(plan: ScaleDownPlan): void {
    this.scaleDown = plan;
  }

  notActionable(message: string, signal: AbortSignal): Promise<void> {
    this.metrics.set('cluster_safe_to_autoscale', 0);
    return this.status.writeInitializing(signal, message);
  }

  async finished(state: ScalingState, signal: AbortSignal): Promise<void> {
    this.gauges.derived(state);
    const unneeded = this.scaleDown?.unneeded ?? [];
    const scaleDown = {
      evaluatedMs: this.scaleDown?.nowMs ?? null,
      candidateGroupIds: unneeded.map(({ groupId }) => groupId),
    };
    await this.status.writeState(statusOf(state, this.tracker.inProgress(), scaleDown), signal);
  }

  /** `function_duration_seconds` of a part of the loop. */
  measure(part: string, startedMs: number): void {
    const seconds = (this.clock.now() - startedMs) / 1000;
    this.metrics.observe('function_duration_seconds', seconds, { function: part });
  }

  /** `last_activity` now. */
  mark(activity: 'main' | 'mainSuccessful' | 'autoscaling'): void {
    this.metrics.set('last_activity', this.clock.now() / 1000, { activity });
  }
}
