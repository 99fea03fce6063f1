import type { DrainRule } from './rule.js';
import { WAIT } from './rule.js';

/** The node waits until the pod has ended by itself. */
export const onCompletion: DrainRule = (pod) =>
  pod.shape.directives.safeToEvict === 'on-completion' ? WAIT : undefined;
