import type { DrainRule } from './rule.js';
import { DRAIN } from './rule.js';

/** The owner allows the move; disruption budgets are then left to the eviction itself. */
export const safeToEvict: DrainRule = (pod) =>
  pod.shape.directives.safeToEvict === 'true' ? DRAIN : undefined;
