import type { Pod } from '../../kubernetes/pod.js';
import { daemonSet } from './daemon-set.js';
import { disruptionBudget } from './disruption-budget.js';
import { localStorage } from './local-storage.js';
import { longTerminating } from './long-terminating.js';
import { mirror } from './mirror.js';
import { notSafeToEvict } from './not-safe-to-evict.js';
import { onCompletion } from './on-completion.js';
import { replicaCount } from './replica-count.js';
import { replicated } from './replicated.js';
import type { DrainContext, DrainRule, DrainVerdict } from './rule.js';
import { safeToEvict } from './safe-to-evict.js';
import { system } from './system.js';
import { terminal } from './terminal.js';

/** In this order; the first that says anything decides (`scale-down` 5.3). An own rule goes before them. */
export const DRAINABILITY_RULES: readonly DrainRule[] = [
  mirror,
  longTerminating,
  replicaCount, // Before the annotations: they can't override it.
  daemonSet,
  safeToEvict,
  terminal,
  onCompletion,
  replicated,
  system, // An old system pod is let go here, before the remaining rules.
  notSafeToEvict,
  localStorage,
  disruptionBudget,
];

/** What the rules say of a pod; undefined: nothing speaks against moving it. */
export function judgeDrainability(
  pod: Pod,
  context: DrainContext,
  rules: readonly DrainRule[] = DRAINABILITY_RULES,
): DrainVerdict {
  for (const rule of rules) {
    const verdict = rule(pod, context);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}
