import type { Clock } from '../../../application/ports/clock.js';
import type { Telemetry } from '../client/telemetry.js';
import type { UthoApi } from '../client/utho-api.js';
import { toFailure } from '../client/cloud-errors.js';
import type { Mutation, Mutations } from '../mutations.js';
import { refusal } from '../refusal.js';
import type { ClusterRead, ClusterReads } from '../state/cluster-reads.js';
import { hasLeft, livingWorkers, workerOf } from '../state/pool-snapshot.js';
import type { Pool } from '../state/pool.js';
import type { PoolSnapshot } from '../state/pool-snapshot.js';
import type { Sighting, Verification } from '../state/verification.js';
import { withinTime } from '../within-time.js';
import { mayHaveHappened } from '../write-outcome.js';
import type { Deletions } from './deletions.js';
import type { Victims } from './victims.js';

/**
 * The platform replaces a worker "after a small amount of time". Our decision: within so long of the first confirmed
 * deletion no replacement is there yet, so a lower count can hit nothing.
 */
const CORRECTION_MS_MAX = 5_000;
/**
 * The platform gets so long to lower the count by itself, and all the time that the deletion takes: twice lowered would
 * kill a worker.
 */
const CORRECTION_MS_MIN = 3_000;
/**
 * Our decision: where the count stays, the platform replaces what is deleted, and every deletion is a drain and a new
 * machine for nothing. So it is tried again this seldom.
 */
const REPLACED_BLOCK_MS = 15 * 60_000;

export interface AftermathParts {
  readonly api: UthoApi;
  readonly reads: ClusterReads;
  readonly mutations: Mutations;
  readonly verification: Verification;
  readonly victims: Victims;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

interface Case {
  readonly mutation: Mutation;
  readonly before: PoolSnapshot;
  readonly deletions: Deletions;
}

/** Looks what confirmed deletions did: the platform has the last word on what it removes (`utho` 4.6 step 6). */
export class Aftermath {
  constructor(private readonly parts: AftermathParts) {}

  /** Enters workers that stay into the results. */
  async examine(mutation: Mutation, before: PoolSnapshot, deletions: Deletions): Promise<void> {
    const done = { mutation, before, deletions };
    const sighting = await this.parts.verification.readUntil(mutation, (read) => this.isSettled(done, read));
    if (sighting.read === null) return this.tellUnseen(done, sighting);
    this.parts.mutations.take(mutation.pool, sighting.read);
    const hasStayed = this.noteStayed(done);
    if (!hasStayed) await this.correctCount(done, sighting.isSeen);
    const victims = this.parts.victims.note(mutation.pool, before, new Set(deletions.confirmed));
    if (hasStayed && victims.length > 0) this.parts.victims.blockReleases(mutation.pool);
  }

  /**
   * All named workers are gone or leaving, and the count is lowered; or it is not, and may be by us now. Otherwise the
   * platform has the rest of the time to do it.
   */
  private isSettled(
    { mutation: { pool }, before, deletions }: Case,
    { record, nodes }: ClusterRead,
  ): boolean {
    const own = record.pools.get(pool.id);
    if (own === undefined) return !record.brokenPools.some(({ id }) => id === pool.id);
    const seen = pool.snapshotOf(own, nodes);
    const ids = deletions.confirmed;
    if (!ids.every((id) => hasLeft(seen, id))) return false;
    if (seen.count !== before.count) return true;
    const areGone = ids.every((id) => workerOf(seen, id) === undefined);
    return areGone && this.isTimeToCorrect(deletions);
  }

  private noteStayed({ mutation: { pool }, deletions }: Case): boolean {
    const stayed = livingWorkers(pool.snapshot).filter(({ record }) =>
      deletions.confirmed.includes(record.id),
    );
    for (const { record } of stayed) {
      const message = `worker ${record.id} of node pool ${pool.id} is still ${record.status}, although Utho confirmed its deletion`;
      deletions.results.set(record.id, refusal('still-there', message, 'unknown-outcome'));
      this.parts.telemetry.logger.warn('utho-worker-stays', message);
    }
    if (stayed.length > 0) this.parts.verification.failed(pool.id, 'delete');
    return stayed.length > 0;
  }

