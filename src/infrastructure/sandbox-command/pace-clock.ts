import type { VirtualClock } from '../../sandbox/world/index.js';

/** How often time is moved on; a request that waits for time waits so much longer. */
const STEP_REAL_MS = 20;

/** Lets virtual time pass as real time does, `factor` times as fast. Returns how to stop it; that waits for the last step. */
export function paceClock(clock: VirtualClock, factor: number): () => Promise<void> {
  const startedMs = clock.now();
  const startedRealMs = performance.now();
  let stopped = false;
  const run = async (): Promise<void> => {
    while (!stopped) {
      await new Promise((resolve) => setTimeout(resolve, STEP_REAL_MS));
      const dueMs = startedMs + Math.floor((performance.now() - startedRealMs) * factor);
      await clock.advance(Math.max(0, dueMs - clock.now()));
    }
  };
  const finished = run();
  return async () => {
    stopped = true;
    await finished;
  };
}
