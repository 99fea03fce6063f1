import type { ScoringExpander } from './expander.js';

/** Prefers the option that helps the largest number of pods. */
export const mostPodsExpander: ScoringExpander = {
  name: 'most-pods',
  score: (option) => -option.podCount,
};
