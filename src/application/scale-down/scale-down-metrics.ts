import type { ScaleDownPlan } from '../../domain/scale-down/index.js';
import { UNREMOVABLE_REASONS } from '../../domain/scale-down/index.js';
import type { Metrics } from '../ports/metrics.js';

/**
 * Sets the gauges that a plan determines. differs from upstream: every reason is set in every iteration, those without
 * nodes to 0, so that none keeps an old value (W66).
 */
export function recordPlan(metrics: Metrics, plan: ScaleDownPlan): void {
  metrics.set('unneeded_nodes_count', plan.unneeded.length);
  metrics.set('scale_down_in_cooldown', plan.cooldown === null ? 0 : 1);
  for (const reason of UNREMOVABLE_REASONS) {
    const count = plan.unremovable.filter((node) => node.reason.rule === reason).length;
    metrics.set('unremovable_nodes_count', count, { reason });
  }
}
