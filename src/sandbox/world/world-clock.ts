/** A task that waits for its time; `cancel` is idempotent. */
export interface ScheduledTask {
  cancel(): void;
}

/**
 * Time in the world. Everything that happens later (a boot, a reconcile, a watch time-out) is scheduled here and
 * nowhere else, so that one clock can be real, accelerated or virtual. Has the shape of the program's own `Clock`
 * port too, so that one object can be the time of both sides.
 */
export interface WorldClock {
  /** Milliseconds since the epoch, in world time. */
  now(): number;
  /** Runs the task once, `delayMs` of world time from now. Tasks of one moment run in the order of scheduling. */
  schedule(delayMs: number, task: () => void): ScheduledTask;
  /** Settles after `delayMs`, or rejects with the signal's reason as soon as it is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Lets other work of the process run. Never advances time by itself. */
  yield(): Promise<void>;
  /** Cancels all that is scheduled, for good: later tasks never run, and sleepers never wake. */
  stop(): void;
}
