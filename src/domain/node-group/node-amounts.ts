import type { Node } from '../kubernetes/node.js';
import { CPU, MEMORY } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import { GPU_RESOURCES } from '../readiness/not-ready-copies.js';

/** Resource name under which quotas count machines. */
export const NODES = 'nodes';
const MILLI = 1000;

/**
 * What one node takes from a quota (`scale-up` 10.2, 10.3): whole cores, bytes, one node, and its GPUs under the value of
 * the GPU label. `promised` is the provider's template of the node's group: a fresh node shows no GPU yet.
 *
 * differs from upstream: a GPU node of no group whose driver is not ready counts as 0 GPUs; upstream fails the whole
 * planning for it.
 */
export function quotaAmounts(node: Node, gpuLabel: string, promised: Node | undefined): Resources {
  const amounts = new Map<string, number>([
    [CPU, Math.ceil((node.capacity.get(CPU) ?? 0) / MILLI)],
    [MEMORY, node.capacity.get(MEMORY) ?? 0],
    [NODES, 1],
  ]);
  const gpuType = node.labels.get(gpuLabel);
  if (gpuType === undefined) return amounts;
  const gpus = gpuCount(node.allocatable) || gpuCount(promised?.capacity);
  if (gpus > 0) amounts.set(gpuType, gpus);
  return amounts;
}

function gpuCount(resources: Resources | undefined): number {
  const name = GPU_RESOURCES.find((gpu) => (resources?.get(gpu) ?? 0) > 0);
  return name === undefined ? 0 : (resources?.get(name) ?? 0);
}
