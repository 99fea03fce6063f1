import type { EventText } from '../readiness/happenings.js';
import type { Choice } from './choose-option.js';
import type { GroupPriorities } from './group-priorities.js';

/** What the operator must hear of the priorities after they were asked for (`scale-up` 7.2). */
export function priorityEvents(
  choice: Choice | null,
  priorities: GroupPriorities | null,
): readonly EventText[] {
  const judged = (choice?.verdicts ?? []).flatMap(({ option, scores }) =>
    scores
      .filter(({ expander }) => expander === 'priority')
      .map(({ score }) => ({ groupId: option.groupId, isMatched: score !== Infinity })),
  );
  if (judged.length === 0 || priorities === null) return [];
  if (priorities.kind === 'invalid') {
    const message = `the priorities of node groups are not used: ${priorities.problem}`;
    return [{ type: 'Warning', reason: 'PriorityConfigMapInvalid', message }];
  }
  const unmatched = judged.filter(({ isMatched }) => !isMatched).map(({ groupId }) => groupId);
  if (unmatched.length === judged.length) {
    const message = 'no node group that could grow matches an expression: priorities do not choose';
    return [{ type: 'Warning', reason: 'PriorityConfigMapNoGroupMatched', message }];
  }
  return unmatched.map((groupId) => {
    const message = `node group ${groupId} matches no expression and is not used`;
    return { type: 'Warning', reason: 'PriorityConfigMapNotMatchedGroup', message };
  });
}
