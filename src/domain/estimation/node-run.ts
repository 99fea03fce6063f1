import { portsConflict } from '../kubernetes/host-ports.js';
import type { HostPort } from '../kubernetes/pod.js';
import type { Amounts } from '../simulation/amounts.js';

/** What one pod of a class takes from its node. */
export interface Need {
  readonly amounts: Amounts;
  readonly hostPorts: readonly HostPort[];
}

/** Equal new nodes that stand side by side in order of creation. */
export interface NodeRun {
  readonly count: number;
  /** Free on each of them, by resource number. */
  readonly free: readonly number[];
  readonly usedPorts: readonly HostPort[];
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

function filled(run: NodeRun, count: number, { amounts, hostPorts }: Need, podsPerNode: number): NodeRun {
  const free = [...run.free];
  amounts.resources.forEach((resource, i) => {
    free[resource] = (free[resource] ?? 0) - amounts.amounts[i]! * podsPerNode;
  });
  const usedPorts = hostPorts.length === 0 ? run.usedPorts : [...run.usedPorts, ...hostPorts];
  return { count, free, usedPorts };
}
