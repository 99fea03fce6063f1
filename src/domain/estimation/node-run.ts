import { portsConflict } from '../kubernetes/host-ports.js';
import type { HostPort } from '../kubernetes/pod.js';
import type { Amounts } from '../simulation/amounts.js';
import type { DomainTally } from '../simulation/topology/domain-tally.js';
import type { NodeCounts } from './group-ledger.js';

/** What one pod of a class takes from its node. */
export interface Need {
  readonly amounts: Amounts;
  readonly hostPorts: readonly HostPort[];
  /** Tallies of nodes that it counts in. */
  readonly raised: readonly DomainTally[];
}

/** Equal new nodes that stand side by side in order of creation. */
export interface NodeRun {
  readonly count: number;
  /** Free on each of them, by resource number. */
  readonly free: readonly number[];
  readonly usedPorts: readonly HostPort[];
  /** What the pods on each of them count for, in tallies of nodes. */
  readonly counts: NodeCounts;
  /** Nothing was placed on them yet. */
  readonly isEmpty: boolean;
}

/** How many pods one node of the run takes (`scheduling` 5.7 step 1). */
export function capacityPerNode(run: NodeRun, { amounts: { resources, amounts }, hostPorts }: Need): number {
  let capacity = Infinity;
  for (let i = 0; i < resources.length; i++) {
    const fitting = Math.floor((run.free[resources[i]!] ?? 0) / amounts[i]!);
    if (fitting <= 0) return 0;
    if (fitting < capacity) capacity = fitting;
  }
  if (hostPorts.length === 0) return capacity;
  const isTaken = hostPorts.some((wanted) => run.usedPorts.some((used) => portsConflict(wanted, used)));
  return isTaken ? 0 : 1;
}

/**
 * The run after `pods` pods were placed on it, node by node in order: full nodes, the node that was filled in part,
 * nodes that are as before.
 */
export function fillRun(run: NodeRun, need: Need, pods: number, capacity: number): NodeRun[] {
  const full = Math.floor(pods / capacity);
  const remainder = pods - full * capacity;
  const untouched = run.count - full - (remainder > 0 ? 1 : 0);
  const parts: NodeRun[] = [];
  if (full > 0) parts.push(filled(run, full, need, capacity));
  if (remainder > 0) parts.push(filled(run, 1, need, remainder));
  if (untouched > 0) parts.push({ ...run, count: untouched });
  return parts;
}

/** Nothing can tell a node of one run from a node of the other. */
export function areAlike(left: NodeRun, right: NodeRun): boolean {
  return (
    left.isEmpty === right.isEmpty &&
    left.usedPorts === right.usedPorts &&
    left.counts.size === right.counts.size &&
    left.free.every((amount, resource) => amount === right.free[resource]) &&
    [...left.counts].every(([tally, count]) => right.counts.get(tally) === count)
  );
}

function filled(run: NodeRun, count: number, need: Need, podsPerNode: number): NodeRun {
  const { amounts, hostPorts, raised } = need;
  const free = [...run.free];
  amounts.resources.forEach((resource, i) => {
    free[resource] = (free[resource] ?? 0) - amounts.amounts[i]! * podsPerNode;
  });
  const usedPorts = hostPorts.length === 0 ? run.usedPorts : [...run.usedPorts, ...hostPorts];
  return { count, free, usedPorts, counts: raise(run.counts, raised, podsPerNode), isEmpty: false };
}

function raise(counts: NodeCounts, raised: readonly DomainTally[], pods: number): NodeCounts {
  if (raised.length === 0) return counts;
  const after = new Map(counts);
  for (const tally of raised) after.set(tally, (after.get(tally) ?? 0) + pods);
  return after;
}
