import { NO_DOMAIN } from '../simulation/topology/domain-column.js';
import type { DomainTally } from '../simulation/topology/domain-tally.js';
import type { TopologyPicture } from '../simulation/topology/topology-picture.js';
import type { AffinityRule, SpreadRule, TopologyRules } from '../simulation/topology/topology-rules.js';
import type { Rejection } from '../simulation/verdict.js';
import { topologyRejection } from './topology-rejection.js';

/** What the pods of each node count for, in tallies of nodes: the part of a run that rules between pods read. */
export type NodeCounts = ReadonlyMap<DomainTally, number>;

/** How many more pods a rule allows, and why not more. */
export interface Allowance {
  readonly pods: number;
  readonly rejection: Rejection | null;
}

const UNLIMITED: Allowance = { pods: Infinity, rejection: null };

/**
 * What the new nodes of a group and the pods on them add to the counters of the snapshot (`scheduling` 5.7). Copies of
 * a template differ in nothing but their host names: a rule about host names caps the pods of a node, any other rule
 * gives a budget for all new nodes together.
 */
export class GroupLedger {
  /** Pods on new nodes by tally, those that come with the nodes included. */
  private readonly added = new Map<DomainTally, number>();
  /** How many classes read each tally. */
  private readonly readers = new Map<DomainTally, number>();

  constructor(private readonly picture: TopologyPicture) {
    for (const rules of picture.rules) {
      for (const tally of readBy(rules)) this.readers.set(tally, (this.readers.get(tally) ?? 0) + 1);
    }
  }

  rulesOf(index: number): TopologyRules | null {
    return this.picture.rules[index] ?? null;
  }

  /** Counts of a node as it comes from the template. */
  get freshCounts(): NodeCounts {
    return this.picture.ownCounts;
  }

  /** What one pod of the class adds to the counts of its node. */
  raisedBy(index: number): readonly DomainTally[] {
    return this.picture.raised[index] ?? [];
  }

  /** Tallies of nodes that a class raises and reads, and no other does: nobody asks for them once it is packed. */
  privateTo(index: number): readonly DomainTally[] {
    const read = readBy(this.rulesOf(index));
    return this.raisedBy(index).filter(
      (tally) => isOfNodes(tally) && read.has(tally) && this.readers.get(tally) === 1,
    );
  }

  /** Tallies of nodes that a class raises and others read. */
  sharedBy(index: number): readonly DomainTally[] {
    const read = readBy(this.rulesOf(index));
    return this.raisedBy(index).filter(
      (tally) => isOfNodes(tally) && (this.readers.get(tally) ?? 0) > (read.has(tally) ? 1 : 0),
    );
  }

  /** A pod of some class counts in a tally that only the cluster as a whole has. */
  addPods(index: number, pods: number): void {
    for (const tally of this.raisedBy(index)) this.add(tally, pods);
  }

  /** Nodes bring pods of their own. */
  addNodes(nodes: number): void {
    for (const [tally, count] of this.picture.ownCounts) this.add(tally, count * nodes);
  }

  /** A new node lacks a label without which no pod with these rules may run on it. */
  lacksLabel({ spread, affinity }: TopologyRules): boolean {
    const tallies = [...spread.map(({ tally }) => tally), ...(affinity?.tallies ?? [])];
    return tallies.some(({ column }) => column.at(this.picture.row) === NO_DOMAIN);
  }

  /** Rules of the class read what every new node brings along, so that no node is as the one before. */
  isMovedByNodes(rules: TopologyRules): boolean {
    if (this.picture.ownCounts.size === 0) return false;
    return [...readBy(rules)].some((tally) => this.picture.ownCounts.has(tally));
  }

