import type { V1Lease } from '@kubernetes/client-node';
import type { Clock } from '../../../application/ports/clock.js';
import type { Leadership } from '../../../application/ports/leader-lock.js';
import { hasStatus } from '../writing/write-failure.js';
import type { LeaseClient } from './lease-client.js';
import { heldLease, recordText, releasedLease } from './lease-record.js';

export interface LeadershipParts {
  readonly lease: LeaseClient;
  readonly clock: Clock;
  readonly terms: {
    readonly identity: string;
    readonly leaseDurationMs: number;
    readonly renewDeadlineMs: number;
    readonly retryPeriodMs: number;
  };
  /** The lease as we wrote it. */
  readonly held: V1Lease;
  /** When that write was begun. */
  readonly renewedMs: number;
}

/** What one attempt to renew came to. */
type Renewal = 'renewed' | 'failed' | 'taken';

/** A held lease: renews it until it is released, taken by another, or can't be renewed in time. */
export class LeaseLeadership implements Leadership {
  private readonly ended = new AbortController();
  private readonly losing = new AbortController();
  private readonly renewing: Promise<void>;
  /** As last seen; null when somebody deleted it. */
  private held: V1Lease | null;
  /** Counted from the start of the renewal that succeeded: the server may have stamped it no later. */
  private renewedMs: number;
  /** The record of the last renewal that succeeded and those tried since, of which any may have been written. */
  private ours: readonly string[];

  constructor(
    private readonly parts: LeadershipParts,
    private readonly onStopped: () => void,
  ) {
    this.held = parts.held;
    this.renewedMs = parts.renewedMs;
    this.ours = [recordText(parts.held.spec)];
    this.renewing = this.keep();
  }

  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /** Gives the lease back; when it is lost or released already, nothing happens. */
  async release(): Promise<void> {
    if (this.ended.signal.aborted) return;
    this.ended.abort();
    await this.renewing;
    const { lease, clock, terms } = this.parts;
    try {
      if (this.held !== null)
        await lease.write(this.held, releasedLease(this.held, clock.now()), terms.renewDeadlineMs / 2);
    } catch {
      // Then a successor waits for the lease to run out.
    }
    this.onStopped();
  }

  private async keep(): Promise<void> {
    const { clock, terms } = this.parts;
    const { signal } = this.ended;
    for (;;) {
      const deadlineMs = this.renewedMs + terms.renewDeadlineMs;
      const pauseMs = Math.min(terms.retryPeriodMs, deadlineMs - clock.now());
      if (pauseMs > 0) await clock.sleep(pauseMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const leftMs = deadlineMs - clock.now();
      if (leftMs <= 0) return this.lose(`the lease was not renewed within ${terms.renewDeadlineMs / 1000} s`);
      // Half of the deadline at most: one call that hangs must not take the chance from the next.
      const renewal = await this.renew(Math.min(leftMs, terms.renewDeadlineMs / 2));
      if (renewal === 'taken') return this.lose('another process took the lease');
    }
  }

  private async renew(timeoutMs: number): Promise<Renewal> {
    const { lease, clock, terms } = this.parts;
    const { identity, leaseDurationMs } = terms;
    const startMs = clock.now();
    const spec = heldLease(this.held, { identity, durationMs: leaseDurationMs }, startMs);
    const text = recordText(spec);
    // Until the deadline at most, which ends a row of failures.
    this.ours = [...this.ours, text];
    try {
      this.held = await lease.write(this.held, spec, timeoutMs);
      this.ours = [text];
      this.renewedMs = startMs;
      return 'renewed';
    } catch (error) {
      return hasStatus(error, 409) || hasStatus(error, 404) ? this.lookAgain() : 'failed';
    }
  }

  /** Somebody wrote: another process, a person, or we ourselves in a call whose answer was lost. */
  private async lookAgain(): Promise<Renewal> {
    const { lease, clock, terms } = this.parts;
    // The write before took its part of the time: together they end by the deadline (L2).
    const leftMs = this.renewedMs + terms.renewDeadlineMs - clock.now();
    if (leftMs <= 0) return 'failed';
    const found = await lease.read(leftMs).catch(() => undefined);
    if (found === undefined) return 'failed';
    // Two processes of one name (host network): whoever wrote last leads, the other stops.
    if (found !== null && !this.ours.includes(recordText(found.spec))) return 'taken';
    this.held = found;
    return 'failed';
  }

  private lose(reason: string): void {
    this.ended.abort();
    this.losing.abort(new Error(reason));
    this.onStopped();
  }
}
