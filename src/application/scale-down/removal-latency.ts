import { inject, injectable } from 'inversify';
import type { NodeGroup } from '../../domain/node-group/node-group.js';
import type {
  NodeRemoval,
  ScaleDownPlan,
  UnneededNode,
  UnremovableReason,
} from '../../domain/scale-down/index.js';
import { removalThresholdMs } from '../../domain/scale-down/index.js';
import { Logger } from '../ports/logger.js';
import { Metrics } from '../ports/metrics.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** A removal that is later than this is worth a line in the log (upstream constant). */
const LATE_MS = 3 * 60_000;

/** Reasons that every unneeded node has for a while; they are no delay. */
const EXPECTED: readonly UnremovableReason[] = ['NotUnneededLongEnough', 'NotUnreadyLongEnough'];

/** A node that waits for its removal. */
interface Waiting {
  readonly sinceMs: number;
  readonly thresholdMs: number;
  /** What last held it back beyond its threshold, or `none`. */
  readonly delayReason: string;
}

/** How late unneeded nodes are removed, or turn out to be needed (`--node-removal-latency-tracking-enabled`). */
@injectable()
export class RemovalLatency {
  /** By node name; bounded by the unneeded nodes of one plan. */
  private waiting: ReadonlyMap<string, Waiting> = new Map();

  constructor(
    @inject(Metrics) private readonly metrics: Metrics,
    @inject(Logger) private readonly logger: Logger,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Observes `node_removal_latency_seconds`. To be told of every plan, with the removals that were started. */
  record(plan: ScaleDownPlan, groups: readonly NodeGroup[], started: readonly NodeRemoval[]): void {
    const waiting = this.follow(plan, groups);
    const deleted = new Set(started.map(({ node }) => node.name));
    for (const [name, last] of this.waiting) {
      if (!waiting.has(name)) this.observe(name, last, plan.nowMs, false);
    }
    for (const name of deleted) {
      const last = waiting.get(name);
      if (last !== undefined) this.observe(name, last, plan.nowMs, true);
      waiting.delete(name);
    }
    this.waiting = waiting;
  }

  private follow(plan: ScaleDownPlan, groups: readonly NodeGroup[]): Map<string, Waiting> {
    const held = [...plan.unremovable, ...plan.postponed].filter(
      ({ reason }) => !EXPECTED.includes(reason.rule),
    );
    const reasons = new Map(held.map(({ nodeName, reason }) => [nodeName, reason.rule]));
    const follow = (unneeded: UnneededNode): [string, Waiting] => {
      const { name } = unneeded.node;
      const known = this.waiting.get(name);
      const group = groups.find(({ id }) => id === unneeded.groupId);
      return [
        name,
        {
          sinceMs: known?.sinceMs ?? plan.nowMs,
          thresholdMs: removalThresholdMs(unneeded, group, this.settings.policy),
          delayReason: reasons.get(name) ?? known?.delayReason ?? 'none',
        },
      ];
    };
    return new Map(plan.unneeded.map(follow));
  }

  private observe(
    name: string,
    { sinceMs, thresholdMs, delayReason }: Waiting,
    nowMs: number,
    deleted: boolean,
  ): void {
    const lateMs = nowMs - sinceMs - thresholdMs;
    if (lateMs <= 0) return;
    const labels = { deleted: deleted.toString(), delay_reason: delayReason };
    this.metrics.observe('node_removal_latency_seconds', lateMs / 1_000, labels);
    if (!deleted || lateMs <= LATE_MS) return;
    const text = `node ${name} goes ${Math.round(lateMs / 1_000)} s later than it could: ${delayReason}`;
    this.logger.warn('node-removal-late', text, { node: name, lateMs, delayReason });
  }
}
