import type { Node } from '../../../src/domain/kubernetes/node.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import { hasTaint, TO_BE_DELETED_TAINT } from '../../../src/domain/kubernetes/taint.js';
import type { DisruptionBudget } from '../../../src/domain/kubernetes/workload.js';
import type { CloudFailure } from '../../../src/domain/node-group/node-group.js';
import type { MachineExistence } from '../../../src/domain/observation.js';
import type { NodeRemoval, RemovalBucket, ScaleDownPolicy } from '../../../src/domain/scale-down/index.js';
import { DEFAULT_SCALE_DOWN_POLICY } from '../../../src/domain/scale-down/index.js';
import type { MachineReference, ReleaseResult } from '../../../src/application/ports/cloud-provider.js';
import type { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import type { ClusterReader, ClusterState } from '../../../src/application/ports/cluster-reader.js';
import { ClusterWriteError } from '../../../src/application/ports/cluster-writer.js';
import type {
  ClusterEvent,
  ClusterWriter,
  EvictionOutcome,
  NodePatch,
} from '../../../src/application/ports/cluster-writer.js';
import type { Incidents } from '../../../src/application/ports/incidents.js';
import type { Logger } from '../../../src/application/ports/logger.js';
import type { MetricLabels, Metrics } from '../../../src/application/ports/metrics.js';
import {
  DeletionDelays,
  DeletionOutcomes,
  DeletionPipeline,
  DeletionReporter,
  DeletionTracker,
  FreshNodeCheck,
  MachineReleaser,
  NodeDrainer,
  NodeMarker,
  NodePreparation,
  PodEvictor,
  ScaleDownActuator,
  SoftTainter,
  StaleMarkCleaner,
} from '../../../src/application/scale-down/index.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import { T0 } from '../../support/builders.js';
import { GPU_LABEL, OWNER } from '../scale-down/world.js';

/** A reply never comes in the turn of its request. */
function aRequest(): Promise<void> {
  return Promise.resolve();
}

/** A cluster in memory: what was written is there at once, and evicted pods go unless told otherwise. */
export class FakeCluster {
  readonly nodes = new Map<string, Node>();
  readonly pods = new Map<string, Pod>();
  readonly events: ClusterEvent[] = [];
  /** What happened, in order: `mark n`, `unmark n`, `evict p`. */
  readonly log: string[] = [];
  budgets: readonly DisruptionBudget[] = [];
  /** Names of nodes whose next writes fail, with the number of failures. */
  readonly failingPatches = new Map<string, number>();
  /** What an eviction comes to; default: accepted, and the pod goes. */
  onEvict: (pod: Pod, attempt: number) => EvictionOutcome | ClusterWriteError = () => ({ kind: 'accepted' });
  /** Pods that stay although their eviction was accepted. */
  readonly stubborn = new Set<string>();
  unreadable = false;
  /** Pods that the server has and the cache does not show yet. */
  readonly unseen: Pod[] = [];
  /** Thrown by the server when it is asked for the pods of a node. */
  podsFailure: Error | null = null;
  private readonly attempts = new Map<string, number>();

  constructor(private readonly clock: VirtualClock) {}

  readonly reader: Pick<ClusterReader, 'state'> = {
    state: (): ClusterState => {
      if (this.unreadable) throw new Error('cache is stale');
      return {
        nodes: [...this.nodes.values()],
        pods: [...this.pods.values()],
        daemonSets: [],
        disruptionBudgets: this.budgets,
        workloads: [OWNER],
      };
    },
  };

  readonly writer: Pick<ClusterWriter, 'patchNode' | 'evict' | 'isPodGone' | 'podsOn' | 'recordEvent'> = {
    patchNode: (name, patch) => this.patch(name, patch),
    evict: (pod, grace) => this.evict(pod, grace),
    isPodGone: (pod) => Promise.resolve(this.pods.get(pod.uid)?.nodeName !== pod.nodeName),
    podsOn: (nodeName) => this.podsOn(nodeName),
    recordEvent: (event) => void this.events.push(event),
  };

  isMarked(name: string): boolean {
    return hasTaint(this.nodes.get(name)?.taints ?? [], TO_BE_DELETED_TAINT);
  }

  /** Events about an object, as `Reason: message`. */
  eventsOf(name: string): string[] {
    return this.events
      .filter(({ subject }) => subject.name === name)
      .map(({ reason, message }) => `${reason}: ${message}`);
  }

  private async podsOn(nodeName: string): Promise<readonly Pod[]> {
    await aRequest();
    if (this.podsFailure !== null) throw this.podsFailure;
    return [...this.pods.values(), ...this.unseen].filter((pod) => pod.nodeName === nodeName);
  }

  private async patch(name: string, patch: NodePatch): Promise<boolean> {
    await aRequest();
    const node = this.nodes.get(name);
    if (node === undefined) throw new ClusterWriteError('not-found', `node ${name} is gone`);
    const failures = this.failingPatches.get(name) ?? 0;
    if (failures > 0) {
      this.failingPatches.set(name, failures - 1);
      throw new ClusterWriteError('conflict', `node ${name} has changed`);
    }
    const kept = node.taints.filter(({ key }) => patch.removeTaints?.includes(key) !== true);
    const added = (patch.addTaints ?? []).filter(({ key }) => !hasTaint(kept, key));
    const unschedulable = patch.unschedulable ?? node.unschedulable;
    const isChanged =
      kept.length !== node.taints.length || added.length > 0 || unschedulable !== node.unschedulable;
    this.nodes.set(name, { ...node, taints: [...kept, ...added], unschedulable });
    for (const { key } of added) this.log.push(`${key === TO_BE_DELETED_TAINT ? 'mark' : 'soft'} ${name}`);
    if (kept.length !== node.taints.length) this.log.push(`unmark ${name}`);
    return isChanged;
  }

  private async evict(pod: Pod, graceSeconds: number | null): Promise<EvictionOutcome> {
    await aRequest();
    const attempt = (this.attempts.get(pod.uid) ?? 0) + 1;
    this.attempts.set(pod.uid, attempt);
    const outcome = this.onEvict(pod, attempt);
    this.log.push(`evict ${pod.name} ${String(graceSeconds)}`);
    if (outcome instanceof ClusterWriteError) throw outcome;
    if (outcome.kind !== 'accepted') return outcome;
    if (!this.stubborn.has(pod.name)) this.clock.schedule(1_000, () => this.pods.delete(pod.uid));
    return outcome;
  }
}

/** A cloud in memory. */
export class FakeCloud {
  readonly calls: string[] = [];
  /** Failures by machine. */
  readonly failures = new Map<string, CloudFailure>();
  readonly existences = new Map<string, MachineExistence>();
  /** Thrown instead of an answer, by group. */
  readonly outages = new Map<string, Error>();

  readonly provider: Pick<CloudProvider, 'gpuLabel' | 'deleteInstances' | 'existence'> = {
    gpuLabel: GPU_LABEL,
    deleteInstances: (groupId, machines) => this.delete(groupId, machines),
    existence: (node) => Promise.resolve(this.existences.get(node.name) ?? 'exists'),
  };

  private async delete(groupId: string, machines: readonly MachineReference[]): Promise<ReleaseResult[]> {
    await aRequest();
    this.calls.push(`${groupId}: ${machines.map(({ name }) => name).join(' ')}`);
    const outage = this.outages.get(groupId);
    if (outage !== undefined) throw outage;
    return machines.map(({ instanceId, name }) => ({ instanceId, failure: this.failures.get(name) ?? null }));
  }
}

/** Metrics that are only remembered: `name{labels}` and its value. */
export class RememberedMetrics implements Metrics {
  readonly values = new Map<string, number>();

  add(name: string, amount: number, labels: MetricLabels = {}): void {
    const key = keyOf(name, labels);
    this.values.set(key, (this.values.get(key) ?? 0) + amount);
  }

  set(name: string, value: number, labels: MetricLabels = {}): void {
    this.values.set(keyOf(name, labels), value);
  }

  observe(name: string, value: number, labels: MetricLabels = {}): void {
    this.set(name, value, labels);
  }

  reset(name: string): void {
    for (const key of this.values.keys()) if (key.startsWith(`${name}{`)) this.values.delete(key);
  }
}

function keyOf(name: string, labels: MetricLabels): string {
  const text = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  return `${name}{${text.join(',')}}`;
}

/** Notes what is told of lasting trouble. */
function incidentsInto(told: string[]): Incidents {
  return {
    happened: (key) => void told.push(`${key} happened`),
    over: (key) => void told.push(`${key} over`),
    open: () => new Map(),
  };
}

const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

function nothing(): void {
  // Nobody reads the log of these tests.
}

export const STATUS = {
  kind: 'ConfigMap' as const,
  namespace: 'kube-system',
  name: 'cluster-autoscaler-status',
  uid: 'status',
};

/** The services of scale-down, put together over fakes. */
export function actuation(policy: Partial<ScaleDownPolicy> = {}) {
  const clock = new VirtualClock(T0);
  const cluster = new FakeCluster(clock);
  const cloud = new FakeCloud();
  const metrics = new RememberedMetrics();
  const settings = { policy: { ...DEFAULT_SCALE_DOWN_POLICY, ...policy }, statusSubject: STATUS };
  const writer = cluster.writer as ClusterWriter;
  const reader = cluster.reader as ClusterReader;
  const provider = cloud.provider as CloudProvider;
  const tracker = new DeletionTracker(clock, settings);
  const told: string[] = [];
  const incidents = incidentsInto(told);
  const marker = new NodeMarker(writer, clock, incidents, settings);
  const checks = new FreshNodeCheck(reader, writer, clock, settings);
  const delays = new DeletionDelays(reader, clock, SILENT, settings);
  const evictor = new PodEvictor(writer, clock, tracker, settings);
  const drainer = new NodeDrainer(writer, clock, metrics, evictor, settings);
  const preparation = new NodePreparation(checks, drainer, delays, settings);
  const releaser = new MachineReleaser(provider, clock, checks, settings);
  const outcomes = new DeletionOutcomes(
    tracker,
    new DeletionReporter(writer, metrics, SILENT, provider, settings),
    marker,
  );
  const pipeline = new DeletionPipeline(delays, preparation, releaser, outcomes);
  const actuator = new ScaleDownActuator(clock, marker, checks, pipeline, outcomes);
  const leadership = new AbortController();
  return {
    clock,
    cluster,
    cloud,
    metrics,
    tracker,
    actuator,
    drainer,
    delays,
    leadership,
    told,
    softTainter: new SoftTainter(writer, clock, incidents, tracker, settings),
    cleaner: new StaleMarkCleaner(writer, incidents, settings),
    /** Starts the deletions and waits until all have ended. */
    async run(buckets: readonly RemovalBucket[]) {
      const start = await clock.complete(actuator.startDeletion(buckets, leadership.signal));
      await clock.complete(actuator.settled());
      const ended = tracker.collect();
      return {
        start,
        results: Object.fromEntries(
          ended.map(({ removal, failure }) => [removal.node.name, failure?.code ?? 'NodeDeleteOk']),
        ),
        failures: new Map(ended.map(({ removal, failure }) => [removal.node.name, failure])),
      };
    },
  };
}

export type Actuation = ReturnType<typeof actuation>;

/** Puts nodes with their pods into the cluster and gives their removals. */
export function place(
  { cluster }: Pick<Actuation, 'cluster'>,
  groupId: string,
  nodes: readonly (readonly [Node, ...Pod[]])[],
): NodeRemoval[] {
  return nodes.map(([node, ...pods]) => {
    cluster.nodes.set(node.name, node);
    for (const pod of pods) cluster.pods.set(pod.uid, pod);
    return removalOf(node, groupId, pods);
  });
}

function removalOf(node: Node, groupId: string, pods: readonly Pod[]): NodeRemoval {
  const moving = pods.filter(
    ({ shape }) => shape.owner?.kind !== 'DaemonSet' && shape.directives.mirror === undefined,
  );
  const isEmpty = moving.length === 0;
  return {
    node,
    groupId,
    sinceMs: T0,
    utilization: { cpu: 0.25, memory: 0.125, gpu: 0, resource: 'cpu', value: 0.25 },
    ready: true,
    isEmpty,
    isRisky: false,
    podsToMove: moving,
    daemonSetPods: [],
    onCompletionPods: [],
    cause: isEmpty ? 'empty' : 'underutilized',
    reason: { rule: 'empty', text: 'unneeded' },
    daemonSetPodsToEvict: [],
  };
}

/** One bucket per group of removals. */
export function buckets(removals: readonly NodeRemoval[], isAtomic = false): RemovalBucket[] {
  const groupIds = [...new Set(removals.map(({ groupId }) => groupId))];
  return groupIds.map((groupId) => {
    const own = removals.filter((removal) => removal.groupId === groupId);
    return {
      groupId,
      isAtomic,
      empty: own.filter(({ isEmpty }) => isEmpty),
      drain: own.filter(({ isEmpty }) => !isEmpty),
    };
  });
}
