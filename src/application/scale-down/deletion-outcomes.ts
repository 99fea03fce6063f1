import { inject, injectable } from 'inversify';
import type { NodeRemoval } from '../../domain/scale-down/index.js';
import { DeletionReporter } from './deletion-reporter.js';
import { DeletionTracker } from './deletion-tracker.js';
import type { DeletionFailure } from './node-delete-result.js';
import { NodeMarker } from './node-marker.js';

/** Opens and closes the file of each deletion: book, report, and the rollback of a node that stays (`scale-down` 8.9). */
@injectable()
export class DeletionOutcomes {
  constructor(
    @inject(DeletionTracker) private readonly tracker: DeletionTracker,
    @inject(DeletionReporter) private readonly reporter: DeletionReporter,
    @inject(NodeMarker) private readonly marker: NodeMarker,
  ) {}

  begin(removal: NodeRemoval): void {
    this.tracker.start(removal);
    this.reporter.started(removal);
  }

  succeed(removal: NodeRemoval): void {
    this.reporter.deleted(removal);
    this.tracker.end(removal, null);
  }

  /** The node is given back; its evicted pods are not. Once the signal is aborted nothing is written. */
  async fail(removal: NodeRemoval, failure: DeletionFailure, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return this.abandon(removal);
    this.reporter.failed(removal, failure);
    await this.marker.unmark(removal.node, signal);
    this.tracker.end(removal, failure);
  }

  /** The process no longer leads: the node stays as it is, for the successor. */
  abandon(removal: NodeRemoval): void {
    this.tracker.forget(removal);
  }

  pending(count: number): void {
    this.reporter.pending(count);
  }
}
