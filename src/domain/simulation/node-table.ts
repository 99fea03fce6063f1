import type { Node } from '../kubernetes/node.js';
import type { HostPort, Pod } from '../kubernetes/pod.js';
import { PODS } from '../kubernetes/resources.js';
import type { Charge } from './charge.js';
import type { Journal } from './journal.js';
import type { NameIndex } from './name-index.js';
import { RoomBounds } from './room-bounds.js';

const INITIAL_ROWS = 64;
const GONE = -1;

/** Told of every change of nodes and pods, those of a revert included; what it keeps must follow from the table alone. */
export interface NodeWatcher {
  /** With the pods of the row, if it came back. */
  nodeCame(row: number, node: Node): void;
  /** While the table still holds the node's pods. */
  nodeLeft(row: number): void;
  podCame(row: number, pod: Pod): void;
  podLeft(row: number, pod: Pod): void;
}

/**
 * Nodes as a structure of arrays; the index of a node in all of them is its row. Rows are in order of addition. A
 * removed node keeps its row and is only marked, so that a revert puts it back in its old place.
 */
export class NodeTable {
  /** Free amount by resource number and row; may be negative. A resource that a node lacks is 0. */
  readonly free: Float64Array[] = [];
  readonly nodes: Node[] = [];
  readonly pods: Pod[][] = [];
  /** Host ports in use; undefined on most nodes. */
  readonly ports: (HostPort[] | undefined)[] = [];
  /** 1 while the node is in the snapshot. */
  present = new Uint8Array(INITIAL_ROWS);
  readonly room = new RoomBounds();
  readonly watchers: NodeWatcher[] = [];
  /** A pod with anti-affinity has been charged at some time. */
  holdsAntiAffinity = false;

  /** -1 where the node has gone: deleting keys from a large Map time and again costs as much as copying it. */
  private readonly rowByName = new Map<string, number>();
  private readonly freeChanged: number;
  private readonly nodeAdded: number;
  private readonly nodeRemoved: number;
  private readonly podAdded: number;
  private readonly podRemoved: number;
  private readonly portAdded: number;
  private readonly portRemoved: number;

  constructor(
    readonly resources: NameIndex,
    private readonly journal: Journal,
  ) {
    this.freeChanged = journal.operation((row, resource, amount) => this.setFree(row, resource, amount));
    this.nodeAdded = journal.operation(() => this.dropLast());
    this.nodeRemoved = journal.operation((row) => this.revive(row));
    this.podAdded = journal.operation((row) => {
      const pod = this.pods[row]!.pop()!;
      for (const watcher of this.watchers) watcher.podLeft(row, pod);
    });
    this.podRemoved = journal.operation((row, index) => {
      const pod = journal.takeObject() as Pod;
      this.pods[row]!.splice(index, 0, pod);
      for (const watcher of this.watchers) watcher.podCame(row, pod);
    });
    this.portAdded = journal.operation((row) => this.ports[row]!.pop());
    this.portRemoved = journal.operation((row, index) => {
      this.ports[row]!.splice(index, 0, journal.takeObject() as HostPort);
    });
  }

  get rowCount(): number {
    return this.nodes.length;
  }

  /** Row of a present node, or -1. */
  rowOf(name: string): number {
    return this.rowByName.get(name) ?? GONE;
  }

  /** Adds a node at the end; pods are charged with {@link charge}. */
  add(node: Node): number {
    const row = this.nodes.push(node) - 1;
    this.pods.push([]);
    this.ports.push(undefined);
    this.growTo(row + 1);
    this.present[row] = 1;
    this.rowByName.set(node.name, row);
    for (const column of this.free) column[row] = 0;
    for (const [name, amount] of node.allocatable) this.setFree(row, this.resources.of(name), amount);
    this.journal.record(this.nodeAdded, row);
    for (const watcher of this.watchers) watcher.nodeCame(row, node);
    return row;
  }

