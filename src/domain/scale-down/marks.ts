import type { Node } from '../kubernetes/node.js';
import type { Taint } from '../kubernetes/taint.js';
import { DELETION_CANDIDATE_TAINT, TO_BE_DELETED_TAINT } from '../kubernetes/taint.js';

/** The hard mark as written now. */
export function toBeDeletedTaint(nowMs: number): Taint {
  return { key: TO_BE_DELETED_TAINT, value: unixSeconds(nowMs), effect: 'NoSchedule' };
}

/** The soft mark as written now. */
export function deletionCandidateTaint(nowMs: number): Taint {
  return { key: DELETION_CANDIDATE_TAINT, value: unixSeconds(nowMs), effect: 'PreferNoSchedule' };
}

/** When the mark was written; null where it is absent or unreadable. */
export function markedAtMs(node: Node, key: string): number | null {
  const value = node.taints.find((taint) => taint.key === key)?.value;
  return value !== undefined && /^\d+$/.test(value) ? Number(value) * 1_000 : null;
}

function unixSeconds(nowMs: number): string {
  return Math.floor(nowMs / 1_000).toString();
}
