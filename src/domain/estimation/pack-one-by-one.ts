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
  // Dividing visits each node once; here the pods of the class itself must be seen on the nodes they are on.
  const own = ledger.privateTo(packed.index);
  const need = { ...packed.need, raised: [...packed.need.raised, ...own] };
  const outcome = new OneByOne({ ...packed, need }, nodes, ledger).pack(pods);
  if (own.length > 0) nodes.forget(own);
  return outcome;
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
    for (let rest = pods; rest > 0;) {
      const budget = this.ledger.budget(this.packed.rules);
      const isSpent = budget.pods < 1;
      const at = isSpent ? -1 : this.nextRun();
      if (at >= 0) {
        this.place(at);
        rest--;
        continue;
      }
      if (this.nodes.isLastEmpty || (isSpent && !this.isMovedByNodes)) {
        return { rest, rejection: isSpent ? budget.rejection : this.rejectionOnFresh() };
      }
      if (this.nodes.allowed < 1) return { rest, rejection: null };
      const divided = this.divide(Math.min(rest, budget.pods));
      rest -= divided;
      if (divided === 0) this.openNode();
    }
    return { rest: 0, rejection: null };
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

  private openNode(): void {
    const wereTooFew = this.skews.some(({ hasTooFew }) => hasTooFew);
    this.cursor = this.nodes.open(1);
    for (const skew of this.skews) skew.nodesCame(this.nodes.fresh.counts, 1);
    // With enough nodes, those that were too full for a missing one may no longer be.
    if (wereTooFew && !this.skews.some(({ hasTooFew }) => hasTooFew)) this.cursor = 0;
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

  private rejectionOnFresh(): Rejection {
    const { rules } = this.packed;
    const company = companyRejection(this.nodes.fresh.counts, rules, this.isFirst());
    return company ?? topologyRejection('spread', rules.spread[0]?.tally.column.topologyKey ?? '');
  }
}
