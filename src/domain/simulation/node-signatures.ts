import { HOSTNAME_LABEL } from '../kubernetes/labels.js';
import type { Node } from '../kubernetes/node.js';
import { isBlocking } from '../kubernetes/tolerations.js';

/**
 * Numbers nodes by all that node-only filters read of them: blocking taints, `unschedulable`, declared features, and the labels that
 * some pod's selectors name. Nodes with one signature get one verdict from those filters, except for pods that name
 * nodes or hostnames. Labels that nobody asks for don't split signatures; a key that a new pod brings splits them then.
 */
export class NodeSignatures {
  private readonly keys: string[] = [];
  private readonly known = new Set<string>([HOSTNAME_LABEL]); // The hostname label is never part of a signature.
  private readonly bases = new Map<string, number>();
  private readonly splits = new Map<string, number>();
  private signatures: number[] = [];
  private count = 0;

  /** `row` is the next row of the node table, or one that a revert gave back. */
  add(row: number, node: Node): void {
    let signature = this.baseOf(node);
    for (const key of this.keys) signature = this.split(signature, key, node);
    this.signatures[row] = signature;
  }

  of(row: number): number {
    return this.signatures[row]!;
  }

  /** From now on nodes that differ in these labels have different signatures. */
  distinguish(keys: Iterable<string>, nodes: readonly Node[]): void {
    for (const key of keys) {
      if (this.known.has(key)) continue;
      this.known.add(key);
      this.keys.push(key);
      this.signatures = nodes.map((node, row) => this.split(this.signatures[row]!, key, node));
    }
  }

  private baseOf(node: Node): number {
    const taints = node.taints.filter(isBlocking).map(({ key, value, effect }) => [key, value, effect]);
    const features = [...node.declaredFeatures].sort();
    const text = taints.length + features.length === 0 ? '' : JSON.stringify([taints, features]);
    return this.numberOf(this.bases, node.unschedulable ? `unschedulable ${text}` : text);
  }

  private split(signature: number, key: string, node: Node): number {
    const value = node.labels.get(key);
    return value === undefined ? signature : this.numberOf(this.splits, `${signature} ${key} ${value}`);
  }

  private numberOf(numbers: Map<string, number>, text: string): number {
    let number = numbers.get(text);
    if (number === undefined) {
      number = this.count++;
      numbers.set(text, number);
    }
    return number;
  }
}
