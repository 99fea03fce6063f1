/** A task that waits for its time; `cancel` is idempotent. */
export interface ScheduledTask {
  cancel(): void;
}

/**
 * Time in the world. Everything that happens later (a boot, a reconcile, a watch time-out) is scheduled here and
 * nowhere else, so that one clock can be real, accelerated or virtual.
 */
export interface WorldClock {
  /** Milliseconds since the epoch, in world time. */
  now(): number;
  /** Runs the task once, `delayMs` of world time from now. Tasks of one moment run in the order of scheduling. */
  schedule(delayMs: number, task: () => void): ScheduledTask;
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Cancels all that is scheduled. */
  stop(): void;
}
