import type { Clock } from '../../application/ports/clock.js';

export interface Limits {
  /** Each of them ends the work. */
  readonly signals: readonly AbortSignal[];
  /** So does the time; null: there is no such limit. */
  readonly ms: number | null;
}

/**
 * Does work under a signal of its own. Leaves nothing behind on the given ones, which live as long as the program:
 * AbortSignal.any would add a little to them each time.
 */
export async function withinTime<T>(
  clock: Clock,
  { signals, ms }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  const onAbort = (): void => limit.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  if (signals.some(({ aborted }) => aborted)) onAbort();
  if (ms !== null) {
    clock.sleep(ms, done.signal).then(
      () => limit.abort(new Error(`not done within ${ms} ms`)),
      () => undefined,
    );
  }
  try {
    return await work(limit.signal);
  } finally {
    done.abort();
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  }
}
