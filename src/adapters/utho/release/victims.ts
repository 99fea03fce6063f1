import type { Clock } from '../../../application/ports/clock.js';
import type { Telemetry } from '../client/telemetry.js';
import { refusal } from '../refusal.js';
import type { Pool } from '../state/pool.js';
import { livingWorkers } from '../state/pool-snapshot.js';
import type { PoolSnapshot } from '../state/pool-snapshot.js';

/** Our decision: long enough for somebody to read the warning, short enough to try again without a restart. */
const BLOCK_MS = 60 * 60_000;

/** Notices workers that the platform removed without being told to. */
export class Victims {
  constructor(
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /** Ids of workers that left the pool since `before` and were not named. */
  note(pool: Pool, before: PoolSnapshot, named: ReadonlySet<string>): readonly string[] {
    const living = new Set(livingWorkers(pool.snapshot).map(({ record }) => record.id));
    const victims = livingWorkers(before)
      .map(({ record }) => record.id)
      .filter((id) => !named.has(id) && !living.has(id));
    if (victims.length === 0) return [];
    const message = `node pool ${pool.id} lost ${victims.join(', ')}, which nobody named, during a change`;
    this.telemetry.logger.warn('utho-unexpected-victim', message, { pool: pool.id, workers: victims });
    this.telemetry.metrics.add('utho_unexpected_victims_total', victims.length, { pool: pool.id });
    return victims;
  }

  /** A named worker stayed and another one went instead: whoever is named, one that runs may be hit. */
  blockReleases(pool: Pool): void {
    const message =
      `Utho deletes other workers of node pool ${pool.id} than those named: ` +
      `none is released there for ${BLOCK_MS / 60_000} minutes`;
    const failure = refusal('victims-not-honoured', message);
    pool.blockReleases({ untilMs: this.clock.now() + BLOCK_MS, failure, holds: 'all' });
    this.telemetry.logger.warn('victims-not-honoured', message, { pool: pool.id });
  }
}
