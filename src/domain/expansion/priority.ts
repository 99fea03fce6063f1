import type { ScoringExpander } from './expander.js';
import { priorityOfGroup } from './group-priorities.js';

/**
 * Prefers the groups that the operator has given the highest priority (`scale-up` 7.2). A group that no expression
 * matches loses to every other; where none is matched, or nothing usable is configured, all are kept.
 *
 * differs from upstream: any integer is a priority, also below -1.
 */
export const priorityExpander: ScoringExpander = {
  name: 'priority',
  score: ({ groupId }, { priorities }) => {
    if (priorities?.kind !== 'valid') return 0;
    const priority = priorityOfGroup(priorities.levels, groupId);
    return priority === null ? Infinity : -priority;
  },
};