  /**
   * Where the count was not lowered, so that the platform would replace the workers: lowers it while that is safe.
   * `isTime`: the workers are gone, and were so in time.
   */
  private async correctCount({ mutation, before, deletions }: Case, isTime: boolean): Promise<void> {
    const { pool } = mutation;
    const wanted = before.count - deletions.confirmed.length;
    if (pool.snapshot.frozen !== null || pool.snapshot.count !== before.count) return;
    const ids = deletions.confirmed.join(', ');
    const text = `the count of node pool ${pool.id} is still ${before.count} after the deletion of ${ids}`;
    if (!isTime || !this.mayCorrect(pool, wanted)) {
      this.leaveCount(pool, `${text}; it is left so, and Utho may replace them`);
      return;
    }
    this.warn(`${text}; it is set to ${wanted}, so that Utho does not replace them`, pool.id);
    await this.lower(mutation, wanted);
  }

  private async lower(mutation: Mutation, wanted: number): Promise<void> {
    const { api, reads, verification, mutations, clock } = this.parts;
    const { pool, after } = mutation;
    const place = { clusterId: reads.startedClusterId, poolId: pool.id };
    // A write that is under way for longer would meet the replacement.
    const limits = { signals: [after], ms: CORRECTION_MS_MAX };
    try {
      mutation.assertMayWrite();
      await withinTime(clock, limits, (signal) => api.setCount(place, wanted, { signal }));
    } catch (error) {
      const { message } = toFailure(error, `the count of node pool ${pool.id} was not set to ${wanted}`);
      if (!mayHaveHappened(error)) return this.leaveCount(pool, message);
      this.warn(message, pool.id);
    }
    const { isSeen } = await verification.readUntil(mutation, (read) => {
      mutations.take(pool, read);
      return pool.snapshot.count <= wanted;
    });
    if (isSeen) return;
    verification.failed(pool.id, 'delete');
    this.leaveCount(pool, `the count of node pool ${pool.id} does not fall to ${wanted}`);
  }

  /** Above the maximum the platform may cut a count down to it, and kill what is too much. */
  private mayCorrect({ snapshot, unseenCount }: Pool, wanted: number): boolean {
    const { unreadable, maxSize } = snapshot;
    const isWhole = unseenCount === 0 && unreadable === 0;
    return isWhole && livingWorkers(snapshot).length === wanted && wanted >= 1 && wanted <= maxSize;
  }

  private leaveCount(pool: Pool, text: string): void {
    const minutes = REPLACED_BLOCK_MS / 60_000;
    const message = `${text}; no running worker is released there for ${minutes} minutes`;
    const failure = refusal('count-not-lowered', message, 'transient');
    const untilMs = this.parts.clock.now() + REPLACED_BLOCK_MS;
    pool.blockReleases({ untilMs, failure, holds: 'running' });
    this.warn(message, pool.id);
  }

  private isTimeToCorrect({ firstConfirmedMs }: Deletions): boolean {
    const sinceMs = this.parts.clock.now() - firstConfirmedMs;
    return sinceMs >= CORRECTION_MS_MIN && sinceMs <= CORRECTION_MS_MAX;
  }

  private tellUnseen({ mutation: { pool }, deletions }: Case, { error }: Sighting): void {
    this.parts.verification.failed(pool.id, 'delete');
    const ids = deletions.confirmed.join(', ');
    this.warn(
      toFailure(error, `node pool ${pool.id} could not be read after the deletion of ${ids}`).message,
      pool.id,
    );
  }

  private warn(message: string, pool: string): void {
    this.parts.telemetry.logger.warn('utho-delete-verification', message, { pool });
  }
}
