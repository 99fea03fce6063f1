import { inject, injectable } from 'inversify';
import type { Node } from '../../domain/kubernetes/node.js';
import { hasTaint, TO_BE_DELETED_TAINT } from '../../domain/kubernetes/taint.js';
import { Clock } from '../ports/clock.js';
import { ClusterReader } from '../ports/cluster-reader.js';
import { Logger } from '../ports/logger.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Between looks at a node's annotations (upstream constant). */
const ANNOTATION_POLL_MS = 5_000;
/** Between looks for a fresh mark, and when the search for it ends (upstream constants). */
const MARK_POLL_MS = 50;
const MARK_WAIT_MAX_MS = 30_000;
/** How long an observed delay counts (upstream constant). */
const LATENCY_KEPT_MS = 3_600_000;

/** The waits between marking a node and deleting its machine. */
@injectable()
export class DeletionDelays {
  private latencies: { readonly atMs: number; readonly ms: number }[] = [];

  constructor(
    @inject(ClusterReader) private readonly reader: ClusterReader,
    @inject(Clock) private readonly clock: Clock,
    @inject(Logger) private readonly logger: Logger,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /** Gives pods that were bound before the mark the time to show (`scale-down` 8.3). */
  async afterTaint(nodes: readonly Node[], markedSinceMs: number, signal: AbortSignal): Promise<void> {
    const { policy } = this.settings;
    const measured = policy.dynamicDeleteDelayAfterTaint
      ? await this.measure(nodes, markedSinceMs, signal)
      : null;
    const delayMs = measured ?? policy.nodeDeleteDelayAfterTaintMs;
    if (delayMs > 0) await this.clock.sleep(delayMs, signal);
  }

  /**
   * Waits until nobody delays the deletion by annotation, or until time is over (`scale-down` 8.6). False: the node
   * can't be read any more.
   */
  async whileAnnotated(node: Node, signal: AbortSignal): Promise<boolean> {
    const timeoutMs = this.settings.policy.nodeDeletionDelayTimeoutMs;
    if (timeoutMs <= 0 || node.delayDeletion.length === 0) return true;
    const deadlineMs = this.clock.now() + timeoutMs;
    while (this.clock.now() < deadlineMs) {
      await this.clock.sleep(Math.min(ANNOTATION_POLL_MS, deadlineMs - this.clock.now()), signal);
      const current = this.nodeNow(node.name);
      if (current === undefined) return false;
      if (current.delayDeletion.length === 0) return true;
    }
    const fields = { node: node.name, annotations: node.delayDeletion };
    this.logger.warn('deletion-delay-over', 'annotations delay the deletion no longer: time is over', fields);
    return true;
  }

  /** Twice the longest time until a mark showed within the last hour; null: a mark did not show. */
  private async measure(
    nodes: readonly Node[],
    sinceMs: number,
    signal: AbortSignal,
  ): Promise<number | null> {
    const deadlineMs = this.clock.now() + MARK_WAIT_MAX_MS;
    while (!this.allMarked(nodes)) {
      if (this.clock.now() >= deadlineMs) return null;
      await this.clock.sleep(MARK_POLL_MS, signal);
    }
    const nowMs = this.clock.now();
    this.latencies = this.latencies.filter(({ atMs }) => atMs > nowMs - LATENCY_KEPT_MS);
    this.latencies.push({ atMs: nowMs, ms: nowMs - sinceMs });
    return 2 * Math.max(...this.latencies.map(({ ms }) => ms));
  }

  private allMarked(nodes: readonly Node[]): boolean {
    return nodes.every(({ name }) => hasTaint(this.nodeNow(name)?.taints ?? [], TO_BE_DELETED_TAINT));
  }

  private nodeNow(nodeName: string): Node | undefined {
    try {
      return this.reader.state().nodes.find(({ name }) => name === nodeName);
    } catch {
      return undefined;
    }
  }
}
