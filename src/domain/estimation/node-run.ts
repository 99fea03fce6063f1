import { portsConflict } from '../kubernetes/host-ports.js';
import type { HostPort } from '../kubernetes/pod.js';
import type { Amounts } from '../simulation/amounts.js';
import type { DomainTally } from '../simulation/topology/domain-tally.js';
import type { NodeCounts } from './group-ledger.js';
import { diskCapacity, mounted, placesForAll } from './run-volumes.js';
import type { PackedVolumes, RunVolumes } from './run-volumes.js';

/** What one pod of a class takes from its node. */
export interface Need {
  readonly amounts: Amounts;
  readonly hostPorts: readonly HostPort[];
  /** Tallies of nodes that it counts in. */
  readonly raised: readonly DomainTally[];
  /** Null: nothing that its node would notice. */
  readonly volumes: PackedVolumes | null;
}

/** Equal new nodes that stand side by side in order of creation. */
export interface NodeRun {
  readonly count: number;
  /** Free on each of them, by resource number. */
  readonly free: readonly number[];
  readonly usedPorts: readonly HostPort[];
  readonly volumes: RunVolumes;
  /** What the pods on each of them count for, in tallies of nodes. */
  readonly counts: NodeCounts;
  /** Nothing was placed on them yet. */
  readonly isEmpty: boolean;
}

/** How many pods one node of the run takes (`scheduling` 5.7 step 1). */
export function capacityPerNode(run: NodeRun, need: Need): number {
  const capacity =
    need.volumes === null ? capacityOf(run.free, need) : volumeCapacity(run, need, need.volumes);
  if (capacity === 0 || need.hostPorts.length === 0) return capacity;
  const isTaken = need.hostPorts.some((wanted) => run.usedPorts.some((used) => portsConflict(wanted, used)));
  return isTaken ? 0 : 1;
}

function capacityOf(free: readonly number[], { amounts: { resources, amounts } }: Need): number {
  let capacity = Infinity;
  for (let i = 0; i < resources.length; i++) {
    const fitting = Math.floor((free[resources[i]!] ?? 0) / amounts[i]!);
    if (fitting <= 0) return 0;
    if (fitting < capacity) capacity = fitting;
  }
  return capacity;
}

function volumeCapacity(run: NodeRun, need: Need, volumes: PackedVolumes): number {
  const free = withoutPlaces(run.free, placesForAll(run.volumes, volumes));
  return free === null ? 0 : Math.min(capacityOf(free, need), diskCapacity(run.volumes, volumes));
}

/** Null where there are not so many. */
function withoutPlaces(
  free: readonly number[],
  places: ReadonlyMap<number, number>,
): readonly number[] | null {
  if (places.size === 0) return free;
  const left = [...free];
  for (const [resource, count] of places) {
    left[resource] = (left[resource] ?? 0) - count;
    if (left[resource] < 0) return null;
  }
  return left;
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
    left.volumes === right.volumes &&
    left.counts.size === right.counts.size &&
    left.free.every((amount, resource) => amount === right.free[resource]) &&
    [...left.counts].every(([tally, count]) => right.counts.get(tally) === count)
  );
}

function filled(run: NodeRun, count: number, need: Need, podsPerNode: number): NodeRun {
  const { amounts, hostPorts, raised, volumes } = need;
  const free = [...run.free];
  if (volumes !== null) {
    for (const [resource, places] of placesForAll(run.volumes, volumes)) free[resource]! -= places;
  }
  amounts.resources.forEach((resource, i) => {
    free[resource] = (free[resource] ?? 0) - amounts.amounts[i]! * podsPerNode;
  });
  const usedPorts = hostPorts.length === 0 ? run.usedPorts : [...run.usedPorts, ...hostPorts];
  const counts = raise(run.counts, raised, podsPerNode);
  const onNode = volumes === null ? run.volumes : mounted(run.volumes, volumes);
  return { count, free, usedPorts, volumes: onNode, counts, isEmpty: false };
}

function raise(counts: NodeCounts, raised: readonly DomainTally[], pods: number): NodeCounts {
  if (raised.length === 0) return counts;
  const after = new Map(counts);
  for (const tally of raised) after.set(tally, (after.get(tally) ?? 0) + pods);
  return after;
}
