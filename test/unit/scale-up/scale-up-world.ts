import { estimateByRuns } from '../../../src/domain/estimation/index.js';
import { chooseTemplates, QuotaTracker } from '../../../src/domain/node-group/index.js';
import type { Quota } from '../../../src/domain/node-group/index.js';
import type { NodeTemplate } from '../../../src/domain/node-group/node-group.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import type { Observation } from '../../../src/domain/observation.js';
import { DEFAULT_TAINT_POLICY, emptyClusterStateMemory } from '../../../src/domain/readiness/index.js';
import type { ClusterStateMemory, ScalingState } from '../../../src/domain/readiness/index.js';
import {
  DEFAULT_SCALE_UP_POLICY,
  addUpcomingNodes,
  fillSnapshot,
  noTimeLimit,
  planScaleUp,
  runToEnd,
  triagePods,
} from '../../../src/domain/scale-up/index.js';
import type {
  ClassReport,
  ScaleUpInput,
  ScaleUpPlan,
  ScaleUpPolicy,
} from '../../../src/domain/scale-up/index.js';
import { classifyPods, createSnapshot } from '../../../src/domain/simulation/index.js';
import type { ClusterSnapshot } from '../../../src/domain/simulation/index.js';
import { buildMachineTemplate, buildNode, buildPod } from '../../support/builders.js';
import type { NodeOptions } from '../../support/builders.js';
import { observe, update } from '../readiness/cluster-world.js';
import type { GroupSpec } from '../readiness/cluster-world.js';

/** A group of equal nodes; `busy` pods fill each node so far. */
export interface Pool extends GroupSpec {
  size?: number;
  node?: NodeOptions;
  busyMilli?: number;
}

export interface Cluster {
  pools: Record<string, Pool>;
  foreign?: readonly Node[];
  /** Pending pods. */
  pods?: readonly Pod[];
  policy?: Partial<ScaleUpPolicy>;
  quotas?: readonly Quota[];
  memory?: ClusterStateMemory;
}

export interface PreparedCluster {
  readonly observation: Observation;
  readonly state: ScalingState;
  readonly memory: ClusterStateMemory;
  readonly snapshot: ClusterSnapshot;
  readonly placeholders: ReadonlyMap<string, string>;
  readonly templates: ReadonlyMap<string, NodeTemplate>;
}

/** Everything that an iteration has at hand when it plans growth. */
export function prepare(cluster: Cluster): PreparedCluster {
  const pods: Pod[] = [];
  const groups = Object.entries(cluster.pools).map(([id, pool]) => {
    const { size = 0, node, busyMilli = 0, ...group } = pool;
    const nodes = Array.from({ length: size }, (_, index) => buildNode(`${id}-${index + 1}`, node));
    if (busyMilli > 0) {
      pods.push(
        ...nodes.map((one) => buildPod(`busy-${one.name}`, { nodeName: one.name, cpuMilli: busyMilli })),
      );
    }
    return [id, { nodes, ...group }] as const;
  });
  const observation = observe(Object.fromEntries(groups), {
    foreign: cluster.foreign ?? [],
    pods: [...pods, ...(cluster.pods ?? [])],
  });
  const { state, memory } = update(observation, cluster.memory ?? emptyClusterStateMemory());
  const snapshot = createSnapshot();
  const triaged = triagePods(observation.pods, { allowedSchedulers: [], bypassedSchedulers: [] });
  runToEnd(fillSnapshot(snapshot, observation.nodes, triaged, -10));
  const machines = new Map(
    Object.entries(cluster.pools).map(([id, pool]) => [id, buildMachineTemplate(`machine-${id}`, pool.node)]),
  );
  const { templates } = chooseTemplates(
    { ...observation, podsOn: (name) => snapshot.podsOn(name), machines },
    new Map(),
    {
      taints: DEFAULT_TAINT_POLICY,
      forceDaemonSets: false,
      scaleFromUnschedulable: false,
      cacheExpireMs: 1,
    },
  );
  const { placeholders } = addUpcomingNodes(snapshot, state, templates);
  return { observation, state, memory, snapshot, placeholders, templates };
}

export function planInput(cluster: Cluster, prepared: PreparedCluster): ScaleUpInput {
  const { state, snapshot, templates } = prepared;
  return {
    state,
    snapshot,
    templates,
    prices: new Map(),
    gpuLabel: 'example.com/gpu',
    priorities: null,
    classes: classifyPods(cluster.pods ?? []).classes,
    quotas: QuotaTracker.over(cluster.quotas ?? [], {
      nodes: snapshot.nodeNames().map((name) => snapshot.node(name)!),
      gpuLabel: 'example.com/gpu',
      promisedFor: () => undefined,
    }),
    estimator: estimateByRuns,
    startTimer: noTimeLimit,
    chance: () => 0,
  };
}

export function plan(cluster: Cluster): ScaleUpPlan {
  const input = planInput(cluster, prepare(cluster));
  return runToEnd(planScaleUp(input, { ...DEFAULT_SCALE_UP_POLICY, ...cluster.policy }));
}

/** `group old->new`, in the order of the plan. */
export function sizes({ increases }: Pick<ScaleUpPlan, 'increases'>): readonly string[] {
  return increases.map(({ groupId, currentSize, newSize }) => `${groupId} ${currentSize}->${newSize}`);
}

/** Option sizes by group. */
export function options({ choice }: ScaleUpPlan): Record<string, number> {
  const verdicts = choice?.verdicts ?? [];
  return Object.fromEntries(verdicts.map(({ option }) => [option.groupId, option.nodeCount]));
}

/** Names of pods by what becomes of them. */
export function fates(reports: readonly ClassReport[]): Record<string, string[]> {
  const byFate: Record<string, string[]> = { triggered: [], awaiting: [], remaining: [] };
  for (const { pods, triggered, others } of reports) {
    byFate.triggered!.push(...pods.slice(0, triggered).map((pod) => pod.name));
    byFate[others]!.push(...pods.slice(triggered).map((pod) => pod.name));
  }
  return byFate;
}

/** Reason texts of the first class by group. */
export function reasonTexts(
  of: ScaleUpPlan,
  kind: 'rejected' | 'skipped',
  index = 0,
): Record<string, string[]> {
  const reasons = of.reports[index]![kind];
  return Object.fromEntries([...reasons].map(([id, list]) => [id, list.map((reason) => reason.text)]));
}

export function pending(
  count: number,
  cpuMilli: number,
  options: Parameters<typeof buildPod>[1] = {},
): Pod[] {
  return Array.from({ length: count }, (_, index) =>
    buildPod(`p${cpuMilli}-${index}`, { cpuMilli, ...options }),
  );
}
