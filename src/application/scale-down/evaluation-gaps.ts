import { inject, injectable } from 'inversify';
import type { ScaleDownPlan } from '../../domain/scale-down/index.js';
import { Metrics } from '../ports/metrics.js';

/** How long candidates have gone without being simulated (`--max-node-skip-eval-time-tracker-enabled`). */
@injectable()
export class EvaluationGaps {
  private lastPlanMs: number | null = null;
  /** Time of the last evaluation of each node that the latest plan did not reach. */
  private evaluatedMs: ReadonlyMap<string, number> = new Map();

  constructor(@inject(Metrics) private readonly metrics: Metrics) {}

  /** Sets `max_node_skip_eval_duration_seconds`. To be told of every plan. */
  record({ notEvaluated, nowMs }: Pick<ScaleDownPlan, 'notEvaluated' | 'nowMs'>): void {
    const lastMs = this.lastPlanMs ?? nowMs;
    this.evaluatedMs = new Map(notEvaluated.map((name) => [name, this.evaluatedMs.get(name) ?? lastMs]));
    this.lastPlanMs = nowMs;
    const oldestMs = Math.min(nowMs, ...this.evaluatedMs.values());
    this.metrics.set('max_node_skip_eval_duration_seconds', (nowMs - oldestMs) / 1_000);
  }
}
