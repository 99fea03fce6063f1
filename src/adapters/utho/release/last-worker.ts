import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { Telemetry } from '../client/telemetry.js';
import type { Growth } from '../growth/growth.js';
import type { Mutation } from '../mutations.js';
import type { PoolSnapshot } from '../state/pool-snapshot.js';
import { keyOf } from './admit.js';
import type { Request } from './admit.js';

/** Our decision, as long as the engine's first back-off: a pool in which every worker fails must not order in a circle. */
const PAUSE_MS = 5 * 60_000;

export interface LastWorkerParts {
  readonly growth: Growth;
  readonly configuration: { readonly allowScaleToZero: boolean };
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/**
 * The last worker of a pool can't be deleted, since the count must not become 0. Where it never came up, that would
 * leave the pool with a dead worker for ever; so another one is ordered first.
 */
export class LastWorker {
  constructor(private readonly parts: LastWorkerParts) {}

  /** Returns the pool as it is then. A replacement that can't be ordered is told; the deletion is refused as before. */
  async replace(
    mutation: Mutation,
    fresh: PoolSnapshot,
    requests: readonly Request[],
  ): Promise<PoolSnapshot> {
    const { pool } = mutation;
    const isPaused = pool.replacedMs + PAUSE_MS > this.parts.clock.now();
    // Where the platform replaces or confuses what is deleted, each order would stay.
    if (isPaused || pool.releaseBlock !== null || !this.isDue(fresh, requests)) return fresh;
    pool.replacedMs = this.parts.clock.now();
    const text = `no worker of node pool ${pool.id} came up, another one is ordered before the last one goes`;
    this.parts.telemetry.logger.warn('utho-last-worker', text, { pool: pool.id });
    try {
      await this.parts.growth.growWithin(mutation, 1);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      const { message } = error;
      this.parts.telemetry.logger.warn('utho-last-worker', `not ordered: ${message}`, { pool: pool.id });
    }
    return pool.snapshot;
  }

  private isDue(fresh: PoolSnapshot, requests: readonly Request[]): boolean {
    const leaving = requests.filter(({ judged }) => judged.kind === 'worker');
    const neverCameUp = leaving.every(({ machine }) => machine.cause !== 'scale-down');
    const machines = new Set(leaving.map(keyOf));
    return (
      !this.parts.configuration.allowScaleToZero &&
      neverCameUp &&
      machines.size > 0 &&
      machines.size >= fresh.count &&
      fresh.count < fresh.maxSize
    );
  }
}
