import type { Clock } from '../../../application/ports/clock.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import type { Telemetry } from '../client/telemetry.js';
import type { Mutation } from '../mutations.js';
import { withinTime } from '../within-time.js';
import type { ClusterRead, ClusterReads } from './cluster-reads.js';

export type Operation = 'increase' | 'decrease' | 'delete';

/** How a read-back ended. */
export interface Sighting {
  readonly isSeen: boolean;
  /** The last read that succeeded, or null. */
  readonly read: ClusterRead | null;
  /** Why the last read failed; undefined when it did not. */
  readonly error: unknown;
}

/** Reads back what a write should have done: the API's answer to it proves nothing (`utho` 0.3). */
export class Verification {
  constructor(
    private readonly reads: ClusterReads,
    private readonly configuration: Pick<UthoConfiguration, 'verifyTimeoutMs' | 'verifyIntervalMs'>,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /** Looks again and again until it shows or the time is over, and never longer. Never rejects. */
  async readUntil({ after }: Mutation, shows: (read: ClusterRead) => boolean): Promise<Sighting> {
    const { verifyTimeoutMs, verifyIntervalMs } = this.configuration;
    return withinTime(this.clock, { signals: [after], ms: verifyTimeoutMs }, async (signal) => {
      let [read, error]: [ClusterRead | null, unknown] = [null, undefined];
      for (;;) {
        try {
          read = await this.reads.read(signal);
          error = undefined;
          if (shows(read)) return { isSeen: true, read, error };
        } catch (cause) {
          error = cause;
        }
        if (signal.aborted) return { isSeen: false, read, error };
        await this.clock.sleep(verifyIntervalMs, signal).catch(() => undefined);
        if (signal.aborted) return { isSeen: false, read, error };
      }
    });
  }

  /** One look, in place of an answer that did not come. Null where that failed, too. */
  async look({ after }: Mutation): Promise<ClusterRead | null> {
    const limits = { signals: [after], ms: this.configuration.verifyTimeoutMs };
    return withinTime(this.clock, limits, (signal) => this.reads.read(signal).catch(() => null));
  }

  failed(poolId: string, operation: Operation): void {
    this.telemetry.metrics.add('utho_verification_failures_total', 1, { pool: poolId, operation });
  }
}
