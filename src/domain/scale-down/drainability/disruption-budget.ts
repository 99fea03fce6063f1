import type { DrainRule } from './rule.js';
import { block } from './rule.js';

/** A budget that is used up, also by nodes that this plan has accepted before. */
export const disruptionBudget: DrainRule = (pod, { budgets }) => {
  const exhausted = budgets.exhausted(pod);
  return exhausted === undefined ? undefined : block('NotEnoughPdb', `budget ${exhausted.name}`);
};
