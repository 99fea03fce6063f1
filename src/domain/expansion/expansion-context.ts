import type { GroupPriorities } from './group-priorities.js';
import type { PodPrice } from './pod-price.js';

/** What expanders may know besides the option that they judge. */
export interface ExpansionContext {
  /** Nodes of the cluster, those on their way included. */
  readonly clusterNodes: number;
  /** Label key that marks this cloud's GPU nodes. */
  readonly gpuLabel: string;
  readonly podPrice: PodPrice;
  /** Null: nothing is configured. */
  readonly priorities: GroupPriorities | null;
}
