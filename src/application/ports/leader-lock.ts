/**
 * Leadership over a Lease (`interface` 6). Rules, each a test of `test/contract/leader-lock`:
 *
 * - L1 `acquire` settles once this process holds the lease, and waits as long as another holder renews it.
 * - L2 `lost` aborts when the lease could not be renewed within the renew deadline or another holder took it.
 *   From then on nothing may be written.
 * - L3 Expiry is judged by the time at which *we* last saw the record change, not by the holder's clock.
 * - L4 `release` gives a held lease back at once, so that a successor need not wait.
 */
export interface LeaderLock {
  acquire(signal: AbortSignal): Promise<Leadership>;
}

export interface Leadership {
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export const LeaderLock = Symbol('LeaderLock');
