import { HOSTNAME_LABEL } from '../../kubernetes/labels.js';
import type { Node } from '../../kubernetes/node.js';

/** Domain of a node without the label. */
export const NO_DOMAIN = -1;

/** One topology key: the domain of every row of the node table, as a dense number for each value of the label. */
export class DomainColumn {
  private readonly domains: number[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(readonly topologyKey: string) {}

  /** Every node is a domain of its own; nodes of one group share all other domains. */
  get isPerNode(): boolean {
    return this.topologyKey === HOSTNAME_LABEL;
  }

  set(row: number, node: Node): void {
    this.domains[row] = this.domainOf(node);
  }

  at(row: number): number {
    return this.domains[row] ?? NO_DOMAIN;
  }

  /** {@link NO_DOMAIN} where the node lacks the label. */
  domainOf(node: Node): number {
    const value = node.labels.get(this.topologyKey);
    if (value === undefined) return NO_DOMAIN;
    let domain = this.numbers.get(value);
    if (domain === undefined) {
      domain = this.numbers.size;
      this.numbers.set(value, domain);
    }
    return domain;
  }
}