  /** How many more pods of the class the rules allow that are the same on all new nodes (`scheduling` 5.7 step 2). */
  budget(rules: TopologyRules): Allowance {
    let least = this.affinityBudget(rules.affinity);
    const consider = (pods: number, kind: Parameters<typeof topologyRejection>[0], key: string): void => {
      if (pods < least.pods) least = { pods, rejection: topologyRejection(kind, key) };
    };
    for (const rule of rules.spread) {
      if (!rule.tally.column.isPerNode)
        consider(this.spreadBudget(rule), 'spread', rule.tally.column.topologyKey);
    }
    for (const { tally, matchesItself } of rules.antiAffinity) {
      // A node without the label is in nobody's neighbourhood.
      if (tally.column.isPerNode || !tally.covers(this.picture.row)) continue;
      const pods = this.countHere(tally) > 0 ? 0 : matchesItself ? 1 : Infinity;
      consider(pods, 'anti-affinity', tally.column.topologyKey);
    }
    for (const tally of rules.repelledBy) {
      if (tally.column.isPerNode || this.countHere(tally) === 0) continue;
      consider(0, 'repelled', tally.column.topologyKey);
    }
    return least;
  }

  /** Nothing that the class wants near is anywhere yet: its next pod may be the first. */
  isFirst({ tallies }: AffinityRule): boolean {
    return tallies.every((tally) => this.isNowhere(tally));
  }

  /** Smallest count of the nodes that are there, and how many count; the checked copy is none of them. */
  existingNodes({ tally }: SpreadRule): { readonly nodes: number; readonly minimum: number } {
    const domain = tally.column.at(this.picture.row);
    const nodes = tally.census.size - (tally.census.has(domain) ? 1 : 0);
    return { nodes, minimum: tally.minimumWithout(domain) };
  }

  private affinityBudget(affinity: AffinityRule | null): Allowance {
    if (affinity === null) return UNLIMITED;
    const rejection = topologyRejection('affinity', affinity.tallies[0]?.column.topologyKey ?? '');
    if (this.isFirst(affinity)) return affinity.matchesItself ? UNLIMITED : { pods: 0, rejection };
    const isNear = affinity.tallies.every((tally) => tally.column.isPerNode || this.countHere(tally) > 0);
    return isNear ? UNLIMITED : { pods: 0, rejection };
  }

  private spreadBudget({ tally, maxSkew, minDomains, self, isCounted }: SpreadRule): number {
    const here = this.countHere(tally);
    const others = tally.minimumWithout(tally.column.at(this.picture.row));
    const hasTooFew = tally.census.size < minDomains;
    // Alone in its domain a pod is 1 above the emptiest: less than that allows none, not even where there is no other.
    if (isCounted && maxSkew < 1) return 0;
    if (isCounted) return Math.max(0, (hasTooFew ? 0 : others) + maxSkew - here);
    return here + self - (hasTooFew ? 0 : Math.min(others, here)) <= maxSkew ? Infinity : 0;
  }

  /** Pods in the domain that all new nodes share. */
  private countHere(tally: DomainTally): number {
    return this.countBefore(tally) + (this.added.get(tally) ?? 0);
  }

  /** Without the pods of the copy that stands in the snapshot only to be checked. */
  private countBefore(tally: DomainTally): number {
    return tally.countAt(this.picture.row) - (this.picture.ownCounts.get(tally) ?? 0);
  }

  private isNowhere(tally: DomainTally): boolean {
    if ((this.added.get(tally) ?? 0) > 0) return false;
    const own = this.picture.ownCounts.get(tally) ?? 0;
    return tally.total === own;
  }

  private add(tally: DomainTally, count: number): void {
    this.added.set(tally, (this.added.get(tally) ?? 0) + count);
  }
}

function isOfNodes({ column }: DomainTally): boolean {
  return column.isPerNode;
}

/** Everything that the rules read. */
function readBy(rules: TopologyRules | null): ReadonlySet<DomainTally> {
  if (rules === null) return NOTHING;
  const { spread, affinity, antiAffinity, repelledBy } = rules;
  return new Set([
    ...spread.map(({ tally }) => tally),
    ...(affinity?.tallies ?? []),
    ...antiAffinity.map(({ tally }) => tally),
    ...repelledBy,
  ]);
}

const NOTHING: ReadonlySet<DomainTally> = new Set();
