import type { Reason } from '../../reason.js';
import type { Demand } from '../demand.js';
import type { NodeTable } from '../node-table.js';

/** Names of the only nodes that may take the pod, a rejection on all nodes, or null: nothing to say. */
export type PreFilterResult =
  | { readonly kind: 'only-nodes'; readonly names: ReadonlySet<string> }
  | { readonly kind: 'rejected'; readonly reason: Reason }
  | null;

/** One Filter plugin of the scheduler. Filters are pure: they read the pod and the table, and change nothing. */
export interface Filter {
  /** The scheduler's name of it. */
  readonly plugin: string;
  /**
   * `node`: reads nothing but the node's own spec and labels, so the verdict holds for a node signature.
   * `pods`: reads also what runs on the node; adding pods never turns a no into a yes.
   * `cluster`: reads what runs on other nodes too; a no may turn into a yes whenever `mayHelpAt` of the rules moves.
   */
  readonly reads: 'node' | 'pods' | 'cluster';
  /** Judges the pod without a node. */
  preFilter?(demand: Demand): PreFilterResult;
  /** False where the plugin would answer Skip. */
  concerns(demand: Demand): boolean;
  accepts(demand: Demand, nodes: NodeTable, row: number): boolean;
  /** Why not; only asked after a no. */
  explain(demand: Demand, nodes: NodeTable, row: number): readonly Reason[];
}
