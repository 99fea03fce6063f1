/** Whether an expression of the operator matches the id of a group. */
export type GroupMatcher = (groupId: string) => boolean;

/** Groups that one of the expressions matches have this priority. */
export interface PriorityLevel {
  readonly priority: number;
  readonly matchers: readonly GroupMatcher[];
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

/** The highest priority whose expressions the group matches; null: none. */
export function priorityOfGroup(levels: readonly PriorityLevel[], groupId: string): number | null {
  const matching = levels.filter(({ matchers }) => matchers.some((matches) => matches(groupId)));
  return matching.length === 0 ? null : Math.max(...matching.map(({ priority }) => priority));
}
