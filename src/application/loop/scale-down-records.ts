import { inject, injectable } from 'inversify';
import type { NodeGroup } from '../../domain/node-group/node-group.js';
import type { NodeRemoval, ScaleDownPlan } from '../../domain/scale-down/index.js';
import { Metrics } from '../ports/metrics.js';
import { EvaluationGaps, RemovalLatency, recordPlan } from '../scale-down/index.js';
import { LoopOptions } from './loop-options.js';

/** Series about scale-down: what a plan determines always, the two trackers where their flags ask for them. */
@injectable()
export class ScaleDownRecords {
  constructor(
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(RemovalLatency) private readonly latency: RemovalLatency,
    @inject(EvaluationGaps) private readonly gaps: EvaluationGaps,
    @inject(LoopOptions) private readonly options: LoopOptions,
  ) {}

  planned(plan: ScaleDownPlan): void {
    recordPlan(this.metrics, plan);
    if (this.options.trackEvaluationGaps) this.gaps.record(plan);
  }

  started(plan: ScaleDownPlan, groups: readonly NodeGroup[], removals: readonly NodeRemoval[]): void {
    if (this.options.trackRemovalLatency) this.latency.record(plan, groups, removals);
  }
}
