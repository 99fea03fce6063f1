import type { TaintText } from '../format/texts.js';
import { parseDuration } from '../format/duration.js';

/** The autoscaler's marks on nodes, as they stand in the documents of the Go program. */
export const DELETION_CANDIDATE_TAINT = 'DeletionCandidateOfClusterAutoscaler';
export const TO_BE_DELETED_TAINT = 'ToBeDeletedByClusterAutoscaler';

interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

/** `{30m ago}` in the value becomes that moment, in Unix seconds. */
export function taintWithTimes({ key, value, effect }: TaintText, nowMs: number): Taint {
  const replaced = value.replace(/\{(\w+) ago\}/u, (whole, age: string) => {
    const ageMs = parseDuration(age);
    return ageMs === null ? whole : `${Math.floor((nowMs - ageMs) / 1_000)}`;
  });
  return { key, value: replaced, effect };
}
