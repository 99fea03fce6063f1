import type { TopologyRules } from '../simulation/topology/topology-rules.js';
import type { Rejection } from '../simulation/verdict.js';
import type { NodeCounts } from './group-ledger.js';
import { topologyRejection } from './topology-rejection.js';

/**
 * How many more pods with these rules a new node takes, by who is on it already: affinity and anti-affinity between
 * pods of one node. `isFirst`: nothing that they want near is anywhere yet.
 */
export function companyCapacity(counts: NodeCounts, rules: TopologyRules, isFirst: boolean): number {
  if (companyRejection(counts, rules, isFirst) !== null) return 0;
  const isAlone = rules.antiAffinity.some(
    ({ tally, matchesItself }) => matchesItself && tally.column.isPerNode,
  );
  return isAlone ? 1 : Infinity;
}

export function companyRejection(
  counts: NodeCounts,
  { affinity, antiAffinity, repelledBy }: TopologyRules,
  isFirst: boolean,
): Rejection | null {
  if (affinity !== null && !isFirst) {
    const missed = affinity.tallies.find((tally) => tally.column.isPerNode && !counts.has(tally));
    if (missed !== undefined) return topologyRejection('affinity', missed.column.topologyKey);
  }
  const avoided = antiAffinity.find(({ tally }) => tally.column.isPerNode && counts.has(tally));
  if (avoided !== undefined) return topologyRejection('anti-affinity', avoided.tally.column.topologyKey);
  const repelling = repelledBy.find((tally) => tally.column.isPerNode && counts.has(tally));
  return repelling === undefined ? null : topologyRejection('repelled', repelling.column.topologyKey);
}
