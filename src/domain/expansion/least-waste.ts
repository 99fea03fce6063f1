import { CPU, MEMORY, addResources } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import type { ScoringExpander } from './expander.js';

/**
 * Prefers the option that leaves the smallest share of its new nodes unused: the sum over resources of
 * `(available - requested) / available`.
 *
 * differs from upstream: `available` is what a fresh node offers to workloads, allocatable minus its DaemonSets, not its
 * capacity; devices count too, so that a GPU is not bought for pods that need none; and a resource that the node does
 * not have wastes nothing instead of making the score NaN (`scale-up` 7, 15.20).
 */
export const leastWasteExpander: ScoringExpander = {
  name: 'least-waste',
  score: (option) => {
    const available = workloadResources(option.template);
    return countedResources(available).reduce((waste, name) => {
      const offered = (available.get(name) ?? 0) * option.nodeCount;
      return offered <= 0 ? waste : waste + (offered - (option.requests.get(name) ?? 0)) / offered;
    }, 0);
  },
};

function workloadResources(template: NodeTemplate): Resources {
  let charged: Resources = new Map<string, number>();
  for (const pod of template.pods) charged = addResources(charged, pod.charged ?? pod.shape.requests);
  const { allocatable } = template.node;
  return new Map([...allocatable].map(([name, amount]) => [name, amount - (charged.get(name) ?? 0)]));
}

/** CPU, memory and devices, in a fixed order so that equal nodes have equal scores to the last bit. */
function countedResources(resources: Resources): readonly string[] {
  const devices = [...resources.keys()].filter((name) => name.includes('/')).sort();
  return [CPU, MEMORY, ...devices];
}
