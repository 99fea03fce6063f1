import { entryOf, withEntry } from './keyed.js';
import type { Keyed } from './keyed.js';

/** What was asked of one group and has not shown up yet (`scale-up` 3.7). */
export interface ScaleUpRequest {
  readonly groupId: string;
  readonly requestedMs: number;
  /** By then all machines must have joined. */
  readonly expectedMs: number;
  readonly increase: number;
}

export interface RequestChange {
  readonly groupId: string;
  /** Positive: machines asked for. Negative: machines that are known not to come. */
  readonly delta: number;
  readonly atMs: number;
  readonly provisionTimeMs: number;
}

/** Enters a change of size; only growth restarts the clock. */
export function registerScaleUp(
  requests: Keyed<ScaleUpRequest>,
  change: RequestChange,
): Keyed<ScaleUpRequest> {
  const { groupId, delta, atMs } = change;
  const known = entryOf(requests, groupId);
  const times = { requestedMs: atMs, expectedMs: atMs + change.provisionTimeMs };
  if (known === null) {
    return delta > 0 ? withEntry(requests, groupId, { groupId, increase: delta, ...times }) : requests;
  }
  const increase = known.increase + delta;
  if (increase <= 0) return withEntry(requests, groupId, null);
  return withEntry(requests, groupId, { ...known, increase, ...(delta > 0 ? times : {}) });
}
