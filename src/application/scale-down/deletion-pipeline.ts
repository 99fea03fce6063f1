import { inject, injectable } from 'inversify';
import type { DisruptionTracker, NodeRemoval } from '../../domain/scale-down/index.js';
import type { AtomicBatch } from './atomic-batch.js';
import { DeletionDelays } from './deletion-delays.js';
import { DeletionOutcomes } from './deletion-outcomes.js';
import { messageOf } from './in-parallel.js';
import { MachineReleaser } from './machine-releaser.js';
import type { Release } from './machine-releaser.js';
import type { DeletionFailure } from './node-delete-result.js';
import { deletionFailure } from './node-delete-result.js';
import type { PreparedNode } from './node-preparation.js';
import { NodePreparation } from './node-preparation.js';

/** What the nodes of one start have in common. */
export interface StartContext {
  /** One account for all, so that together they do not overdraw a budget (W11). */
  readonly budgets: DisruptionTracker;
  /** Of atomic groups, by group id. */
  readonly batches: ReadonlyMap<string, AtomicBatch>;
  readonly markedSinceMs: number;
  /** Aborted: nothing is written any more. */
  readonly signal: AbortSignal;
}

/** Takes marked nodes to their end: deleted, given back, or left to a successor. Nothing here rejects. */
@injectable()
export class DeletionPipeline {
  constructor(
    @inject(DeletionDelays) private readonly delays: DeletionDelays,
    @inject(NodePreparation) private readonly preparation: NodePreparation,
    @inject(MachineReleaser) private readonly releaser: MachineReleaser,
    @inject(DeletionOutcomes) private readonly outcomes: DeletionOutcomes,
  ) {}

  /** The nodes of one group. */
  async run(removals: readonly NodeRemoval[], context: StartContext): Promise<void> {
    const nodes = removals.map(({ node }) => node);
    try {
      await this.delays.afterTaint(nodes, context.markedSinceMs, context.signal);
    } catch (error) {
      await this.failAll(removals, internal(error), context);
      return;
    }
    await Promise.all(removals.map((removal) => this.take(removal, context)));
  }

  /** Gives back the nodes of an atomic group that wait for others, and those still to come. */
  async failBatch(batch: AtomicBatch, context: StartContext): Promise<void> {
    const waiting = batch.fail().map(({ removal }) => removal);
    await this.failAll(waiting, GROUP_FAILED, context);
  }

  private async take(removal: NodeRemoval, context: StartContext): Promise<void> {
    const { budgets, batches, signal } = context;
    try {
      const prepared = await this.preparation.prepare(removal, budgets, signal);
      const batch = batches.get(removal.groupId);
      if (prepared.kind === 'failed') await this.fail(removal, prepared.failure, context);
      else if (batch !== undefined) await this.join(batch, prepared, context);
      else await this.close(removal, await this.releaser.release(prepared, signal), context);
    } catch (error) {
      await this.fail(removal, internal(error), context);
    }
  }

  private async join(batch: AtomicBatch, prepared: PreparedNode, context: StartContext): Promise<void> {
    const arrival = batch.arrive(prepared);
    if (arrival === 'failed') await this.outcomes.fail(prepared.removal, GROUP_FAILED, context.signal);
    if (arrival !== 'complete') return;
    const members = batch.take();
    try {
      const releases = await this.releaser.releaseTogether(members, context.signal);
      for (const { removal } of members) await this.close(removal, releases.get(removal) ?? null, context);
    } catch (error) {
      await this.failAll(
        members.map(({ removal }) => removal),
        internal(error),
        context,
      );
    }
  }

  private async close(removal: NodeRemoval, release: Release, context: StartContext): Promise<void> {
    if (release === null) this.outcomes.succeed(removal);
    else await this.fail(removal, release, context);
  }

  private async fail(removal: NodeRemoval, failure: DeletionFailure, context: StartContext): Promise<void> {
    await this.outcomes.fail(removal, failure, context.signal);
    const batch = context.batches.get(removal.groupId);
    if (batch !== undefined) await this.failBatch(batch, context);
  }

  private async failAll(
    removals: readonly NodeRemoval[],
    failure: DeletionFailure,
    { signal }: StartContext,
  ): Promise<void> {
    await Promise.all(removals.map((removal) => this.outcomes.fail(removal, failure, signal)));
  }
}

const GROUP_FAILED = deletionFailure(
  'NodeDeleteErrorFailedToDelete',
  "couldn't scale down other nodes in this node group",
);

function internal(error: unknown): DeletionFailure {
  return deletionFailure('NodeDeleteErrorInternal', messageOf(error));
}
