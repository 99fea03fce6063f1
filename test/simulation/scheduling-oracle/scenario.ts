import type { NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import type { Cluster, SchedulerOptions } from '../../reference/oracle/cluster.js';

/** A change of the cluster. One that can't be made at its moment (a node that isn't there) is passed over. */
export type Step =
  | { readonly do: 'force' | 'place'; readonly pod: string; readonly node: string }
  | { readonly do: 'search'; readonly pod: string; readonly hint: string | null }
  | { readonly do: 'remove'; readonly pod: string }
  | { readonly do: 'add-node'; readonly node: NodeObject; readonly pods: readonly string[] }
  | { readonly do: 'remove-node'; readonly node: string }
  | { readonly do: 'fork' | 'revert' | 'commit' };

/** A cluster and what happens to it. Plain JSON, so that it can be printed, shrunk and pasted into a test. */
export interface Scenario {
  readonly options: SchedulerOptions;
  /** With its first nodes, and without placements. */
  readonly cluster: Cluster;
  /** All pods by unique name, placed or not; each is held against each node after each step. */
  readonly pods: readonly PodObject[];
  readonly steps: readonly Step[];
}
