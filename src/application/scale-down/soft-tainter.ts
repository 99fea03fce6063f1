import { inject, injectable } from 'inversify';
import { DELETION_CANDIDATE_TAINT } from '../../domain/kubernetes/taint.js';
import type { SoftTaintChanges } from '../../domain/scale-down/index.js';
import { deletionCandidateTaint } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import type { NodePatch } from '../ports/cluster-writer.js';
import { ClusterWriteError, ClusterWriter } from '../ports/cluster-writer.js';
import { Incidents } from '../ports/incidents.js';
import { DeletionTracker } from './deletion-tracker.js';
import { ScaleDownSettings } from './scale-down-settings.js';

const INCIDENT = 'soft-marks';

/** Marks unneeded nodes softly, so that the scheduler prefers others (`scale-down` 8.10). */
@injectable()
export class SoftTainter {
  constructor(
    @inject(ClusterWriter) private readonly writer: ClusterWriter,
    @inject(Clock) private readonly clock: Clock,
    @inject(Incidents) private readonly incidents: Incidents,
    @inject(DeletionTracker) private readonly tracker: DeletionTracker,
    @inject(ScaleDownSettings) private readonly settings: ScaleDownSettings,
  ) {}

  /**
   * Makes as many of the changes as count and time of one iteration allow; returns how many it tried. Failures cost as
   * much as successes: the next iteration tries again, and tells no more than that it still fails.
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
    let problem: unknown = null;
    for (const [name, patch] of patches) {
      if (tried >= maxBulkSoftTaintCount || isOver() || signal.aborted) break;
      tried++;
      problem = (await this.patch(name, patch, signal)) ?? problem;
    }
    if (!signal.aborted) this.tell(tried, problem);
    return tried;
  }

  /** What went wrong, or null. A node that is gone needs no mark. */
  private async patch(nodeName: string, patch: NodePatch, signal: AbortSignal): Promise<unknown> {
    try {
      await this.writer.patchNode(nodeName, patch, signal);
      return null;
    } catch (error) {
      return error instanceof ClusterWriteError && error.code === 'not-found' ? null : error;
    }
  }

  private tell(tried: number, problem: unknown): void {
    if (problem !== null)
      this.incidents.happened(INCIDENT, 'soft marks of nodes could not be changed', problem);
    else if (tried > 0) this.incidents.over(INCIDENT);
  }
}
