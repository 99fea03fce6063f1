import { EXPANDER_NAMES } from './expander.js';
import type { Expander, ExpanderName } from './expander.js';
import { leastNodesExpander } from './least-nodes.js';
import { leastWasteExpander } from './least-waste.js';
import { mostPodsExpander } from './most-pods.js';
import { priceExpander } from './price.js';
import { priorityExpander } from './priority.js';
import { randomExpander } from './random.js';

const BUILT: Readonly<Partial<Record<ExpanderName, Expander>>> = {
  random: randomExpander,
  'most-pods': mostPodsExpander,
  'least-nodes': leastNodesExpander,
  'least-waste': leastWasteExpander,
  price: priceExpander,
  priority: priorityExpander,
};

export const DEFAULT_EXPANDER_NAMES: readonly ExpanderName[] = ['least-waste'];

export type ExpanderChainResult =
  | { readonly kind: 'chain'; readonly expanders: readonly Expander[] }
  | { readonly kind: 'rejected'; readonly name: string; readonly problem: string };

/** The chain for names in order, or the first thing that is wrong with them. No names: the default. */
export function buildExpanderChain(names: readonly string[]): ExpanderChainResult {
  const expanders: Expander[] = [];
  for (const name of names.length === 0 ? DEFAULT_EXPANDER_NAMES : names) {
    const problem = problemOf(name, expanders);
    if (problem !== null) return { kind: 'rejected', name, problem };
    expanders.push(BUILT[name as ExpanderName]!);
  }
  return { kind: 'chain', expanders };
}

function problemOf(name: string, before: readonly Expander[]): string | null {
  if (!(EXPANDER_NAMES as readonly string[]).includes(name)) {
    return `unknown expander ${JSON.stringify(name)}, known are ${EXPANDER_NAMES.join(', ')}`;
  }
  if (before.some((expander) => expander.name === name)) return `expander ${name} is named twice`;
  if (before.some((expander) => 'draw' in expander)) {
    return `expander ${name} follows random, which always leaves one option`;
  }
  if (!Object.hasOwn(BUILT, name)) return `expander ${name} is not available in this version`;
  return null;
}
