import type { ExpansionContext } from './expansion-context.js';
import type { ExpansionOption } from './expansion-option.js';

/** Names that `--expander` accepts (`scale-up` 7). */
export const EXPANDER_NAMES = [
  'random',
  'most-pods',
  'least-waste',
  'least-nodes',
  'price',
  'priority',
  'grpc',
] as const;
export type ExpanderName = (typeof EXPANDER_NAMES)[number];

/** Keeps the options with the lowest score; ties are kept, also where every score is infinite. Never NaN. */
export interface ScoringExpander {
  readonly name: ExpanderName;
  readonly score: (option: ExpansionOption, context: ExpansionContext) => number;
}

/** Keeps one option by chance. */
export interface DrawingExpander {
  readonly name: 'random';
  readonly draw: true;
}

export type Expander = ScoringExpander | DrawingExpander;
