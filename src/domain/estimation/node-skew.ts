import type { SpreadRule } from '../simulation/topology/topology-rules.js';
import type { NodeCounts } from './group-ledger.js';
import type { NodeRun } from './node-run.js';

/**
 * A spread constraint over nodes while pods of one class are placed: how many new nodes stand at each count, and the
 * smallest count of all nodes, the existing ones included (`scheduling` 5.7 step 3).
 */
export class NodeSkew {
  private readonly nodesAt = new Map<number, number>();
  private newNodes = 0;
  private lowest = Infinity;

  /** `existing`: how many nodes count besides the new ones, and the smallest count among them. */
  constructor(
    private readonly rule: SpreadRule,
    private readonly existing: { readonly nodes: number; readonly minimum: number },
    runs: readonly NodeRun[],
  ) {
    for (const run of runs) this.nodesCame(run.counts, run.count);
  }

  nodesCame(counts: NodeCounts, nodes: number): void {
    this.newNodes += nodes;
    this.shift(this.countOf(counts), nodes);
  }

  /** A pod more on a node that stood at these counts. */
  podPlaced(before: NodeCounts): void {
    if (!this.rule.isCounted) return;
    const count = this.countOf(before);
    this.shift(count + 1, 1);
    this.shift(count, -1);
  }

  /** Infinite where no node counts yet. */
  get minimum(): number {
    return Math.min(this.existing.minimum, this.lowest);
  }

  get hasTooFew(): boolean {
    return this.existing.nodes + this.newNodes < this.rule.minDomains;
  }

  allows(counts: NodeCounts): boolean {
    const least = this.hasTooFew ? 0 : this.minimum;
    return this.countOf(counts) + this.rule.self - least <= this.rule.maxSkew;
  }

  /** How many pods of the class one more fresh node takes, as far as this constraint goes. */
  get freshCapacity(): number {
    const { isCounted, maxSkew, self } = this.rule;
    if (maxSkew < self) return 0;
    return isCounted ? this.minimum + maxSkew : Infinity;
  }

  private countOf(counts: NodeCounts): number {
    return counts.get(this.rule.tally) ?? 0;
  }

  private shift(count: number, change: number): void {
    const nodes = (this.nodesAt.get(count) ?? 0) + change;
    if (nodes === 0) this.nodesAt.delete(count);
    else this.nodesAt.set(count, nodes);
    if (change > 0) this.lowest = Math.min(this.lowest, count);
    else if (nodes === 0 && count === this.lowest) this.lowest = Math.min(...this.nodesAt.keys());
  }
}
