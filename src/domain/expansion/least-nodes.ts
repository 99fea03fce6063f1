import type { ScoringExpander } from './expander.js';

/** Prefers the option that needs the fewest nodes. */
export const leastNodesExpander: ScoringExpander = {
  name: 'least-nodes',
  score: (option) => option.nodeCount,
};
