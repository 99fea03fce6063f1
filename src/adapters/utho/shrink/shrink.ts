import { CloudError } from '../../../application/ports/cloud-provider.js';
import { toCloudError } from '../client/cloud-errors.js';
import type { UthoApi } from '../client/utho-api.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import type { Mutation, Mutations } from '../mutations.js';
import { refusal, refused } from '../refusal.js';
import type { TargetedDeletion } from '../release/targeted-deletion.js';
import type { Victims } from '../release/victims.js';
import type { ClusterRead, ClusterReads } from '../state/cluster-reads.js';
import type { Pool } from '../state/pool.js';
import { livingWorkers } from '../state/pool-snapshot.js';
import type { Worker } from '../state/pool-snapshot.js';
import type { Verification } from '../state/verification.js';
import { isAmbiguous, writeFailure } from '../write-outcome.js';
import { checkSize, planWithdrawal } from './plan-withdrawal.js';
import type { WithdrawalBasis } from './plan-withdrawal.js';

export interface ShrinkParts {
  readonly api: UthoApi;
  readonly reads: ClusterReads;
  readonly mutations: Mutations;
  readonly verification: Verification;
  readonly deletion: TargetedDeletion;
  readonly victims: Victims;
  readonly configuration: Pick<UthoConfiguration, 'maxRetries' | 'legacyDecreasePayload'>;
}

/** Takes back what was ordered and not delivered, and nothing that exists (`utho` 4.5). */
export class Shrink {
  constructor(private readonly parts: ShrinkParts) {}

  /** Throws CloudError where it would have to touch a machine that may run. */
  async decrease(pool: Pool, count: number): Promise<void> {
    if (!Number.isInteger(count) || count < 1) {
      throw refused('invalid-delta', `delta must be negative, have: ${0 - count}`);
    }
    const { frozen, minSize } = pool.snapshot;
    if (frozen !== null) throw refused('frozen', `node pool ${pool.id} is not changed: ${frozen}`);
    const problem = checkSize({ id: pool.id, count: pool.target }, count, minSize);
    if (problem !== null) throw new CloudError(problem);
    await this.parts.mutations.runInTime(pool, [], async (mutation) => {
      const { fresh } = await this.parts.mutations.freshPool(mutation);
      const { minSize } = fresh;
      await this.withdraw(mutation, { fresh, count, minSize, mayCancelWorkers: true }, new Set());
    });
  }

  /** Takes the count down for placeholders of orders, in a change under way that has just read the pool. */
  async withdrawSlots(mutation: Mutation, slotIds: ReadonlySet<string>, minSize: number): Promise<void> {
    const fresh = mutation.pool.snapshot;
    await this.withdraw(mutation, { fresh, count: slotIds.size, minSize, mayCancelWorkers: false }, slotIds);
  }

  private async withdraw(
    mutation: Mutation,
    basis: Omit<WithdrawalBasis, 'unseen'>,
    slotIds: ReadonlySet<string>,
  ): Promise<void> {
    const plan = planWithdrawal({ ...basis, unseen: mutation.pool.unseenCount });
    switch (plan.kind) {
      case 'refused':
        throw new CloudError(plan.failure);
      case 'cancel':
        return this.cancel(mutation, plan.workers);
      case 'lower-count':
        return this.lower(mutation, plan.to, slotIds);
    }
  }

  private async cancel(mutation: Mutation, workers: readonly Worker[]): Promise<void> {
    const block = mutation.pool.releaseBlock;
    if (block?.holds === 'all') throw new CloudError(block.failure);
    const ids = workers.map(({ record }) => record.id);
    const results = await this.parts.deletion.delete(mutation, ids);
    const failure = [...results.values()].find((result) => result !== null);
    if (failure != null) throw new CloudError(failure);
  }

  private async lower(mutation: Mutation, target: number, slotIds: ReadonlySet<string>): Promise<void> {
    const { verification, victims } = this.parts;
    const { pool } = mutation;
    const before = pool.snapshot;
    try {
      await this.write(mutation, target, slotIds);
    } catch (error) {
      throw writeFailure(error, `node pool ${pool.id}: decrease to ${target}`);
    }
    const sighting = await verification.readUntil(mutation, (read) => this.take(pool, read, target, slotIds));
    victims.note(pool, before, new Set());
    if (sighting.isSeen) return;
    verification.failed(pool.id, 'decrease');
    const message =
      sighting.read === null
        ? toCloudError(sighting.error, `failed to read node pool after update for node group ${pool.id}`)
            .message
        : `couldn't decrease size to ${target} (delta: ${target - before.count}). Current size is: ${pool.snapshot.count}`;
    throw new CloudError(refusal('not-verified', message, 'unknown-outcome'));
  }

  /** One write; where its answer is missing and a look shows the pool unchanged, once more at most. */
  private async write(mutation: Mutation, count: number, slotIds: ReadonlySet<string>): Promise<void> {
    const { api, reads, verification, configuration } = this.parts;
    const { pool, after } = mutation;
    const { legacyDecreasePayload: legacy, maxRetries } = configuration;
    const before = pool.snapshot.count;
    for (let repeats = 0; ; repeats++) {
      mutation.assertMayWrite();
      try {
        const target = { clusterId: reads.startedClusterId, poolId: pool.id };
        return await api.setCount(target, count, { signal: after, legacy });
      } catch (error) {
        if (!isAmbiguous(error)) throw error;
        const read = await verification.look(mutation);
        if (read === null) throw error;
        if (this.take(pool, read, count, slotIds)) return;
        const isUnchanged = pool.snapshot.count === before && livingWorkers(pool.snapshot).length === 0;
        const mayRepeat = isUnchanged && pool.snapshot.frozen === null && !mutation.before.aborted;
        if (!mayRepeat || repeats >= maxRetries.write) throw error;
      }
    }
  }

  /** Whether the count is lowered; then the placeholders that it was lowered for are gone, and no others. */
  private take(pool: Pool, read: ClusterRead, count: number, slotIds: ReadonlySet<string>): boolean {
    const isLowered = (read.record.pools.get(pool.id)?.count ?? Infinity) <= count;
    if (isLowered) pool.withdrawSlots(slotIds);
    this.parts.mutations.take(pool, read);
    return isLowered;
  }
}
