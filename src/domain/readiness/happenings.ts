import { renderGoDuration } from '../go-duration.js';
import type { CloudFailure } from '../node-group/node-group.js';

/** Something that the update noticed and others must hear of: events, metrics, logs. */
export type Happening =
  | { readonly kind: 'scale-up-completed'; readonly groupId: string; readonly tookMs: number }
  | {
      readonly kind: 'scale-up-timed-out';
      readonly groupId: string;
      readonly increase: number;
      readonly waitedMs: number;
      readonly failure: CloudFailure;
    }
  | {
      readonly kind: 'machines-failed';
      readonly groupId: string;
      readonly count: number;
      readonly failure: CloudFailure;
      readonly messages: readonly string[];
    }
  | {
      readonly kind: 'back-off-entered';
      readonly groupId: string;
      readonly untilMs: number;
      readonly failure: CloudFailure;
    }
  | { readonly kind: 'back-off-left'; readonly groupId: string };

/** An event to record, without its subject. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** At most so many source messages in one event (`scale-up` 11.3). */
const SOURCE_MESSAGES_MAX = 3;

/** The event of a happening (`interface` 5.2), or null where the field has none. */
export function eventOf(happening: Happening): EventText | null {
  if (happening.kind === 'scale-up-timed-out') {
    const waited = renderGoDuration(happening.waitedMs);
    const message = `Nodes added to group ${happening.groupId} failed to register within ${waited}`;
    return { type: 'Warning', reason: 'ScaleUpTimedOut', message };
  }
  if (happening.kind === 'machines-failed') {
    const { count, groupId, failure, messages } = happening;
    const cause = `${errorClass(failure)}.${failure.code}`;
    const shown = messages.slice(0, SOURCE_MESSAGES_MAX).join(', ');
    const sources = messages.length > SOURCE_MESSAGES_MAX ? `${shown}, ...` : shown;
    const message = `Failed adding ${count} nodes to group ${groupId} due to ${cause}; source errors: ${sources}`;
    return { type: 'Warning', reason: 'ScaleUpFailed', message };
  }
  return null;
}

/** The two classes of the field: capacity or quota, and the rest. */
export function errorClass(failure: CloudFailure): 'OutOfResource' | 'Other' {
  return failure.kind === 'stock-out' || failure.kind === 'quota' ? 'OutOfResource' : 'Other';
}
