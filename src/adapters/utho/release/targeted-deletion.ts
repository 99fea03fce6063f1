import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import type { Clock } from '../../../application/ports/clock.js';
import { toFailure } from '../client/cloud-errors.js';
import type { Telemetry } from '../client/telemetry.js';
import type { UthoApi } from '../client/utho-api.js';
import { UthoError } from '../client/utho-error.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import type { Mutation, Mutations } from '../mutations.js';
import { refusal } from '../refusal.js';
import type { ClusterRead, ClusterReads } from '../state/cluster-reads.js';
import { hasLeft } from '../state/pool-snapshot.js';
import type { Verification } from '../state/verification.js';
import { isAmbiguous } from '../write-outcome.js';
import type { Aftermath } from './aftermath.js';
import type { Deletions } from './deletions.js';

export interface DeletionParts {
  readonly api: UthoApi;
  readonly reads: ClusterReads;
  readonly mutations: Mutations;
  readonly verification: Verification;
  readonly aftermath: Aftermath;
  readonly configuration: Pick<UthoConfiguration, 'maxRetries'>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Deletes workers by their ids, one after another, and sees to it that these and no others went (`utho` 4.6). */
export class TargetedDeletion {
  constructor(private readonly parts: DeletionParts) {}

  /** The caller has checked that each of them belongs to the pool and may go. Never rejects for a refusal. */
  async delete(
    mutation: Mutation,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, CloudFailure | null>> {
    const before = mutation.pool.snapshot;
    const deletions: Deletions = { results: new Map(), confirmed: [], firstConfirmedMs: 0 };
    let obstacle: CloudFailure | null = null;
    for (const id of ids) {
      obstacle ??= await this.deleteOne(mutation, id, deletions);
      if (!deletions.results.has(id)) deletions.results.set(id, obstacle);
    }
    if (deletions.confirmed.length > 0) await this.parts.aftermath.examine(mutation, before, deletions);
    return deletions.results;
  }

  /** Returns what makes further deletions pointless, or null. */
  private async deleteOne(
    mutation: Mutation,
    id: string,
    deletions: Deletions,
  ): Promise<CloudFailure | null> {
    const { pool } = mutation;
    const { clusterId } = this.parts.reads;
    try {
      await this.request(mutation, id);
    } catch (error) {
      const subject = `deleting node failed for cluster ${clusterId ?? ''} node pool "${pool.id}" node "${id}"`;
      const failure = toFailure(error, subject);
      deletions.results.set(id, failure);
      return isAboutThisWorker(error)
        ? null
        : refusal('stopped', `not tried: ${failure.message}`, failure.kind);
    }
    if (deletions.confirmed.length === 0) deletions.firstConfirmedMs = this.parts.clock.now();
    deletions.confirmed.push(id);
    deletions.results.set(id, null);
    pool.acceptDeletion(id);
    this.debug(`DeleteNodes: provider confirmed deletion of node ${id} in pool ${pool.id}`);
    this.debug(`DeleteNodes: pool ${pool.id} count decremented, new Count=${pool.snapshot.count}`);
    return null;
  }

  /** One request; where its answer is missing and a look still shows the worker, once more at most. */
  private async request(mutation: Mutation, id: string): Promise<void> {
    const { api, reads, verification, configuration } = this.parts;
    const { pool, after } = mutation;
    for (let repeats = 0; ; repeats++) {
      mutation.assertMayWrite();
      try {
        const target = { clusterId: reads.startedClusterId, poolId: pool.id };
        return await api.deleteWorker(target, id, { signal: after });
      } catch (error) {
        if (error instanceof UthoError && error.class === 'notFound') return;
        if (!isAmbiguous(error)) throw error;
        const read = await verification.look(mutation);
        if (read === null) throw error;
        if (this.isLeaving(mutation, read, id)) return;
        if (mutation.before.aborted || repeats >= configuration.maxRetries.write) throw error;
      }
    }
  }

  private isLeaving({ pool }: Mutation, { record, nodes }: ClusterRead, id: string): boolean {
    const own = record.pools.get(pool.id);
    if (own === undefined) return false;
    return hasLeft(pool.snapshotOf(own, nodes), id);
  }

  private debug(message: string): void {
    this.parts.telemetry.logger.debug('utho-delete', message);
  }
}

/** Another worker may fare better. */
function isAboutThisWorker(error: unknown): boolean {
  return error instanceof UthoError && (error.class === 'api' || error.class === 'validation');
}
