import type { DisruptionBudget, Workload } from '../../../src/domain/kubernetes/workload.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { NodeGroup } from '../../../src/domain/node-group/node-group.js';
import { NO_STORAGE } from '../../../src/domain/kubernetes/storage.js';
import type { ClusterStorage } from '../../../src/domain/kubernetes/storage.js';
import type { Observation } from '../../../src/domain/observation.js';
import { NO_DELETIONS } from '../../../src/domain/observation.js';
import type {
  ScaleDownDecision,
  ScaleDownInput,
  ScaleDownMemory,
  ScaleDownPolicy,
} from '../../../src/domain/scale-down/index.js';
import {
  createScaleDownMemory,
  DEFAULT_SCALE_DOWN_POLICY,
  planScaleDown,
} from '../../../src/domain/scale-down/index.js';
import type { ClusterSnapshot } from '../../../src/domain/simulation/index.js';
import { createSnapshot } from '../../../src/domain/simulation/index.js';
import type { PodOptions } from '../../support/builders.js';
import { buildGroup, buildInstance, buildPod, MINUTE, T0 } from '../../support/builders.js';

/** Label that marks GPU nodes in these tests. */
export const GPU_LABEL = 'cloud.example/gpu';

export interface WorldOptions extends Partial<
  Omit<Observation, 'nodes' | 'pods' | 'groups' | 'groupIdByNode'>
> {
  nodes: readonly Node[];
  pods?: readonly Pod[];
  /** Fields of the groups; default: one group `ng`. */
  groups?: Readonly<Record<string, Partial<NodeGroup>>>;
  /** Group of each node that is not in the first group; null: in none. */
  groupOf?: Readonly<Record<string, string | null>>;
  /** Pods of the snapshot that run on no node yet, by node. */
  packed?: Readonly<Record<string, readonly Pod[]>>;
}

/** An observation whose groups have the given nodes as their instances. */
export function observe({
  nodes,
  pods = [],
  groups = { ng: {} },
  groupOf = {},
  ...fields
}: WorldOptions): Observation {
  const first = Object.keys(groups)[0] ?? '';
  const groupIdByNode = new Map(
    nodes.flatMap((node): [string, string][] => {
      const id = node.name in groupOf ? groupOf[node.name] : first;
      return id == null ? [] : [[node.name, id]];
    }),
  );
  const members = (id: string) => nodes.filter(({ name }) => groupIdByNode.get(name) === id);
  return {
    nowMs: T0,
    nodes,
    pods,
    daemonSets: [],
    disruptionBudgets: [],
    workloads: [OWNER],
    groups: Object.entries(groups).map(([id, group]) =>
      buildGroup(id, {
        maxSize: 1_000,
        instances: members(id).map(({ name, providerId }) => buildInstance(name, { id: providerId })),
        ...group,
      }),
    ),
    groupIdByNode,
    existenceByNode: new Map(),
    deletions: NO_DELETIONS,
    ...fields,
  };
}

export function snapshotOf(
  { nodes, pods }: Pick<Observation, 'nodes' | 'pods'>,
  packed: WorldOptions['packed'] = {},
  storage: ClusterStorage = NO_STORAGE,
): ClusterSnapshot {
  const snapshot = createSnapshot({ storage });
  for (const node of nodes) {
    const running = pods.filter(({ nodeName }) => nodeName === node.name);
    snapshot.addNode(node, [...running, ...(packed[node.name] ?? [])]);
  }
  return snapshot;
}

export interface PlanOptions extends Partial<Omit<ScaleDownInput, 'observation' | 'policy'>> {
  policy?: Partial<ScaleDownPolicy>;
}

/** Runs a whole plan on the world. */
export function plan(world: WorldOptions, options: PlanOptions = {}): ScaleDownDecision {
  const { policy, ...fields } = options;
  const observation = observe(world);
  const planning = planScaleDown({
    observation,
    snapshot: snapshotOf(observation, world.packed),
    policy: { ...DEFAULT_SCALE_DOWN_POLICY, ...policy },
    memory: createScaleDownMemory(observation.nowMs),
    gpuLabel: GPU_LABEL,
    forbidden: null,
    releaseBudget: null,
    isOutOfTime: () => false,
    ...fields,
  });
  for (;;) {
    const step = planning.next();
    if (step.done === true) return step.value;
  }
}

/** A memory in which the nodes are unneeded for so long. */
export function unneededFor(ms: number, ...names: readonly string[]): ScaleDownMemory {
  return {
    ...createScaleDownMemory(T0),
    unneededSinceMs: Object.fromEntries(names.map((name) => [name, T0 - ms])),
  };
}

/** The ReplicaSet that {@link runningPod} belongs to. */
export const OWNER = buildWorkload('owner');

export function buildWorkload(name: string, fields: Partial<Workload> = {}): Workload {
  const kind = fields.kind ?? 'ReplicaSet';
  const uid = `uid-${kind}-${name}`;
  return { kind, uid, namespace: 'default', name, replicas: 10, terminating: false, ...fields };
}

/** A pod of the ReplicaSet {@link OWNER} that runs since a day. */
export function runningPod(name: string, nodeName: string, options: PodOptions = {}): Pod {
  return buildPod(name, {
    nodeName,
    owner: { kind: 'ReplicaSet' },
    cpuMilli: 100,
    createdMs: T0 - 24 * 60 * MINUTE,
    ...options,
  });
}

export function buildBudget(
  name: string,
  disruptionsAllowed: number,
  matchLabels: Readonly<Record<string, string>> | null,
  fields: Partial<DisruptionBudget> = {},
): DisruptionBudget {
  const selector =
    matchLabels === null ? null : { matchLabels: new Map(Object.entries(matchLabels)), matchExpressions: [] };
  return {
    namespace: 'default',
    name,
    selector,
    disruptionsAllowed,
    disruptedPods: [],
    unhealthyPodEvictionPolicy: null,
    ...fields,
  };
}

/** What a decision says of the nodes, short. */
export function summary({ plan }: ScaleDownDecision) {
  return {
    empty: plan.buckets.flatMap(({ empty }) => empty.map(({ node }) => node.name)),
    drain: plan.buckets.flatMap(({ drain }) => drain.map(({ node }) => node.name)),
    unneeded: plan.unneeded.map(({ node }) => node.name),
    unremovable: Object.fromEntries(plan.unremovable.map(({ nodeName, reason }) => [nodeName, reason.rule])),
  };
}
