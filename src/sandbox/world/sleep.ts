import type { ScheduledTask, WorldClock } from './world-clock.js';

/** `WorldClock.sleep`, in terms of `schedule`. */
export function sleepOn(
  clock: Pick<WorldClock, 'schedule'>,
  delayMs: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const timer: { task?: ScheduledTask } = {};
    const onAbort = (): void => {
      timer.task?.cancel();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    timer.task = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}

/** One turn of the event loop: all promises, microtasks and next-ticks that are ready run to their ends. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
