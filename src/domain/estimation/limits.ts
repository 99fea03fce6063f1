import type { NodeGroup } from '../node-group/node-group.js';

/**
 * Limits on the nodes of one estimation (`scale-up` 6.2). An opinion is a number of nodes; 0 means none, a negative
 * one that no node may be added.
 */

/** Combines opinions into `EstimationLimits.maxNodes`: any negative one wins, else the smallest. Null: no limit. */
export function combineNodeLimits(opinions: readonly number[]): number | null {
  if (opinions.some((opinion) => opinion < 0)) return -1;
  const limits = opinions.filter((opinion) => opinion > 0);
  return limits.length === 0 ? null : Math.min(...limits);
}

/** What the group and those similar to it may still grow by. */
export function groupCapacityOpinion(groups: readonly Pick<NodeGroup, 'maxSize' | 'targetSize'>[]): number {
  const capacity = groups.reduce((sum, group) => sum + Math.max(0, group.maxSize - group.targetSize), 0);
  return capacity > 0 ? capacity : -1;
}

/** What the cluster may still grow by. `maxNodesTotal` 0: no limit. */
export function clusterCapacityOpinion(maxNodesTotal: number, nodes: number): number {
  if (maxNodesTotal === 0) return 0;
  return maxNodesTotal > nodes ? maxNodesTotal - nodes : -1;
}
