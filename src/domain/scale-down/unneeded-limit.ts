import type { ScaleDownMemory } from './memory.js';
import type { ScaleDownPolicy } from './policy.js';

/** Five minutes of updates at the default scan interval: long enough to forget one hasty iteration. */
const GAPS_KEPT = 30;

/**
 * Notes the time of an update. differs from upstream: updates at the same time are ignored and old distances are
 * forgotten, so that one quick iteration does not inflate the limit for the life of the process (W19).
 */
export function withUpdate(memory: ScaleDownMemory, nowMs: number): ScaleDownMemory {
  const gapMs = memory.lastUpdateMs === null ? 0 : nowMs - memory.lastUpdateMs;
  const updateGapsMs = gapMs > 0 ? [...memory.updateGapsMs, gapMs].slice(-GAPS_KEPT) : memory.updateGapsMs;
  return { ...memory, lastUpdateMs: nowMs, updateGapsMs };
}

/**
 * How many nodes may become unneeded in one iteration (`scale-down` 2.8): what can be deleted in time, and not much more.
 *
 * differs from upstream: the first iteration drops none that is unneeded already. It knows no distance between updates
 * yet, and would forget all but a few of the times that were restored after a restart (case U002).
 */
export function unneededLimit(
  policy: Pick<ScaleDownPolicy, 'maxParallelism' | 'unneededTimeMs'>,
  memory: Pick<ScaleDownMemory, 'unneededSinceMs' | 'updateGapsMs'>,
): number {
  const { maxParallelism, unneededTimeMs } = policy;
  const unneeded = Object.keys(memory.unneededSinceMs).length;
  const gapMs = Math.max(1, Math.min(...memory.updateGapsMs, Math.max(1, unneededTimeMs)));
  const horizonMs = Math.max(unneededTimeMs, gapMs);
  const deletable = maxParallelism * Math.floor(horizonMs / gapMs) + maxParallelism;
  const kept = memory.updateGapsMs.length === 0 ? unneeded : 0;
  return Math.min(unneeded + 2 * maxParallelism, Math.max(deletable, kept));
}
