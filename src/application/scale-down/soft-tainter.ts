import { inject, injectable } from 'inversify';
import { DELETION_CANDIDATE_TAINT } from '../../domain/kubernetes/taint.js';
import type { SoftTaintChanges } from '../../domain/scale-down/index.js';
import { deletionCandidateTaint } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import type { NodePatch } from '../ports/cluster-writer.js';
import { ClusterWriter } from '../ports/cluster-writer.js';
import { Logger } from '../ports/logger.js';
import { DeletionTracker } from './deletion-tracker.js';
import { messageOf } from './in-parallel.js';
import { ScaleDownSettings } from './scale-down-settings.js';

/** Marks unneeded nodes softly, so that the scheduler prefers others (`scale-down` 8.10). */
@injectable()
export class SoftTainter {
  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(Clock) private readonly clock: Clock,
    @inject(Logger) private readonly logger: Logger,
    @inject(DeletionTracker) private readonly tracker: DeletionTracker,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /**
   * Makes as many of the changes as count and time of one iteration allow; returns how many it tried. Failures cost as
   * much as successes and are only logged: the next iteration tries again.
   */
  async apply(changes: SoftTaintChanges, signal: AbortSignal): Promise<number> {
    const { maxBulkSoftTaintCount, maxBulkSoftTaintTimeMs } = this.settings.policy;
    const startedMs = this.clock.now();
    const isOver = () => this.clock.now() - startedMs >= maxBulkSoftTaintTimeMs;
    const taken = { removeTaints: [DELETION_CANDIDATE_TAINT] };
    const given = { addTaints: [deletionCandidateTaint(startedMs)] };
    const patches = [
      ...changes.remove.map((name): [string, NodePatch] => [name, taken]),
      ...changes.add.map((name): [string, NodePatch] => [name, given]),
      // The plan is older than the deletions just started (W56).
    ].filter(([name]) => !this.tracker.isDeleting(name));
    let tried = 0;
    for (const [name, patch] of patches) {
      if (tried >= maxBulkSoftTaintCount || isOver() || signal.aborted) break;
      tried++;
      await this.patch(name, patch, signal);
    }
    return tried;
  }

  private async patch(nodeName: string, patch: NodePatch, signal: AbortSignal): Promise<void> {
    try {
      await this.writer.patchNode(nodeName, patch, signal);
    } catch (error) {
      if (signal.aborted) return;
      const fields = { node: nodeName, error: messageOf(error) };
      this.logger.warn('soft-taint-failed', 'the soft mark of a node could not be changed', fields);
    }
  }
}
