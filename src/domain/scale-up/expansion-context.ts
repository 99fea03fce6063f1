import type { ExpansionContext } from '../expansion/expansion-context.js';
import { fitPodPrice } from '../expansion/pod-price.js';
import { CPU, MEMORY } from '../kubernetes/resources.js';
import type { ScaleUpInput } from './scale-up-input.js';

const GIB = 1024 ** 3;

/** What the expanders of this plan may know. Pods are worth what they would cost on the machines of all groups. */
export function expansionContext({
  snapshot,
  templates,
  prices,
  gpuLabel,
  priorities,
}: ScaleUpInput): ExpansionContext {
  const machines = [...prices].flatMap(([groupId, price]) => {
    const capacity = templates.get(groupId)?.node.capacity;
    if (capacity === undefined) return [];
    return [{ cores: (capacity.get(CPU) ?? 0) / 1_000, gib: (capacity.get(MEMORY) ?? 0) / GIB, price }];
  });
  const clusterNodes = snapshot.nodeNames().length;
  return { clusterNodes, gpuLabel, podPrice: fitPodPrice(machines), priorities };
}
