import { Pattern } from './patterns/pattern.js';
import { PatternError } from './patterns/expression.js';

/** Groups that match one of the patterns have this priority. */
export interface PriorityLevel {
  readonly priority: number;
  readonly patterns: readonly Pattern[];
}

/** The ConfigMap that priorities come from. */
export interface PrioritySource {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What the ConfigMap of the priority expander says (`scale-up` 7.2). */
export type GroupPriorities =
  | { readonly kind: 'valid'; readonly source: PrioritySource; readonly levels: readonly PriorityLevel[] }
  /** It is there, but says nothing that can be used. */
  | { readonly kind: 'invalid'; readonly source: PrioritySource; readonly problem: string };

/** Expressions by priority, as written. One that can't be read makes the whole invalid. */
export function groupPriorities(
  source: PrioritySource,
  expressions: readonly (readonly [priority: number, expressions: readonly string[]])[],
): GroupPriorities {
  const levels: PriorityLevel[] = [];
  for (const [priority, texts] of expressions) {
    const patterns: Pattern[] = [];
    for (const text of texts) {
      try {
        patterns.push(Pattern.of(text));
      } catch (error) {
        if (!(error instanceof PatternError)) throw error;
        const problem = `expression ${JSON.stringify(text)} of priority ${priority}: ${error.message}`;
        return { kind: 'invalid', source, problem };
      }
    }
    levels.push({ priority, patterns });
  }
  return { kind: 'valid', source, levels };
}

/** The highest priority whose patterns the group matches; null: none. */
export function priorityOfGroup(levels: readonly PriorityLevel[], groupId: string): number | null {
  const matching = levels.filter(({ patterns }) => patterns.some((pattern) => pattern.occursIn(groupId)));
  return matching.length === 0 ? null : Math.max(...matching.map(({ priority }) => priority));
}
