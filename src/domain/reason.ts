/**
 * Why something was decided, or not. Every 'yes' and every 'no' carries one; logs, events, status and
 * `explain` all render it with {@link renderReason}, so they can't disagree.
 */
export interface Reason {
  /**
   * Stable code of the rule that spoke: a scheduler plugin (`NodeResourcesFit`), a group rule
   * (`MaxSizeReached`), an unremovable reason (`NoPlaceToMovePods`). Callers branch on this, never on the text.
   */
  readonly rule: string;
  /** The field's wording, as it stands in events: `Insufficient cpu`. */
  readonly text: string;
  /** What was judged: a node, pod, group, resource or budget by name. */
  readonly subject?: string;
  readonly asked?: number | string;
  readonly free?: number | string;
  readonly limit?: number | string;
}

/** One line for people: `Insufficient cpu (cpu, asked 750m, free 300m, limit 2)`. */
export function renderReason(reason: Reason): string {
  const details = [
    reason.subject ?? '',
    reason.asked === undefined ? '' : `asked ${reason.asked}`,
    reason.free === undefined ? '' : `free ${reason.free}`,
    reason.limit === undefined ? '' : `limit ${reason.limit}`,
  ].filter((part) => part !== '');
  return details.length === 0 ? reason.text : `${reason.text} (${details.join(', ')})`;
}
