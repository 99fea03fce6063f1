import { entryOf } from '../readiness/keyed.js';
import type { Reason } from '../reason.js';
import type { ScaleDownMemory } from './memory.js';
import type { ScaleDownPolicy } from './policy.js';

/** What the cooldown depends on besides policy and memory. */
export interface CooldownInput {
  readonly nowMs: number;
  /** The loop forbids deletions in this iteration, and says why; null: it does not. */
  readonly forbidden: Reason | null;
}

/** Why nothing is deleted in this iteration, or null (`scale-down` 7.2). Timers keep running meanwhile. */
export function cooldown(
  policy: ScaleDownPolicy,
  memory: ScaleDownMemory,
  { nowMs, forbidden }: CooldownInput,
): Reason | null {
  if (forbidden !== null) return forbidden;
  if (policy.delayPerGroup) return null;
  return (
    running('DelayAfterAdd', 'after a scale-up', memory.lastScaleUpMs + policy.delayAfterAddMs, nowMs) ??
    running(
      'DelayAfterFailure',
      'after a failure',
      memory.lastFailureMs + policy.delayAfterFailureMs,
      nowMs,
    ) ??
    running('DelayAfterDelete', 'after a deletion', memory.lastDeletionMs + policy.delayAfterDeleteMs, nowMs)
  );
}

/** Why the nodes of one group are no candidates, or null (`scale-down` 7.3); only with local delays. */
export function groupCooldown(
  policy: ScaleDownPolicy,
  memory: ScaleDownMemory,
  groupId: string,
  nowMs: number,
): Reason | null {
  const activity = policy.delayPerGroup ? entryOf(memory.groupActivity, groupId) : null;
  if (activity === null) return null;
  const after = (startMs: number | null, delayMs: number) => (startMs === null ? nowMs : startMs + delayMs);
  return (
    running('DelayAfterAdd', 'after a scale-up', after(activity.scaleUpMs, policy.delayAfterAddMs), nowMs) ??
    running(
      'DelayAfterFailure',
      'after a failure',
      after(activity.failureMs, policy.delayAfterFailureMs),
      nowMs,
    ) ??
    running(
      'DelayAfterDelete',
      'after a deletion',
      after(activity.deletionMs, policy.delayAfterDeleteMs),
      nowMs,
    )
  );
}

function running(rule: string, after: string, endsMs: number, nowMs: number): Reason | null {
  if (endsMs <= nowMs) return null;
  return { rule, text: `waits ${after}`, limit: `${Math.ceil((endsMs - nowMs) / 1_000)}s left` };
}
