import type { Node } from '../../../src/domain/kubernetes/node.js';
import { NO_CONDITIONS } from '../../../src/domain/kubernetes/node.js';
import type { Instance, NodeGroup } from '../../../src/domain/node-group/node-group.js';
import { NO_DELETIONS } from '../../../src/domain/observation.js';
import type { Observation } from '../../../src/domain/observation.js';
import {
  DEFAULT_CLUSTER_STATE_POLICY,
  emptyClusterStateMemory,
  registerScaleUp,
  updateClusterState,
} from '../../../src/domain/readiness/index.js';
import type {
  ClusterStateMemory,
  ClusterStatePolicy,
  ClusterStateUpdate,
  GroupState,
} from '../../../src/domain/readiness/index.js';
import { MINUTE, T0, buildGroup, buildInstance, buildNode } from '../../support/builders.js';
import type { NodeOptions } from '../../support/builders.js';

/** Policy of the upstream tests: one unready node, or 10 %, is tolerated. */
export const STRICT: ClusterStatePolicy = {
  ...DEFAULT_CLUSTER_STATE_POLICY,
  okTotalUnreadyCount: 1,
  maxTotalUnreadyPercentage: 10,
};

export interface GroupSpec extends Partial<Omit<NodeGroup, 'id' | 'instances'>> {
  nodes?: readonly Node[];
  /** Instances besides those of the nodes. */
  extra?: readonly Instance[];
}

/** A cluster with one instance for each node of a group, plus the extra ones. */
export function observe(
  groups: Record<string, GroupSpec>,
  fields: Partial<Observation> & { foreign?: readonly Node[] } = {},
): Observation {
  const { foreign = [], ...rest } = fields;
  const groupIdByNode = new Map<string, string>();
  const nodes: Node[] = [...foreign];
  const built = Object.entries(groups).map(([id, { nodes: own = [], extra = [], ...group }]) => {
    for (const node of own) groupIdByNode.set(node.name, id);
    nodes.push(...own);
    const instances = [...own.map((node) => buildInstance(node.name, { id: node.providerId })), ...extra];
    return buildGroup(id, { targetSize: instances.length, maxSize: 100, ...group, instances });
  });
  return {
    nowMs: T0,
    nodes,
    pods: [],
    daemonSets: [],
    disruptionBudgets: [],
    workloads: [],
    groups: built,
    groupIdByNode,
    existenceByNode: new Map(nodes.map((node) => [node.name, 'exists'])),
    deletions: NO_DELETIONS,
    ...rest,
  };
}

export function notReadyNode(name: string, ageMs: number, options: NodeOptions = {}): Node {
  const ready = { status: 'False', reason: 'KubeletNotReady', changedMs: T0 - ageMs };
  return buildNode(name, {
    createdMs: T0 - ageMs,
    conditions: { ...NO_CONDITIONS, ready },
    ...options,
  });
}

export function withRequest(
  groupId: string,
  increase: number,
  agoMs: number,
  memory: ClusterStateMemory = emptyClusterStateMemory(),
  provisionTimeMs = 15 * MINUTE,
): ClusterStateMemory {
  const change = { groupId, delta: increase, atMs: T0 - agoMs, provisionTimeMs };
  return { ...memory, requests: registerScaleUp(memory.requests, change) };
}

export function update(
  observation: Observation,
  memory: ClusterStateMemory = emptyClusterStateMemory(),
  policy: ClusterStatePolicy = STRICT,
): ClusterStateUpdate {
  return updateClusterState(observation, memory, policy);
}

export function groupOf(result: ClusterStateUpdate, groupId: string): GroupState {
  return result.state.groups.get(groupId)!;
}
