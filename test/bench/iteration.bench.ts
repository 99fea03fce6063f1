import { buildGroup, buildInstance, buildNode, buildPod, MIB, MINUTE, T0 } from '../support/builders.js';
import type { Observation } from '../../src/domain/observation.js';
import { NO_DELETIONS } from '../../src/domain/observation.js';
import {
  DEFAULT_CLUSTER_STATE_POLICY,
  emptyClusterStateMemory,
  updateClusterState,
} from '../../src/domain/readiness/index.js';
import {
  createScaleDownMemory,
  DEFAULT_SCALE_DOWN_POLICY,
  planScaleDown,
} from '../../src/domain/scale-down/index.js';
import type { ScaleDownDecision } from '../../src/domain/scale-down/index.js';
import { fillSnapshot, runToEnd, triagePods } from '../../src/domain/scale-up/index.js';
import { createSnapshot } from '../../src/domain/simulation/index.js';
import type { ClusterSnapshot } from '../../src/domain/simulation/index.js';
import { compare, measure, mustEqual } from './measure.js';

/**
 * The domain's share of one iteration without pending pods: snapshot, state of the groups, scale-down plan. `asked` is
 * the share of a node that its pods ask for: above half nothing is simulated, below it each node is a candidate.
 */

const PODS_PER_NODE = 30;
const NODE = { cpuMilli: 8_000, memoryBytes: 16_384 * MIB };
const NODES_PER_GROUP = 100;

function cluster(nodeCount: number, asked: number): Observation {
  const sizes = Array.from({ length: 50 }, (_, i) => 0.5 + i / 50);
  const average = (NODE.cpuMilli * asked) / PODS_PER_NODE;
  const nodes = Array.from({ length: nodeCount }, (_, i) => buildNode(`node-${i}`, NODE));
  const pods = nodes.flatMap(({ name }, i) =>
    Array.from({ length: PODS_PER_NODE }, (_, k) =>
      buildPod(`pod-${i}-${k}`, {
        cpuMilli: Math.round(average * sizes[(i + 7 * k) % sizes.length]!),
        memoryBytes: 64 * MIB,
        nodeName: name,
        scheduling: 'scheduled',
        phase: 'Running',
        owner: { kind: 'ReplicaSet', name: `set-${k % 10}` },
      }),
    ),
  );
  const groupOf = (index: number): string => `group-${Math.floor(index / NODES_PER_GROUP)}`;
  const groups = Array.from({ length: nodeCount / NODES_PER_GROUP }, (_, g) =>
    buildGroup(groupOf(g * NODES_PER_GROUP), {
      maxSize: NODES_PER_GROUP,
      instances: nodes
        .slice(g * NODES_PER_GROUP, (g + 1) * NODES_PER_GROUP)
        .map(({ name }) => buildInstance(name)),
    }),
  );
  return {
    nowMs: T0,
    ...{ nodes, pods, groups },
    daemonSets: [],
    disruptionBudgets: [],
    workloads: Array.from({ length: 10 }, (_, i) => ({
      ...{ kind: 'ReplicaSet' as const, namespace: 'default', name: `set-${i}`, uid: `uid-set-${i}` },
      ...{ replicas: 1_000, terminating: false },
    })),
    groupIdByNode: new Map(nodes.map(({ name }, i) => [name, groupOf(i)])),
    existenceByNode: new Map(nodes.map(({ name }) => [name, 'exists'])),
    deletions: NO_DELETIONS,
  };
}

function filled({ nodes, pods }: Observation): ClusterSnapshot {
  const snapshot = createSnapshot();
  const triaged = triagePods(pods, { allowedSchedulers: [], bypassedSchedulers: [] });
  runToEnd(fillSnapshot(snapshot, nodes, triaged, -10));
  return snapshot;
}

/** Two plans, so that the second finds the memory of the first. */
function plan(observation: Observation, snapshot: ClusterSnapshot): ScaleDownDecision {
  let memory = createScaleDownMemory(T0 - MINUTE);
  let decision: ScaleDownDecision | null = null;
  for (const nowMs of [T0, T0 + 10_000]) {
    const planning = planScaleDown({
      observation: { ...observation, nowMs },
      ...{
        snapshot,
        memory,
        policy: DEFAULT_SCALE_DOWN_POLICY,
        gpuLabel: 'gpu',
        forbidden: null,
        releaseBudget: null,
      },
      isOutOfTime: () => false,
    });
    let step = planning.next();
    while (step.done !== true) step = planning.next();
    decision = step.value;
    memory = decision.memory;
  }
  return decision!;
}

interface Took {
  readonly snapshotMs: number;
  readonly stateMs: number;
  readonly restMs: number;
  readonly halfEmptyMs: number;
}

function iteration(nodeCount: number): Took {
  const size = `${nodeCount.toLocaleString('en')} nodes`;
  const busy = cluster(nodeCount, 0.7);
  const halfEmpty = cluster(nodeCount, 0.35);
  const each = { count: nodeCount, unit: 'node' };
  const snapshotMs = measure({
    ...each,
    name: `${size}: snapshot of all pods`,
    prepare: () => busy,
    run: filled,
  });
  const stateMs = measure({
    ...each,
    name: `${size}: state of the groups`,
    prepare: () => busy,
    run: (observation) =>
      updateClusterState(observation, emptyClusterStateMemory(), DEFAULT_CLUSTER_STATE_POLICY),
  });
  const restMs = measure({
    ...each,
    name: `${size}: two scale-down plans, each node in use`,
    prepare: () => filled(busy),
    run: (snapshot) => mustEqual(plan(busy, snapshot).plan.unneeded.length, 0),
  });
  const halfEmptyMs = measure({
    ...each,
    name: `${size}: the same, each node a third full`,
    prepare: () => filled(halfEmpty),
    run: (snapshot) => mustEqual(plan(halfEmpty, snapshot).plan.unneeded.length > 0, true),
  });
  return { snapshotMs, stateMs, restMs, halfEmptyMs };
}

const small = iteration(1_000);
const large = iteration(4_000);
compare('4 times the cluster: snapshot', small.snapshotMs, large.snapshotMs);
compare('4 times the cluster: state of the groups', small.stateMs, large.stateMs);
compare('4 times the cluster: plans, in use', small.restMs, large.restMs);
compare('4 times the cluster: plans, a third full', small.halfEmptyMs, large.halfEmptyMs);
