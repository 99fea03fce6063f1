import type { DomainTally } from './domain-tally.js';
import type { TopologyRules } from './topology-rules.js';

/** How the rules between some pods look from one node, for the packing of copies of it (`scheduling` 5.7). */
export interface TopologyPicture {
  readonly row: number;
  /** Of each pod, by index; null: other pods mean nothing to it. */
  readonly rules: readonly (TopologyRules | null)[];
  /** What one more of each pod raises on such a node, by index; a tally that is raised twice stands there twice. */
  readonly raised: readonly (readonly DomainTally[])[];
  /** What the node's own pods count for already. */
  readonly ownCounts: ReadonlyMap<DomainTally, number>;
}
