import type { Node } from '../kubernetes/node.js';
import type { NodeGroup } from '../node-group/node-group.js';
import type { Observation } from '../observation.js';
import type { ScaleDownPolicy } from './policy.js';

/** Options of one group with defaults filled in (`scale-down` 11). */
export interface ScaleDownGroupOptions {
  readonly utilizationThreshold: number;
  readonly gpuUtilizationThreshold: number;
  readonly unneededTimeMs: number;
  readonly unreadyTimeMs: number;
  readonly ignoreDaemonSets: boolean;
  /** The group goes to zero or stays complete. */
  readonly isAtomic: boolean;
}

export function groupOptions(group: NodeGroup, policy: ScaleDownPolicy): ScaleDownGroupOptions {
  const { options } = group;
  return {
    utilizationThreshold: options.scaleDownUtilizationThreshold ?? policy.utilizationThreshold,
    gpuUtilizationThreshold: options.scaleDownGpuUtilizationThreshold ?? policy.gpuUtilizationThreshold,
    unneededTimeMs: options.scaleDownUnneededTimeMs ?? policy.unneededTimeMs,
    unreadyTimeMs: options.scaleDownUnreadyTimeMs ?? policy.unreadyTimeMs,
    ignoreDaemonSets: options.ignoreDaemonSetsUtilization ?? policy.ignoreDaemonSetsUtilization,
    isAtomic: options.zeroOrMaxNodeScaling ?? false,
  };
}

/** How long the node must stay unneeded; without a known group the flags decide. */
export function removalThresholdMs(
  { ready }: { readonly ready: boolean },
  group: NodeGroup | undefined,
  policy: ScaleDownPolicy,
): number {
  return ready
    ? (group?.options.scaleDownUnneededTimeMs ?? policy.unneededTimeMs)
    : (group?.options.scaleDownUnreadyTimeMs ?? policy.unreadyTimeMs);
}

/** A group as scale-down looks at it. */
export interface ScaleDownGroup extends ScaleDownGroupOptions {
  readonly id: string;
  readonly minSize: number;
  readonly targetSize: number;
  /** Nodes of the cluster whose machine is one of the group's. */
  readonly registeredCount: number;
  /** Nodes of the group whose deletion is under way. */
  readonly deletionCount: number;
}

/** Groups of one observation, by node. */
export class GroupIndex {
  private readonly groups = new Map<string, ScaleDownGroup>();
  private readonly groupIdByNode: ReadonlyMap<string, string>;
  /** Names of the nodes whose deletion is under way. */
  readonly beingDeleted: ReadonlySet<string>;

  constructor(observation: Observation, policy: ScaleDownPolicy) {
    this.groupIdByNode = observation.groupIdByNode;
    this.beingDeleted = new Set([...observation.deletions.empty, ...observation.deletions.drained]);
    const registered = this.countRegistered(observation);
    const deletions = countBy([...this.beingDeleted], (name) => observation.groupIdByNode.get(name));
    for (const group of observation.groups) {
      this.groups.set(group.id, {
        ...groupOptions(group, policy),
        id: group.id,
        minSize: group.minSize,
        targetSize: group.targetSize,
        registeredCount: registered.get(group.id) ?? 0,
        deletionCount: deletions.get(group.id) ?? 0,
      });
    }
  }

  groupOf(nodeName: string): ScaleDownGroup | undefined {
    const id = this.groupIdByNode.get(nodeName);
    return id === undefined ? undefined : this.groups.get(id);
  }

  private countRegistered({ nodes, groups }: Observation): Map<string, number> {
    const instances = new Map(
      groups.map(({ id, instances }) => [id, new Set(instances.map((one) => one.id))]),
    );
    const registered = (node: Node): string | undefined => {
      const id = this.groupIdByNode.get(node.name);
      return id !== undefined && instances.get(id)?.has(node.providerId) === true ? id : undefined;
    };
    return countBy(nodes, registered);
  }
}

function countBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
