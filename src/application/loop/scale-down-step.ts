import { inject, injectable } from 'inversify';
import type { Observation } from '../../domain/observation.js';
import type { Reason } from '../../domain/reason.js';
import {
  recordDeletionStart,
  recordEndedDeletions,
  recordMarkingFailure,
} from '../../domain/scale-down/index.js';
import type { ScaleDownMemory, ScaleDownPlan } from '../../domain/scale-down/index.js';
import type { ClusterSnapshot } from '../../domain/simulation/index.js';
import { Clock } from '../ports/clock.js';
import { Metrics } from '../ports/metrics.js';
import { DecisionLog } from '../report/decision-log.js';
import {
  DeletionTracker,
  ScaleDownActuator,
  ScaleDownPlanner,
  SoftTainter,
  recordPlan,
} from '../scale-down/index.js';

export interface ScaleDownStepInput {
  /** Without nodes that are still starting while their group grows. */
  readonly observation: Observation;
  /** With the pending pods that found room, and placeholders of machines on order. */
  readonly snapshot: ClusterSnapshot;
  readonly memory: ScaleDownMemory;
  readonly forbidden: Reason | null;
}

export interface ScaleDownStepResult {
  readonly plan: ScaleDownPlan;
  readonly memory: ScaleDownMemory;
  /** Why nodes could not be marked, or null. */
  readonly failure: Error | null;
}

/** From unneeded nodes to deletions under way (`scale-down` 2.4). */
@injectable()
export class ScaleDownStep {
  constructor(
    @inject(ScaleDownPlanner) private readonly planner: ScaleDownPlanner,
    @inject(ScaleDownActuator) private readonly actuator: ScaleDownActuator,
    @inject(SoftTainter) private readonly softTainter: SoftTainter,
    @inject(DeletionTracker) private readonly tracker: DeletionTracker,
    @inject(DecisionLog) private readonly decisions: DecisionLog,
    @inject(Clock) private readonly clock: Clock,
    @inject(Metrics) private readonly metrics: Metrics,
  ) {}

  async run(input: ScaleDownStepInput, signal: AbortSignal): Promise<ScaleDownStepResult> {
    const startedMs = this.clock.now();
    await this.actuator.retryRollbacks(signal);
    const ended = recordEndedDeletions(input.memory, this.tracker.collect());
    const { plan, memory } = await this.planner.plan({ ...input, memory: ended }, signal);
    recordPlan(this.metrics, plan);
    this.decisions.scaleDown(plan);
    const seconds = (this.clock.now() - startedMs) / 1000;
    this.metrics.observe('function_duration_seconds', seconds, { function: 'findUnneeded' });
    if (plan.cooldown === null) {
      this.metrics.set('last_activity', this.clock.now() / 1000, { activity: 'scaleDown' });
    }
    const start = await this.actuator.startDeletion(plan.buckets, signal);
    await this.softTainter.apply(plan.softTaints, signal);
    const { nowMs } = input.observation;
    if (start.failure !== null) {
      return { plan, memory: recordMarkingFailure(memory, nowMs), failure: start.failure };
    }
    const isStarted = start.started.length > 0;
    return { plan, memory: isStarted ? recordDeletionStart(memory, nowMs) : memory, failure: null };
  }
}
