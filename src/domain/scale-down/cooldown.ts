import { renderGoDuration } from '../go-duration.js';
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
    afterScaleUp(memory.lastScaleUpMs, policy, nowMs) ??
    afterFailure(memory.lastFailureMs, policy, nowMs) ??
    afterDeletion(memory.lastDeletionMs, policy, nowMs)
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
  return (
    afterScaleUp(activity.scaleUpMs, policy, nowMs) ??
    afterFailure(activity.failureMs, policy, nowMs) ??
    afterDeletion(activity.deletionMs, policy, nowMs)
  );
}

type Start = number | null;

function afterScaleUp(startMs: Start, { delayAfterAddMs }: ScaleDownPolicy, nowMs: number): Reason | null {
  return running(
    { rule: 'DelayAfterAdd', what: 'the last scale-up', startMs, delayMs: delayAfterAddMs },
    nowMs,
  );
}

function afterFailure(
  startMs: Start,
  { delayAfterFailureMs }: ScaleDownPolicy,
  nowMs: number,
): Reason | null {
  const what = 'the last failed deletion of a node';
  return running({ rule: 'DelayAfterFailure', what, startMs, delayMs: delayAfterFailureMs }, nowMs);
}

function afterDeletion(
  startMs: Start,
  { delayAfterDeleteMs }: ScaleDownPolicy,
  nowMs: number,
): Reason | null {
  const what = 'the last deletion of a node';
  return running({ rule: 'DelayAfterDelete', what, startMs, delayMs: delayAfterDeleteMs }, nowMs);
}

interface Delay {
  readonly rule: string;
  readonly what: string;
  /** Null: it never happened. */
  readonly startMs: Start;
  readonly delayMs: number;
}

/** `the last scale-up was less than 10m0s ago, 6s to go`. */
function running({ rule, what, startMs, delayMs }: Delay, nowMs: number): Reason | null {
  const leftMs = startMs === null ? 0 : startMs + delayMs - nowMs;
  if (leftMs <= 0) return null;
  const left = renderGoDuration(Math.ceil(leftMs / 1_000) * 1_000);
  return { rule, text: `${what} was less than ${renderGoDuration(delayMs)} ago, ${left} to go` };
}
