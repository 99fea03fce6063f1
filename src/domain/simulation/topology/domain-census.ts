import type { Node } from '../../kubernetes/node.js';
import type { DomainColumn } from './domain-column.js';
import type { Moments } from './moments.js';

/** Which nodes count for a spread constraint. */
export interface Electorate {
  /** The constraint's own key. */
  readonly column: DomainColumn;
  /** All keys of the pod's hard constraints: a node that lacks one of them counts for none. */
  readonly columns: readonly DomainColumn[];
  /** The constraint's inclusion policies. */
  readonly admits: (node: Node) => boolean;
}

/**
 * The domains that a spread constraint sees, with or without pods, shared by all constraints that see the same
 * (`scheduling` 3.10, 5.6). So a node that comes or goes costs one update for each kind of constraint, not for each.
 */
export class DomainCensus {
  /** When a domain last came or went. */
  changedAt = 0;
  private readonly included: boolean[] = [];
  private readonly nodes = new Map<number, number>();
  private expected: readonly number[] = [];

  constructor(
    private readonly electorate: Electorate,
    private readonly moments: Moments,
  ) {}

  get column(): DomainColumn {
    return this.electorate.column;
  }

  /** Number of domains with at least one node that counts. */
  get size(): number {
    return this.nodes.size;
  }

  has(domain: number): boolean {
    return this.nodes.has(domain);
  }

  includes(row: number): boolean {
    return this.included[row] === true;
  }

  nodeCame(row: number, node: Node): void {
    const { columns, admits } = this.electorate;
    this.included[row] = columns.every((column) => column.at(row) >= 0) && admits(node);
    if (this.includes(row)) this.count(this.column.at(row), 1);
  }

  nodeLeft(row: number): void {
    if (this.includes(row)) this.count(this.column.at(row), -1);
    this.included[row] = false;
  }

  /** Domains that count as if a node were there, in place of those expected before; nodes count one by one. */
  expect(nodes: readonly Node[]): void {
    const { column, columns, admits } = this.electorate;
    for (const domain of this.expected) this.count(domain, -1);
    const counting = column.isPerNode
      ? []
      : nodes.filter((node) => columns.every((key) => key.domainOf(node) >= 0) && admits(node));
    this.expected = counting.map((node) => column.domainOf(node));
    for (const domain of this.expected) this.count(domain, 1);
  }

  private count(domain: number, change: number): void {
    const before = this.nodes.get(domain) ?? 0;
    const after = before + change;
    if (after === 0) this.nodes.delete(domain);
    else this.nodes.set(domain, after);
    if (before === 0 || after === 0) this.changedAt = this.moments.next();
  }
}
