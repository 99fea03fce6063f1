import { topologyRejection } from './topology-rejection.js';
import type { Rejection } from '../simulation/verdict.js';
import type { PackedClass, PackingOutcome } from './class-packing.js';
import { companyCapacity, companyRejection } from './company.js';
import type { GroupLedger } from './group-ledger.js';
import type { NewNodes } from './new-nodes.js';
import { capacityPerNode } from './node-run.js';
import type { NodeRun } from './node-run.js';
import { NodeSkew } from './node-skew.js';

/**
 * Places pods with rules about other pods one at a time, each on the first new node that takes it, else on one more
 * (`scheduling` 4.5, 5.8): for pods that are spread over nodes, and where new nodes bring pods that the rules count.
 * What is left for fresh nodes alone is still divided.
 */
export function packOneByOne(
  packed: PackedClass,
  pods: number,
  nodes: NewNodes,
  ledger: GroupLedger,
): PackingOutcome {
  return new OneByOne(packed, nodes, ledger).pack(pods);
}

class OneByOne {
  private readonly skews: readonly NodeSkew[];
  private readonly isMovedByNodes: boolean;
  /** Runs before it take no pod, as far as is known. */
  private cursor = 0;

  constructor(
    private readonly packed: PackedClass,
    private readonly nodes: NewNodes,
    private readonly ledger: GroupLedger,
  ) {
    this.isMovedByNodes = ledger.isMovedByNodes(packed.rules);
    this.skews = packed.rules.spread
      .filter(({ tally }) => tally.column.isPerNode)
      .map((rule) => new NodeSkew(rule, ledger.existingNodes(rule), nodes.runs));
  }

  pack(pods: number): PackingOutcome {
    let rest = pods;
    while (rest > 0) {
      let budget = this.ledger.budget(this.packed.rules);
      if (budget.pods < 1 && !this.isMovedByNodes) return { rest, rejection: budget.rejection };
      let at = budget.pods < 1 ? -1 : this.nextRun();
      if (at < 0) {
        if (this.nodes.isLastEmpty)
          return { rest, rejection: budget.rejection ?? this.rejectionOf(this.nodes.fresh) };
        if (this.nodes.allowed < 1) return { rest, rejection: null };
        const divided = this.divide(Math.min(rest, budget.pods));
        if (divided > 0) {
          rest -= divided;
          continue;
        }
        at = this.openNode();
        budget = this.ledger.budget(this.packed.rules);
        if (budget.pods < 1) return { rest, rejection: budget.rejection };
        if (!this.takes(this.nodes.runs[at]!))
          return { rest, rejection: this.rejectionOf(this.nodes.runs[at]!) };
      }
      this.place(at);
      rest--;
    }
    return { rest, rejection: null };
  }

  private nextRun(): number {
    const { runs } = this.nodes;
    for (; this.cursor < runs.length; this.cursor++) if (this.takes(runs[this.cursor]!)) return this.cursor;
    return -1;
  }

  private takes(run: NodeRun): boolean {
    const { need, rules } = this.packed;
    if (capacityPerNode(run, need) < 1 || companyCapacity(run.counts, rules, this.isFirst()) < 1)
      return false;
    return this.skews.every((skew) => skew.allows(run.counts));
  }

  private isFirst(): boolean {
    const { affinity } = this.packed.rules;
    return affinity !== null && this.ledger.isFirst(affinity);
  }

  private openNode(): number {
    const at = this.nodes.open(1);
    for (const skew of this.skews) skew.nodesCame(this.nodes.fresh.counts, 1);
    this.cursor = at;
    return at;
  }

  private place(at: number): void {
    const { index, need } = this.packed;
    const { counts } = this.nodes.runs[at]!;
    const before = this.skews.map(({ minimum }) => minimum);
    this.cursor = Math.max(0, this.nodes.placeOne(at, need) - 1);
    this.ledger.addPods(index, 1);
    for (const skew of this.skews) skew.podPlaced(counts);
    // Nodes that were too full for the emptiest may no longer be.
    if (this.skews.some(({ minimum }, i) => minimum > before[i]!)) this.cursor = 0;
  }

  /**
   * Fresh nodes in one go, where each takes as many as the one before: none of the others takes any of these pods
   * then, however full the fresh ones get. Returns how many pods were placed.
   */
  private divide(pods: number): number {
    const { index, need, rules } = this.packed;
    if (this.isMovedByNodes || this.isFirst() || this.skews.some(({ hasTooFew }) => hasTooFew)) return 0;
    const { fresh } = this.nodes;
    const perNode = Math.min(
      capacityPerNode(fresh, need),
      companyCapacity(fresh.counts, rules, false),
      ...this.skews.map(({ freshCapacity }) => freshCapacity),
    );
    if (perNode < 1) return 0;
    const count = Math.min(Math.ceil(pods / perNode), this.nodes.allowed);
    const taken = Math.min(pods, count * perNode);
    const at = this.nodes.open(count);
    this.nodes.fill(at, need, taken, perNode);
    this.ledger.addPods(index, taken);
    for (const run of this.nodes.runs.slice(at)) {
      for (const skew of this.skews) skew.nodesCame(run.counts, run.count);
    }
    this.cursor = this.nodes.runs.length;
    return taken;
  }

  private rejectionOf(run: NodeRun): Rejection {
    const company = companyRejection(run.counts, this.packed.rules, this.isFirst());
    const key = this.packed.rules.spread[0]?.tally.column.topologyKey ?? '';
    return company ?? topologyRejection('spread', key);
  }
}
