import type { V1Lease } from '@kubernetes/client-node';
import { isHeld, recordText } from './lease-record.js';

/**
 * What we saw of the lease, by our own clock: a holder whose clock is wrong neither loses its lease early nor keeps
 * it for ever (L3).
 */
export class LeaseObserver {
  private seen: { readonly text: string; readonly atMs: number } | null = null;

  /** Notes the lease as read at `nowMs`. */
  observe(lease: V1Lease, nowMs: number): void {
    const text = recordText(lease.spec);
    if (this.seen?.text !== text) this.seen = { text, atMs: nowMs };
  }

  /** When the lease as last seen is free: at once without a holder, else its duration after it last changed. */
  freeAtMs(lease: V1Lease, fallbackDurationMs: number): number {
    if (!isHeld(lease) || this.seen === null) return 0;
    const seconds = lease.spec?.leaseDurationSeconds;
    return this.seen.atMs + (seconds === undefined ? fallbackDurationMs : seconds * 1000);
  }
}
