import type { CloudFailure } from '../../../domain/node-group/node-group.js';

/** What was done of a list of deletions. */
export interface Deletions {
  /** Null: the API confirmed it, or the worker was gone. */
  readonly results: Map<string, CloudFailure | null>;
  /** Workers whose deletion the API confirmed, in the order of the confirmations. */
  readonly confirmed: string[];
  /** When the first was confirmed. */
  firstConfirmedMs: number;
}