  remove(row: number): void {
    this.present[row] = 0;
    this.rowByName.set(this.nodes[row]!.name, GONE);
    this.journal.record(this.nodeRemoved, row);
    for (const watcher of this.watchers) watcher.nodeLeft(row);
  }

  /** Charges one pod, without checks. */
  charge(row: number, pod: Pod, { amounts, hostPorts }: Charge): void {
    this.pods[row]!.push(pod);
    this.journal.record(this.podAdded, row);
    if (pod.shape.podAntiAffinity.length > 0) this.holdsAntiAffinity = true;
    for (const watcher of this.watchers) watcher.podCame(row, pod);
    for (let i = 0; i < amounts.resources.length; i++) {
      this.changeFree(row, amounts.resources[i]!, -amounts.amounts[i]!);
    }
    for (const port of hostPorts) {
      (this.ports[row] ??= []).push(port);
      this.journal.record(this.portAdded, row);
    }
  }

  /** Takes back the charge of the pod at `index` of the row. */
  release(row: number, index: number, { amounts, hostPorts }: Charge): void {
    const pod = this.pods[row]![index]!;
    this.pods[row]!.splice(index, 1);
    this.journal.record(this.podRemoved, row, index);
    this.journal.keepObject(pod);
    for (const watcher of this.watchers) watcher.podLeft(row, pod);
    for (let i = 0; i < amounts.resources.length; i++) {
      this.giveBack(row, amounts.resources[i]!, amounts.amounts[i]!);
    }
    for (const port of hostPorts) {
      const used = this.ports[row] ?? [];
      const position = used.indexOf(port);
      if (position < 0) continue;
      used.splice(position, 1);
      this.journal.record(this.portRemoved, row, position);
      this.journal.keepObject(port);
    }
  }

  freeOf(row: number, resource: number): number {
    return this.free[resource]?.[row] ?? 0;
  }

  private changeFree(row: number, resource: number, change: number): void {
    const before = this.freeOf(row, resource);
    this.journal.record(this.freeChanged, row, resource, before);
    this.setFree(row, resource, before + change);
  }

  /** An overcommitment beyond 2^53 is no longer exact: the way back from there is counted anew (`scheduling` 2.4). */
  private giveBack(row: number, resource: number, amount: number): void {
    const before = this.freeOf(row, resource);
    const isExact = before >= -Number.MAX_SAFE_INTEGER;
    this.journal.record(this.freeChanged, row, resource, before);
    this.setFree(row, resource, isExact ? before + amount : this.exactFree(row, resource));
  }

  private exactFree(row: number, resource: number): number {
    const name = this.resources.nameOf(resource);
    let free = BigInt(this.nodes[row]!.allocatable.get(name) ?? 0);
    for (const { charged, shape } of this.pods[row]!) {
      free -= BigInt(name === PODS ? 1 : ((charged ?? shape.requests).get(name) ?? 0));
    }
    return Number(free);
  }

  private setFree(row: number, resource: number, amount: number): void {
    while (this.free.length <= resource) this.free.push(new Float64Array(this.present.length));
    this.free[resource]![row] = amount;
    this.room.raise(resource, row, amount);
  }

  private dropLast(): void {
    for (const watcher of this.watchers) watcher.nodeLeft(this.nodes.length - 1);
    this.rowByName.set(this.nodes.pop()!.name, GONE);
    this.pods.pop();
    this.ports.pop();
    this.present[this.nodes.length] = 0;
  }

  private revive(row: number): void {
    this.present[row] = 1;
    this.rowByName.set(this.nodes[row]!.name, row);
    this.free.forEach((column, resource) => this.room.raise(resource, row, column[row]!));
    for (const watcher of this.watchers) watcher.nodeCame(row, this.nodes[row]!);
  }

  private growTo(rows: number): void {
    if (rows <= this.present.length) return;
    const capacity = this.present.length * 2;
    const present = new Uint8Array(capacity);
    present.set(this.present);
    this.present = present;
    this.free.forEach((column, resource) => {
      const grown = new Float64Array(capacity);
      grown.set(column);
      this.free[resource] = grown;
    });
  }
}
