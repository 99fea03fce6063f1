import type { StartTimer, Steps } from '../../domain/scale-up/index.js';
import type { Clock } from '../ports/clock.js';
import type { Metrics } from '../ports/metrics.js';

/** Longest time without a pause: watches, lease and health checks must stay alive. */
const SLICE_MS = 10;

/** Runs long domain work with pauses, and measures its named steps. */
export async function runSteps<Result>(
  steps: Steps<Result>,
  clock: Clock,
  metrics: Metrics,
): Promise<Result> {
  let pausedMs = clock.now();
  let stepMs = pausedMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const nowMs = clock.now();
    if (step.value !== null) {
      metrics.observe('function_duration_seconds', (nowMs - stepMs) / 1000, { function: step.value });
    }
    if (nowMs - pausedMs >= SLICE_MS) {
      await clock.yield();
      pausedMs = clock.now();
    }
    stepMs = clock.now();
  }
}

/** Time limits on this clock. */
export function timersOn(clock: Clock): StartTimer {
  return (budgetMs) => {
    const endMs = clock.now() + budgetMs;
    return () => clock.now() > endMs;
  };
}
