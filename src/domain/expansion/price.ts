import { CPU, MEMORY } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import { GPU_RESOURCES } from '../readiness/not-ready-copies.js';
import type { ExpansionContext } from './expansion-context.js';
import type { ExpansionOption } from './expansion-option.js';
import type { ScoringExpander } from './expander.js';
import type { PodPrice } from './pod-price.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Keeps small sums from looking like large differences (`scale-up` 7.1). */
const STABILISER: Resources = new Map([
  [CPU, 500],
  [MEMORY, 500 * MIB],
]);

/** Cores of the node that suits a cluster of so many nodes at most (`scale-up` 7.1). */
const SUITABLE_CORES: readonly (readonly [nodesMax: number, cores: number])[] = [
  [2, 1],
  [6, 2],
  [20, 4],
  [60, 8],
  [200, 16],
  [Infinity, 32],
];

/** GPUs are bought when nothing else will do. */
const GPU_UNFITNESS = 1_000;

/**
 * Prefers what costs least for what its pods are worth, and nodes of a size that suits the cluster: that counts less the
 * more nodes are bought (`scale-up` 7.1).
 *
 * differs from upstream: where no group has a price all are kept for the next in the chain, since a price list that is
 * away must not stop growth. A group without a price loses to every group that has one.
 */
export const priceExpander: ScoringExpander = {
  name: 'price',
  score: (option, context) => {
    if (option.pricePerHour === null) return Infinity;
    const total = option.pricePerHour * option.nodeCount;
    const stabiliser = priceOf(STABILISER, context.podPrice);
    const worth = priceOf(option.requests, context.podPrice) + stabiliser;
    // Where everything is free no price says what pods are worth.
    const ratio = worth === 0 ? total : (total + stabiliser) / worth;
    return unfitness(option, context) * ratio;
  },
};

function priceOf(resources: Resources, { perCore, perGib }: PodPrice): number {
  const cores = (resources.get(CPU) ?? 0) / 1_000;
  return cores * perCore + ((resources.get(MEMORY) ?? 0) / GIB) * perGib;
}

/** 1 for a node that suits, and more for any other. */
function unfitness({ template, nodeCount }: ExpansionOption, context: ExpansionContext): number {
  const { labels, capacity, allocatable } = template.node;
  if (labels.has(context.gpuLabel) || GPU_RESOURCES.some((name) => (allocatable.get(name) ?? 0) > 0)) {
    return GPU_UNFITNESS;
  }
  const cores = Math.max(1, capacity.get(CPU) ?? 0) / 1_000;
  const suitable = SUITABLE_CORES.find(([nodesMax]) => context.clusterNodes <= nodesMax)![1];
  const ratio = Math.max(suitable / cores, cores / suitable);
  return (ratio - 1) * (1 - Math.tanh((nodeCount - 1) / 15)) + 1;
}
