import type { Pod } from '../kubernetes/pod.js';
import type { Choice } from '../expansion/choose-option.js';
import type { SizeChange } from '../node-group/distribute.js';
import type { Reason } from '../reason.js';
import type { TypedError } from './combine-errors.js';
import type { ScaleUpResult } from './result.js';

/** Reasons by group id. */
export type ReasonsByGroup = ReadonlyMap<string, readonly Reason[]>;

/** What a plan means for the pods of one class. */
export interface ClassReport {
  readonly classId: number;
  readonly pods: readonly Pod[];
  /** The first so many pods get a place on the new nodes. */
  readonly triggered: number;
  /**
   * The other pods: `awaiting` can be helped by some group, in a later round or iteration; `remaining` can't be helped
   * as things are.
   */
  readonly others: 'awaiting' | 'remaining';
  /** Groups whose fresh node would not do, and why. */
  readonly rejected: ReasonsByGroup;
  /** Groups that may not grow now, and why. */
  readonly skipped: ReasonsByGroup;
}

/** What to grow and why, and what that means for every pending pod. */
export interface ScaleUpPlan {
  readonly result: ScaleUpResult;
  /** In the order in which they are to be carried out. Empty unless the result is `ScaleUpSuccessful`. */
  readonly increases: readonly SizeChange[];
  /** The chosen option and those that lost, with scores; null where there was none. */
  readonly choice: Choice | null;
  readonly reports: readonly ClassReport[];
  /** Groups that were looked at, in the provider's order. */
  readonly consideredGroupIds: readonly string[];
  /** `--max-nodes-total`, where it cut the growth. */
  readonly maxNodesReached: number | null;
  /** Resource names of quotas that kept a group from growing, one entry for each group and resource. */
  readonly limitHits: readonly string[];
  readonly error: TypedError | null;
}
