import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { GrowthResult } from '../../../application/ports/cloud-provider.js';
import { toCloudError } from '../client/cloud-errors.js';
import type { UthoApi } from '../client/utho-api.js';
import type { Telemetry } from '../client/telemetry.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import { tellForeignChange } from '../foreign-change.js';
import type { Mutation, Mutations } from '../mutations.js';
import { refusal, refused } from '../refusal.js';
import type { ClusterReads } from '../state/cluster-reads.js';
import type { Pool, Reservation } from '../state/pool.js';
import type { Sighting, Verification } from '../state/verification.js';
import { isAmbiguous, mayHaveHappened, writeFailure } from '../write-outcome.js';
import { growthTarget } from './growth-target.js';

export interface GrowthParts {
  readonly api: UthoApi;
  readonly reads: ClusterReads;
  readonly mutations: Mutations;
  readonly verification: Verification;
  readonly configuration: Pick<UthoConfiguration, 'maxRetries'>;
  readonly telemetry: Telemetry;
}

interface Order {
  readonly delta: number;
  /** Count before. */
  readonly fresh: number;
  /** Count asked for. */
  readonly target: number;
}

/** Raises the count of a pool, and sees to it that it was raised (`utho` 4.4). */
export class Growth {
  constructor(private readonly parts: GrowthParts) {}

  /** Throws CloudError where nothing was accepted. */
  async increase(pool: Pool, delta: number, signal: AbortSignal): Promise<GrowthResult> {
    checkDelta(pool, delta);
    this.debug(`IncreaseSize: requested delta=${delta} for node group ${pool.id}`);
    const reservation = pool.reserve(delta);
    const work = (mutation: Mutation): Promise<GrowthResult> => this.grow(mutation, delta, reservation);
    return this.parts.mutations.runInTime(pool, [signal], work, () => reservation.end());
  }

  /** Within a change of the pool that is under way. Throws CloudError where nothing was accepted. */
  async growWithin(mutation: Mutation, delta: number): Promise<GrowthResult> {
    const reservation = mutation.pool.reserve(delta);
    try {
      return await this.grow(mutation, delta, reservation);
    } finally {
      reservation.end();
    }
  }

  private async grow(mutation: Mutation, delta: number, reservation: Reservation): Promise<GrowthResult> {
    const { pool } = mutation;
    const cached = pool.snapshot.count;
    const { fresh } = await this.parts.mutations.freshPool(mutation);
    const target = growthTarget({ fresh: fresh.count, cached, delta, unseen: pool.unseenCount });
    if (target === fresh.count) return { accepted: delta, failure: null };
    checkMaximum({ current: fresh.count, desired: target, max: fresh.maxSize });
    reservation.aim(target);
    return this.order(mutation, { delta, fresh: fresh.count, target });
  }

  private async order(mutation: Mutation, order: Order): Promise<GrowthResult> {
    const { pool } = mutation;
    try {
      await this.write(mutation, order.target);
    } catch (error) {
      const subject = `node pool ${pool.id}: growth to ${order.target} of plan ${pool.snapshot.planId}`;
      throw writeFailure(error, subject);
    }
    const sighting = await this.parts.verification.readUntil(mutation, (read) => {
      this.parts.mutations.take(pool, read);
      return pool.snapshot.count >= order.target;
    });
    if (!sighting.isSeen) return this.unverified(pool, order, sighting);
    const { count } = pool.snapshot;
    this.debug(`IncreaseSize: node group ${pool.id} count updated, new Count=${count}`);
    tellForeignChange(this.parts.telemetry, { poolId: pool.id, from: order.target, to: count });
    return { accepted: order.delta, failure: null };
  }

  /** One write; where its answer is missing and a look shows no effect, once more at most (`utho` 3.9). */
  private async write(mutation: Mutation, target: number): Promise<void> {
    const { api, reads, mutations, verification, configuration } = this.parts;
    const { pool, after } = mutation;
    const takeBack = pool.expectCount(target);
    let isHarmless = true;
    for (let repeats = 0; ; repeats++) {
      try {
        mutation.assertMayWrite();
        this.debug(
          `IncreaseSize: calling UpdateNodePool with targetSize=${target} for node group ${pool.id}`,
        );
        const place = { clusterId: reads.startedClusterId, poolId: pool.id };
        return await api.setCount(place, target, { signal: after });
      } catch (error) {
        isHarmless &&= !mayHaveHappened(error);
        const read = isAmbiguous(error) ? await verification.look(mutation) : null;
        if (read !== null) mutations.take(pool, read);
        if (read !== null && pool.snapshot.count >= target) return;
        const mayRepeat = read !== null && pool.snapshot.frozen === null && !mutation.before.aborted;
        if (mayRepeat && repeats < configuration.maxRetries.write) continue;
        if (isHarmless) takeBack();
        throw error;
      }
    }
  }

  /** The write was accepted, and no read shows it. What came in part counts; for the rest the platform may still deliver. */
  private unverified(pool: Pool, order: Order, { read, error }: Sighting): GrowthResult {
    this.parts.verification.failed(pool.id, 'increase');
    const seen = pool.snapshot.count;
    const message =
      read === null
        ? toCloudError(error, `failed to read node pool after update for node group ${pool.id}`).message
        : `couldn't increase size to ${order.target} (delta: ${order.delta}). Current size is: ${seen}`;
    const failure = refusal('not-verified', `${message}; Utho may still deliver`, 'unknown-outcome');
    const accepted = Math.min(order.delta, seen - order.fresh);
    if (accepted < 1) throw new CloudError(failure);
    return { accepted, failure };
  }

  private debug(message: string): void {
    this.parts.telemetry.logger.debug('utho-increase', message);
  }
}

function checkDelta(pool: Pool, delta: number): void {
  if (!Number.isInteger(delta) || delta < 1) {
    throw refused('invalid-delta', `delta must be positive, have: ${delta}`);
  }
  const { frozen, maxSize } = pool.snapshot;
  if (frozen !== null) throw refused('frozen', `node pool ${pool.id} is not changed: ${frozen}`);
  checkMaximum({ current: pool.target, desired: pool.target + delta, max: maxSize });
}

function checkMaximum(size: {
  readonly current: number;
  readonly desired: number;
  readonly max: number;
}): void {
  if (size.desired <= size.max) return;
  const sizes = `current: ${size.current} desired: ${size.desired} max: ${size.max}`;
  throw refused('max-size', `size increase is too large. ${sizes}`);
}
