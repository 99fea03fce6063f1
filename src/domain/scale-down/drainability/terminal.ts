import type { Pod } from '../../kubernetes/pod.js';
import type { DrainRule } from './rule.js';
import { DRAIN } from './rule.js';

/** A pod that has ended has nothing to lose. */
export const terminal: DrainRule = (pod) => (isTerminal(pod) ? DRAIN : undefined);

function isTerminal(pod: Pod): boolean {
  if (pod.phase === 'Failed') return true;
  return pod.phase === 'Succeeded' && ['Never', 'OnFailure'].includes(pod.shape.restartPolicy);
}
