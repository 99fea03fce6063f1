import { inject, injectable } from 'inversify';
import type { NodeRemoval, RemovalBucket, ScaleDownResult } from '../../domain/scale-down/index.js';
import { Clock } from '../ports/clock.js';
import { AtomicBatch } from './atomic-batch.js';
import { BackgroundTasks } from './background-tasks.js';
import { DeletionOutcomes } from './deletion-outcomes.js';
import type { StartContext } from './deletion-pipeline.js';
import { DeletionPipeline } from './deletion-pipeline.js';
import { FreshNodeCheck } from './fresh-node-check.js';
import { NodeMarker } from './node-marker.js';

export interface DeletionStart {
  readonly result: ScaleDownResult;
  readonly started: readonly NodeRemoval[];
  /** Why nodes could not be marked, or null. */
  readonly failure: Error | null;
}

/** Carries out removals (`scale-down` 8): marks now, drains and deletes in the background. */
@injectable()
export class ScaleDownActuator {
  private readonly tasks = new BackgroundTasks();
  /** Atomic groups that wait for some of their nodes. */
  private batches: readonly AtomicBatch[] = [];

  constructor(
    @inject(Clock) private readonly clock: Clock,
    @inject(NodeMarker) private readonly marker: NodeMarker,
    @inject(FreshNodeCheck) private readonly checks: FreshNodeCheck,
    @inject(DeletionPipeline) private readonly pipeline: DeletionPipeline,
    @inject(DeletionOutcomes) private readonly outcomes: DeletionOutcomes,
  ) {}

  /**
   * Marks the nodes and returns; what follows runs in the background. All drained nodes are marked before the first
   * drain starts, else pods of one could land on another. When the signal is aborted everything stops as it stands, and
   * the next leader's start-up cleaning takes the marks.
   */
  async startDeletion(buckets: readonly RemovalBucket[], signal: AbortSignal): Promise<DeletionStart> {
    this.batches = this.batches.filter(({ isOpen }) => isOpen);
    this.outcomes.pending(this.batches.reduce((sum, { waiting }) => sum + waiting, 0));
    const empty = buckets.map((bucket) => bucket.empty).filter((removals) => removals.length > 0);
    const drain = buckets.map((bucket) => bucket.drain).filter((removals) => removals.length > 0);
    if (empty.length + drain.length === 0) {
      return { result: 'ScaleDownNoNodeDeleted', started: [], failure: null };
    }
    const context = this.open(buckets, signal);
    const failedEmpty = await this.start(empty, context);
    if (failedEmpty !== null) return { result: 'ScaleDownError', started: [], failure: failedEmpty };
    const failedDrain = await this.start(drain, context);
    if (failedDrain !== null) {
      await this.failBatchesOf(drain.flat(), context);
      return { result: 'ScaleDownError', started: empty.flat(), failure: failedDrain };
    }
    const started = [...empty.flat(), ...drain.flat()];
    return { result: 'ScaleDownNodeDeleteStarted', started, failure: null };
  }

  /** Takes marks that could not be taken when a deletion failed (W44). Meant for every iteration. */
  retryRollbacks(signal: AbortSignal): Promise<void> {
    return this.marker.retryOwed(signal);
  }

  /** Nothing runs in the background. */
  get idle(): boolean {
    return this.tasks.idle;
  }

  /** Settles once nothing runs in the background any more. */
  settled(): Promise<void> {
    return this.tasks.settled();
  }

  private open(buckets: readonly RemovalBucket[], signal: AbortSignal): StartContext {
    const atomic = buckets.filter(({ isAtomic }) => isAtomic);
    const sizes = atomic.map(({ groupId, empty, drain }) => [groupId, empty.length + drain.length] as const);
    const batches = new Map(sizes.map(([groupId, size]) => [groupId, new AtomicBatch(size)]));
    this.batches = [...this.batches, ...batches.values()];
    return { budgets: this.checks.budgets(), batches, markedSinceMs: this.clock.now(), signal };
  }

  /** Marks the nodes of all groups, then sends each group on its way. */
  private async start(
    groups: readonly (readonly NodeRemoval[])[],
    context: StartContext,
  ): Promise<Error | null> {
    const nodes = groups.flat().map(({ node }) => node);
    const failure = await this.marker.markAll(nodes, context.signal);
    if (failure !== null) return failure;
    for (const removals of groups) {
      for (const removal of removals) this.outcomes.begin(removal);
      this.tasks.run(this.pipeline.run(removals, context));
    }
    return null;
  }

  /** Empty nodes of an atomic group stay when its other nodes could not be marked. */
  private async failBatchesOf(removals: readonly NodeRemoval[], context: StartContext): Promise<void> {
    for (const groupId of new Set(removals.map((removal) => removal.groupId))) {
      const batch = context.batches.get(groupId);
      if (batch !== undefined) await this.pipeline.failBatch(batch, context);
    }
  }
}
