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
import { DeletionTracker, ScaleDownActuator, ScaleDownPlanner, SoftTainter } from '../scale-down/index.js';
import type { DeletionStart } from '../scale-down/index.js';
import { ScaleDownRecords } from './scale-down-records.js';

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
    @inject(ScaleDownRecords) private readonly records: ScaleDownRecords,
    @inject(DecisionLog) private readonly decisions: DecisionLog,
    @inject(Clock) private readonly clock: Clock,
    @inject(Metrics) private readonly metrics: Metrics,
  ) {}

  async run(input: ScaleDownStepInput, signal: AbortSignal): Promise<ScaleDownStepResult> {
    const startedMs = this.clock.now();
    await this.actuator.retryRollbacks(signal);
    const ended = recordEndedDeletions(input.memory, this.tracker.collect());
    const { plan, memory } = await this.planner.plan({ ...input, memory: ended }, signal);
    this.records.planned(plan);
    this.decisions.scaleDown(plan);
    this.measure('findUnneeded', startedMs);
    if (plan.cooldown === null) {
      this.metrics.set('last_activity', this.clock.now() / 1000, { activity: 'scaleDown' });
    }
    const start = await this.startDeletions(plan, signal);
    this.records.started(plan, input.observation.groups, start.started);
    const taintingMs = this.clock.now();
    await this.softTainter.apply(plan.softTaints, signal);
    this.measure('scaleDown:softTaintUnneeded', taintingMs);
    return { plan, memory: afterStart(memory, start, input.observation.nowMs), failure: start.failure };
  }

  private async startDeletions(plan: ScaleDownPlan, signal: AbortSignal): Promise<DeletionStart> {
    const startedMs = this.clock.now();
    const start = await this.actuator.startDeletion(plan.buckets, signal);
    this.measure('scaleDown:nodeDeletion', startedMs);
    return start;
  }

  private measure(part: string, startedMs: number): void {
    const seconds = (this.clock.now() - startedMs) / 1000;
    this.metrics.observe('function_duration_seconds', seconds, { function: part });
  }
}

/** Some nodes may have been marked and others not. */
function afterStart(
  memory: ScaleDownMemory,
  { started, failure }: DeletionStart,
  nowMs: number,
): ScaleDownMemory {
  const begun = started.length > 0 ? recordDeletionStart(memory, nowMs) : memory;
  return failure === null ? begun : recordMarkingFailure(begun, nowMs);
}
