import type { ScaleDownGroup } from './group-index.js';
import type { NodeRemoval, RemovalBucket } from './plan.js';

export interface BudgetInput {
  /** In order of preference. */
  readonly empty: readonly NodeRemoval[];
  readonly drain: readonly NodeRemoval[];
  readonly groupOf: (removal: NodeRemoval) => ScaleDownGroup;
  readonly maxParallelism: number;
  readonly maxDrainParallelism: number;
  readonly emptyInProgress: number;
  readonly drainInProgress: number;
  /** Machines that the cloud lets go from now on, those of deletions in progress included; null: no limit. */
  readonly releaseBudget: number | null;
}

export interface BudgetResult {
  readonly buckets: readonly RemovalBucket[];
  /** Removals for which there was no room. */
  readonly cut: readonly CutRemoval[];
}

export interface CutRemoval {
  readonly removal: NodeRemoval;
  /** Where the cloud's limit stood in the way: how many nodes would go at once, and how many still may. Else null. */
  readonly cloudLimit: { readonly asked: number; readonly free: number } | null;
}

/** The removals of one group. */
interface Offer {
  readonly group: ScaleDownGroup;
  readonly empty: NodeRemoval[];
  readonly drain: NodeRemoval[];
}

/** What may still be started. */
interface Budget {
  parallel: number;
  drain: number;
  /** One atomic group per plan may exceed the budget, else a large one would never go. */
  overflow: boolean;
  /** What the cloud would still let go. Nothing may exceed it: what is refused after the drain has cost its pods. */
  releases: number;
}

/** Crops removals to the parallelism allowed (`scale-down` 8.2): whole atomic groups first, empty before drained. */
export function cropToBudgets(input: BudgetInput): BudgetResult {
  const offers = offersByGroup(input);
  const inProgress = input.emptyInProgress + input.drainInProgress;
  const budget: Budget = {
    parallel: input.maxParallelism - inProgress,
    drain: input.maxDrainParallelism - input.drainInProgress,
    overflow: true,
    releases: Math.max(0, (input.releaseBudget ?? Infinity) - inProgress),
  };
  const atomic = offers.filter(({ group }) => group.isAtomic);
  const individual = offers.filter(({ group }) => !group.isAtomic);
  const buckets = takeAtomic(
    atomic.filter(({ empty }) => empty.length > 0),
    budget,
    emptyAtomicHasRoom,
  );
  clampDrain(budget);
  buckets.push(
    ...takeAtomic(
      atomic.filter(({ empty }) => empty.length === 0),
      budget,
      drainAtomicHasRoom,
    ),
  );
  buckets.push(...takeEmpty(individual, budget));
  clampDrain(budget);
  buckets.push(...takeDrain(individual, budget));
  const taken = new Set(buckets.flatMap(({ empty, drain }) => [...empty, ...drain]));
  const cut = offers.flatMap((offer) => {
    const numbers = { asked: unitSize(offer), free: budget.releases };
    const cloudLimit = numbers.asked > numbers.free ? numbers : null;
    const left = [...offer.empty, ...offer.drain].filter((removal) => !taken.has(removal));
    return left.map((removal): CutRemoval => ({ removal, cloudLimit }));
  });
  return { buckets, cut };
}

/** Nodes that go together or not at all. */
function unitSize({ group, empty, drain }: Offer): number {
  return group.isAtomic ? empty.length + drain.length : 1;
}

function offersByGroup({ empty, drain, groupOf }: BudgetInput): readonly Offer[] {
  const offers = new Map<string, Offer>();
  const offerOf = (removal: NodeRemoval): Offer => {
    const known = offers.get(removal.groupId);
    if (known !== undefined) return known;
    const offer = { group: groupOf(removal), empty: [], drain: [] };
    offers.set(removal.groupId, offer);
    return offer;
  };
  for (const removal of empty) offerOf(removal).empty.push(removal);
  for (const removal of drain) offerOf(removal).drain.push(removal);
  return [...offers.values()];
}

/** The first group without room ends the step: the groups behind it wait, so that it is not overtaken for ever. */
function takeAtomic(
  offers: readonly Offer[],
  budget: Budget,
  hasRoom: (offer: Offer, budget: Budget) => boolean,
): RemovalBucket[] {
  const buckets: RemovalBucket[] = [];
  for (const offer of offers) {
    if (!hasRoom(offer, budget)) break;
    if (!isWhole(offer) || unitSize(offer) > budget.releases) continue;
    spend(budget, offer.empty.length + offer.drain.length);
    budget.drain -= offer.drain.length;
    budget.overflow = false;
    buckets.push({ groupId: offer.group.id, isAtomic: true, empty: offer.empty, drain: offer.drain });
  }
  return buckets;
}

/** differs from upstream: a budget below zero is as good as none (W47). */
function emptyAtomicHasRoom({ empty, drain }: Offer, budget: Budget): boolean {
  const fits = budget.parallel >= empty.length + drain.length && budget.drain >= drain.length;
  if (fits) return true;
  return budget.overflow && budget.parallel > 0 && (drain.length === 0 || budget.drain > 0);
}

function drainAtomicHasRoom({ drain }: Offer, budget: Budget): boolean {
  return budget.drain >= drain.length || (budget.overflow && budget.drain > 0);
}

/** All nodes of the group, be it those asked for or those that ever joined. */
function isWhole({ group, empty, drain }: Offer): boolean {
  const count = empty.length + drain.length;
  return count === group.targetSize || count === group.registeredCount;
}

function takeEmpty(offers: readonly Offer[], budget: Budget): RemovalBucket[] {
  return offers.flatMap(({ group, empty }) => {
    const taken = empty.slice(0, Math.max(0, Math.min(budget.parallel, budget.releases)));
    spend(budget, taken.length);
    return taken.length === 0 ? [] : [{ groupId: group.id, isAtomic: false, empty: taken, drain: [] }];
  });
}

function takeDrain(offers: readonly Offer[], budget: Budget): RemovalBucket[] {
  return offers.flatMap(({ group, drain }) => {
    const taken = drain.slice(0, Math.max(0, Math.min(budget.drain, budget.releases)));
    spend(budget, taken.length);
    budget.drain -= taken.length;
    return taken.length === 0 ? [] : [{ groupId: group.id, isAtomic: false, empty: [], drain: taken }];
  });
}

function spend(budget: Budget, count: number): void {
  budget.parallel -= count;
  budget.releases -= count;
}

/** Drains are deletions too. */
function clampDrain(budget: Budget): void {
  budget.drain = Math.min(budget.drain, budget.parallel);
}
