import type { Demand } from './demand.js';
import type { FitChecker } from './fit-checker.js';
import type { Journal } from './journal.js';
import type { NodeTable } from './node-table.js';
import { mayHelpAt } from './topology/topology-rules.js';
import { BLOCK_ROWS, blockOf } from './room-bounds.js';

const NOWHERE = -1;

type Accepts = ((nodeName: string) => boolean) | undefined;

/**
 * Finds the first node in round-robin order that takes a pod (`scheduling` 4.6), without looking at all of them:
 * blocks of nodes that lack the room, or that the demand's node-only filters refuse, are skipped, and a demand that
 * found no place is not searched again before some room appears. What it remembers forks and reverts with the nodes.
 */
export class NodeSearch {
  /** Row of the last hit; the next search begins behind it. */
  private last = 0;
  /** Counts events; never set back, so that a moment names one event. */
  private moment = 0;
  /** When room last appeared. */
  private roomAppearedAt = 0;
  /**
   * By demand: when it was found to fit nowhere; valid while no room has appeared since, because no filter that reads
   * the node alone says yes where it said no only for pods that were added.
   */
  private readonly fittedNowhereAt: number[] = [];
  /** By demand with rules between pods: how the counters stood then. They may help it without any room appearing. */
  private readonly countersThen: number[] = [];
  /** By demand and block: the version of the block in which no node suited. */
  private readonly unsuitedAt: number[][] = [];
  /** Changes whenever a row of the block is filled with another node. */
  private readonly blockVersions: number[] = [];
  private readonly lastChanged: number;
  private readonly roomChanged: number;
  private readonly failureChanged: number;

  constructor(
    private readonly nodes: NodeTable,
    private readonly checker: FitChecker,
    private readonly journal: Journal,
  ) {
    this.lastChanged = journal.operation((row) => (this.last = row));
    this.roomChanged = journal.operation((_row, _column, moment) => (this.roomAppearedAt = moment));
    this.failureChanged = journal.operation((demandId, _column, moment) => {
      this.fittedNowhereAt[demandId] = moment;
    });
  }

  /** Must be told of each row that the table adds. */
  nodeAdded(row: number): void {
    this.blockVersions[blockOf(row)] = ++this.moment;
    this.roomAppeared();
  }

  /** Must be told when a node gets freer. */
  roomAppeared(): void {
    this.journal.record(this.roomChanged, 0, 0, this.roomAppearedAt);
    this.roomAppearedAt = ++this.moment;
  }

  /** Row of the first node that takes the pod and is accepted, or -1. The next search begins behind it. */
  find(demand: Demand, accepts: Accepts): number {
    if (this.isKnownToFail(demand)) return NOWHERE;
    const names = this.checker.admittedNames(demand);
    const row = names === null ? this.searchAll(demand, accepts) : this.searchNamed(demand, names, accepts);
    if (row !== NOWHERE) this.setLast(row);
    else if (accepts === undefined) this.rememberFailure(demand);
    return row;
  }

  private searchAll(demand: Demand, accepts: Accepts): number {
    const start = this.start();
    const row = this.scan(demand, start, this.nodes.rowCount, accepts);
    return row === NOWHERE ? this.scan(demand, 0, start, accepts) : row;
  }

  private searchNamed(demand: Demand, names: ReadonlySet<string>, accepts: Accepts): number {
    const start = this.start();
    const count = this.nodes.rowCount;
    const rows = [...names]
      .map((name) => this.nodes.rowOf(name))
      .filter((row) => row !== NOWHERE)
      .sort((left, right) => ((left - start + count) % count) - ((right - start + count) % count));
    return rows.find((row) => this.takes(demand, row, accepts)) ?? NOWHERE;
  }

  private takes(demand: Demand, row: number, accepts: Accepts): boolean {
    const node = this.nodes.nodes[row]!;
    if (node.unschedulable || !this.checker.suitsNode(demand, row)) return false;
    return this.suitsNow(demand, row) && (accepts === undefined || accepts(node.name));
  }

  private suitsNow(demand: Demand, row: number): boolean {
    return this.checker.suitsPods(demand, row) && this.checker.suitsCluster(demand, row);
  }

  private start(): number {
    const count = this.nodes.rowCount;
    return count === 0 ? 0 : (this.last + 1) % count;
  }

  /** First row in [from, to) that takes the pod. */
  private scan(demand: Demand, from: number, to: number, accepts: Accepts): number {
    for (let begin = from; begin < to;) {
      const block = blockOf(begin);
      const end = Math.min(to, (block + 1) * BLOCK_ROWS);
      if (this.mayTake(demand, block)) {
        const row = this.scanBlock(demand, begin, end, accepts);
        if (row !== NOWHERE) return row;
      }
      begin = end;
    }
    return NOWHERE;
  }

  private mayTake({ id, asked: { resources, amounts } }: Demand, block: number): boolean {
    for (let i = 0; i < resources.length; i++) {
      if (!this.nodes.room.mayHold(resources[i]!, block, amounts[i]!)) return false;
    }
    return this.unsuitedAt[id]?.[block] !== this.blockVersions[block];
  }

  private scanBlock(demand: Demand, from: number, to: number, accepts: Accepts): number {
    let mayOneSuit = false;
    for (let row = from; row < to; row++) {
      if (this.nodes.present[row] === 0) {
        mayOneSuit = true; // A revert may bring it back.
        continue;
      }
      const node = this.nodes.nodes[row]!;
      if (node.unschedulable || !this.checker.suitsNode(demand, row)) continue;
      mayOneSuit = true;
      if (this.suitsNow(demand, row) && (accepts === undefined || accepts(node.name))) return row;
    }
    const block = blockOf(from);
    const isWholeBlock =
      from === block * BLOCK_ROWS && to === Math.min(this.nodes.rowCount, from + BLOCK_ROWS);
    if (isWholeBlock) this.learn(demand, block, from, to, mayOneSuit);
    return NOWHERE;
  }

  /** Keeps what looking at all rows of a block has shown. */
  private learn(demand: Demand, block: number, from: number, to: number, mayOneSuit: boolean): void {
    if (!mayOneSuit) {
      (this.unsuitedAt[demand.id] ??= [])[block] = this.blockVersions[block]!;
      return;
    }
    for (const resource of demand.asked.resources) {
      let largest = -Infinity;
      for (let row = from; row < to; row++) {
        if (this.nodes.present[row] === 1) largest = Math.max(largest, this.nodes.freeOf(row, resource));
      }
      this.nodes.room.learn(resource, block, largest);
    }
  }

  private setLast(row: number): void {
    this.journal.record(this.lastChanged, this.last);
    this.last = row;
  }

  private isKnownToFail({ id, rules, volumes }: Demand): boolean {
    if ((this.fittedNowhereAt[id] ?? 0) <= this.roomAppearedAt) return false;
    // A pod that brings a shared volume to a node helps others that share it.
    if (volumes !== null && volumes.shared.length > 0) return false;
    return rules === null || this.countersThen[id] === mayHelpAt(rules);
  }

  /** How counters stood is not restored by a revert: they have moved on then, and what was known is only forgotten. */
  private rememberFailure({ id, rules }: Demand): void {
    this.journal.record(this.failureChanged, id, 0, this.fittedNowhereAt[id] ?? 0);
    this.fittedNowhereAt[id] = ++this.moment;
    if (rules !== null) this.countersThen[id] = mayHelpAt(rules);
  }
}
