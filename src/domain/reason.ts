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
  /**
   * How `asked` and `limit` are to be read. `utilization`: a share of the subject, 0 to 1, and its threshold. `duration`:
   * how long it has lasted, of how long it should.
   */
  readonly measure?: 'utilization' | 'duration';
}

/**
 * One line for people: `Insufficient cpu (asked 750m, free 300m, limit 2)`. A subject that the text names already is not
 * said again.
 */
export function renderReason(reason: Reason): string {
  if (reason.measure === 'duration') return `${reason.text} (${reason.asked ?? 0} of ${reason.limit ?? 0})`;
  if (reason.measure === 'utilization') return `${reason.text} (${renderUtilization(reason)})`;
  const subject = reason.subject ?? '';
  const details = [
    wordsOf(reason.text).includes(subject) ? '' : subject,
    reason.asked === undefined ? '' : `asked ${reason.asked}`,
    reason.free === undefined ? '' : `free ${reason.free}`,
    reason.limit === undefined ? '' : `limit ${reason.limit}`,
  ].filter((part) => part !== '');
  return details.length === 0 ? reason.text : `${reason.text} (${details.join(', ')})`;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,:;()]+/);
}

/** `cpu utilization 30%, threshold 50%`. */
function renderUtilization({ subject, asked, limit }: Reason): string {
  return `${subject ?? ''} utilization ${percent(asked)}, threshold ${percent(limit)}`.trimStart();
}

function percent(share: number | string | undefined): string {
  return `${Math.round(Number(share) * 1_000) / 10}%`;
}
