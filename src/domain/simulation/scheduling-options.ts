import type { NodeSelector } from '../kubernetes/selectors.js';
import type { TolerationOptions } from '../kubernetes/tolerations.js';

/** How the cluster's scheduler differs from the default profile; empty: not at all. */
export interface SchedulingOptions {
  readonly tolerations?: TolerationOptions;
  /** `addedAffinity` of NodeAffinityArgs, its required part: every pod must match it too. */
  readonly addedNodeAffinity?: NodeSelector;
}
