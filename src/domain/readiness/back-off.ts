import type { CloudFailure } from '../node-group/node-group.js';
import { entryOf, keepEntries, withEntry } from './keyed.js';
import type { Keyed } from './keyed.js';
import type { ClusterStatePolicy } from './policy.js';

/** Penalty of one group after a failed growth (`scale-up` 11.1). */
export interface BackOff {
  readonly groupId: string;
  readonly durationMs: number;
  /** Last moment of the penalty. */
  readonly untilMs: number;
  readonly lastFailureMs: number;
  readonly failure: CloudFailure;
}

export interface ScaleUpFailure {
  readonly groupId: string;
  readonly atMs: number;
  readonly failure: CloudFailure;
  /** How long it took to see the failure; the penalty is never shorter. Zero for refusals. */
  readonly waitedMs: number;
}

type BackOffPolicy = Pick<ClusterStatePolicy, 'initialBackOffMs' | 'maxBackOffMs' | 'backOffResetMs'>;

export function isBackedOff(entry: BackOff | null, nowMs: number): boolean {
  return entry !== null && entry.untilMs >= nowMs;
}

/** The penalty in force, or null. */
export function activeBackOff(table: Keyed<BackOff>, groupId: string, nowMs: number): BackOff | null {
  const entry = entryOf(table, groupId);
  return isBackedOff(entry, nowMs) ? entry : null;
}

/** Doubles after an expired penalty, keeps the length while one is running, so that failures at once count as one. */
export function recordFailure(
  table: Keyed<BackOff>,
  event: ScaleUpFailure,
  policy: BackOffPolicy,
): Keyed<BackOff> {
  const known = entryOf(table, event.groupId);
  const durationMs = Math.max(nextDurationMs(known, event.atMs, policy), waitedFloorMs(event, policy));
  const entry: BackOff = {
    groupId: event.groupId,
    durationMs,
    untilMs: event.atMs + Math.max(durationMs, adviceMs(event.failure, policy)),
    lastFailureMs: event.atMs,
    failure: event.failure,
  };
  return withEntry(table, event.groupId, entry);
}

function nextDurationMs(known: BackOff | null, atMs: number, policy: BackOffPolicy): number {
  if (known === null) return policy.initialBackOffMs;
  return known.untilMs < atMs ? Math.min(2 * known.durationMs, policy.maxBackOffMs) : known.durationMs;
}

/**
 * differs from upstream: a penalty that ends before the next group's wait has failed, too, lets two dead groups free each
 * other in turn, and a healthy third one is never tried (case U050). So it is a third longer than the wait.
 */
function waitedFloorMs({ waitedMs }: ScaleUpFailure, policy: BackOffPolicy): number {
  return Math.min((waitedMs * 4) / 3, policy.maxBackOffMs);
}

/** differs from upstream: the cloud's advice is honoured, up to the life of an entry (`scale-up` 11.1 SHOULD). */
function adviceMs(failure: CloudFailure, policy: BackOffPolicy): number {
  return Math.min(failure.retryAfterMs ?? 0, policy.backOffResetMs);
}

/** Forgets groups that have not failed for the reset time. Success alone forgets nothing. */
export function dropStale(table: Keyed<BackOff>, nowMs: number, policy: BackOffPolicy): Keyed<BackOff> {
  return keepEntries(
    table,
    (_, entry) => entry.lastFailureMs + policy.backOffResetMs >= nowMs || isBackedOff(entry, nowMs),
  );
}
