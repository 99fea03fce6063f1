import { CPU, MEMORY } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import type { DomainTally } from '../simulation/topology/domain-tally.js';
import type { PendingClass } from './estimate.js';
import type { GroupLedger } from './group-ledger.js';

/** Indexes of the classes, those whose pods take the largest share of a node first; stable (`scale-up` 6.1). */
export function largestFirst(classes: readonly PendingClass[], allocatable: Resources): number[] {
  const scores = classes.map(({ pods }) => scoreOf(pods[0]?.shape.requests, allocatable));
  return classes.map((_, index) => index).sort((left, right) => scores[right]! - scores[left]!);
}

/**
 * The order, but pods that others wait for come before these (`scheduling` 5.8); where two wait for each other, as they
 * stand. Pods whose affinity is met already wait for nobody.
 */
export function referredFirst(order: readonly number[], ledger: GroupLedger): readonly number[] {
  const wantedBy = new Map<number, ReadonlySet<DomainTally>>();
  for (const index of order) {
    const rules = ledger.rulesOf(index);
    if (rules?.affinity == null || ledger.budget(rules).pods > 0) continue;
    wantedBy.set(index, new Set(rules.affinity.tallies));
  }
  if (wantedBy.size === 0) return order;
  const sources = raisersOf(
    order,
    ledger,
    new Set([...wantedBy.values()].flatMap((tallies) => [...tallies])),
  );
  const entered = new Set<number>();
  const placed = new Set<number>();
  for (const first of order) {
    const path = [first];
    while (path.length > 0) {
      const index = path.at(-1)!;
      const tallies = entered.has(index) ? [] : [...(wantedBy.get(index) ?? [])];
      // Entered before its sources are: a circle ends here.
      entered.add(index);
      const waitsFor = tallies
        .flatMap((tally) => sources.get(tally) ?? [])
        .filter((source) => !entered.has(source));
      if (waitsFor.length > 0) path.push(...waitsFor.reverse());
      else placed.add(path.pop()!);
    }
  }
  return [...placed];
}

function raisersOf(
  order: readonly number[],
  ledger: GroupLedger,
  wanted: ReadonlySet<DomainTally>,
): ReadonlyMap<DomainTally, readonly number[]> {
  const raisers = new Map<DomainTally, number[]>();
  for (const index of order) {
    for (const tally of ledger.raisedBy(index)) {
      if (!wanted.has(tally)) continue;
      const list = raisers.get(tally);
      if (list === undefined) raisers.set(tally, [index]);
      else list.push(index);
    }
  }
  return raisers;
}

function scoreOf(requests: Resources | undefined, allocatable: Resources): number {
  return shareOf(CPU, requests, allocatable) + shareOf(MEMORY, requests, allocatable);
}

/** A resource that the node lacks contributes nothing. */
function shareOf(name: string, requests: Resources | undefined, allocatable: Resources): number {
  const total = allocatable.get(name) ?? 0;
  return total === 0 ? 0 : (requests?.get(name) ?? 0) / total;
}
