import type { Labels } from '../kubernetes/labels.js';
import type { NodeSelector } from '../kubernetes/selectors.js';
import type { ClusterStorage } from '../kubernetes/storage.js';
import type { TolerationOptions } from '../kubernetes/tolerations.js';

/** How the cluster's scheduler differs from the default profile, and what it knows beside nodes and pods. */
export interface SchedulingOptions {
  readonly tolerations?: TolerationOptions;
  /** `addedAffinity` of NodeAffinityArgs, its required part: every pod must match it too. */
  readonly addedNodeAffinity?: NodeSelector;
  /** Labels by name of namespace, for namespace selectors of affinity terms; a namespace that is absent has none. */
  readonly namespaces?: ReadonlyMap<string, Labels>;
  /** What claims of pods stand for; absent: no claim exists. */
  readonly storage?: ClusterStorage;
}
