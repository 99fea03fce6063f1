import type { Question } from '../cluster.js';

/**
 * One filter of kube-scheduler. `preFilter` answers for the pod as a whole (the node of the question is not to be
 * read): a reason that rejects it everywhere, the only node names that may be tried, or nothing to say.
 */
export interface Plugin {
  readonly name: string;
  preFilter?(question: Question): PreFilterAnswer | null;
  /** Reasons in order; empty: the node passes. */
  filter(question: Question): readonly string[];
}

export type PreFilterAnswer = { readonly rejection: string } | { readonly nodeNames: ReadonlySet<string> };
