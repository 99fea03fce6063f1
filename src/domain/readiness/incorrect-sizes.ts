import { registeredCount } from './readiness-counts.js';
import type { ReadinessCounts } from './readiness-counts.js';

/** A group whose nodes and target disagree for no known reason (`scale-up` 3.8). */
export interface IncorrectSize {
  readonly registered: number;
  readonly target: number;
  /** Since when both numbers are as they are. */
  readonly firstObservedMs: number;
}

/** Null when the size is right. `counts` null: nothing is known of the group, nothing is judged. */
export function judgeSize(
  target: number,
  counts: ReadinessCounts | null,
  known: IncorrectSize | null,
  nowMs: number,
): IncorrectSize | null {
  if (counts === null) return null;
  const registered = registeredCount(counts);
  const onTheWay = counts.unregistered.length + counts.longUnregistered.length;
  if (registered <= target && registered >= target - onTheWay) return null;
  const isSame = known?.registered === registered && known.target === target;
  return { registered, target, firstObservedMs: isSame ? known.firstObservedMs : nowMs };
}
