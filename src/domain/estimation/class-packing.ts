import type { TopologyRules } from '../simulation/topology/topology-rules.js';
import type { Rejection } from '../simulation/verdict.js';
import { companyCapacity, companyRejection } from './company.js';
import type { GroupLedger } from './group-ledger.js';
import type { NewNodes } from './new-nodes.js';
import { capacityPerNode } from './node-run.js';
import type { Need, NodeRun } from './node-run.js';

/** One class on its way onto the new nodes. */
export interface PackedClass {
  readonly index: number;
  readonly need: Need;
  readonly rules: TopologyRules;
}

/** How it went. */
export interface PackingOutcome {
  /** Pods without a place. */
  readonly rest: number;
  /** Why the first of them has none; null: no more nodes are allowed, or none is left. */
  readonly rejection: Rejection | null;
}

/**
 * Places pods with rules about other pods by division (`scheduling` 5.7 steps 1, 2 and 4): a cap for each node and a
 * budget for all of them. Holds where the rules don't spread the pods over nodes and new nodes don't change them.
 */
export function packByBudget(
  { index, need, rules }: PackedClass,
  pods: number,
  nodes: NewNodes,
  ledger: GroupLedger,
): PackingOutcome {
  const budget = ledger.budget(rules);
  const wanted = Math.min(pods, budget.pods);
  const isFirst = rules.affinity !== null && ledger.isFirst(rules.affinity);
  // Who comes first to its own kind decides the node for all that follow.
  const staysTogether = isFirst && rules.affinity.tallies.some(({ column }) => column.isPerNode);
  const capacityOf = (run: NodeRun): number =>
    Math.min(capacityPerNode(run, need), companyCapacity(run.counts, rules, isFirst));
  let rest = wanted;
  const place = (at: number, capacity: number): number => {
    const taken = Math.min(rest, staysTogether ? capacity : capacity * nodes.runs[at]!.count);
    rest -= taken;
    ledger.addPods(index, taken);
    return nodes.fill(at, need, taken, capacity);
  };
  const isOver = (): boolean => rest === 0 || (staysTogether && rest < wanted);

  for (let at = 0; at < nodes.runs.length && !isOver(); at++) {
    const capacity = capacityOf(nodes.runs[at]!);
    if (capacity > 0) at += place(at, capacity) - 1;
  }
  const capacity = capacityOf(nodes.fresh);
  if (!isOver() && capacity > 0) {
    const count = Math.min(staysTogether ? 1 : Math.ceil(rest / capacity), nodes.allowed);
    if (count > 0) place(nodes.open(count), capacity);
  }
  const left = pods - wanted + rest;
  if (left === 0) return { rest: 0, rejection: null };
  const isNotAllowed = rest > 0 && capacity > 0 && !(staysTogether && rest < wanted);
  const rejection = rest === 0 ? budget.rejection : companyRejection(nodes.fresh.counts, rules, false);
  return { rest: left, rejection: isNotAllowed ? null : rejection };
}
