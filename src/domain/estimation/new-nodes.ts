import type { DomainTally } from '../simulation/topology/domain-tally.js';
import type { GroupLedger } from './group-ledger.js';
import { areAlike, fillRun } from './node-run.js';
import type { Need, NodeRun } from './node-run.js';

/** The nodes that an estimation adds, as runs in order of creation, and the upper bound of their number. */
export class NewNodes {
  readonly runs: NodeRun[] = [];
  private opened = 0;
  private isClosed = false;

  constructor(
    /** A node as it comes from the template. */
    readonly fresh: NodeRun,
    /** Null: no bound. */
    private readonly maxNodes: number | null,
    /** Null: no pod means anything to another. */
    private readonly ledger: GroupLedger | null,
  ) {}

  /** No node is added any more. */
  close(): void {
    this.isClosed = true;
  }

  /** How many more may be added. */
  get allowed(): number {
    if (this.isClosed) return 0;
    return this.maxNodes === null ? Infinity : Math.max(0, this.maxNodes - this.opened);
  }

  /** Nodes with at least one pod. */
  get usedCount(): number {
    return this.runs.reduce((sum, run) => sum + (run.isEmpty ? 0 : run.count), 0);
  }

  /** Another node would be no better than the last one. */
  get isLastEmpty(): boolean {
    return this.runs.at(-1)?.isEmpty === true;
  }

  /** Nobody asks for these any more. */
  forget(tallies: readonly DomainTally[]): void {
    for (const [at, run] of this.runs.entries()) {
      if (!tallies.some((tally) => run.counts.has(tally))) continue;
      const counts = new Map(run.counts);
      for (const tally of tallies) counts.delete(tally);
      this.runs[at] = { ...run, counts };
    }
  }

  /** Index of the run with the nodes. */
  open(count: number): number {
    this.opened += count;
    this.ledger?.addNodes(count);
    return this.runs.push({ ...this.fresh, count }) - 1;
  }

  /** Places pods on a run, so many on each node; returns how many runs stand in its place now. */
  fill(index: number, need: Need, pods: number, podsPerNode: number): number {
    const parts = fillRun(this.runs[index]!, need, pods, podsPerNode);
    this.runs.splice(index, 1, ...parts);
    return parts.length;
  }

  /** Places one pod on the first node of a run; returns where the rest of the run begins, or would. */
  placeOne(index: number, need: Need): number {
    const before = this.runs[index - 1];
    const [placed, ...rest] = fillRun(this.runs[index]!, need, 1, 1);
    if (before !== undefined && areAlike(before, placed!)) {
      this.runs.splice(index - 1, 2, { ...before, count: before.count + 1 }, ...rest);
      return index;
    }
    this.runs.splice(index, 1, placed!, ...rest);
    return index + 1;
  }
}
