/** Time, so that tests can run on a virtual clock. Nothing in domain or application reads another. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Settles after `ms`, or rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets other work of the process (watches, lease, health) run. Never advances time by itself. */
  yield(): Promise<void>;
}

export const Clock = Symbol('Clock');
