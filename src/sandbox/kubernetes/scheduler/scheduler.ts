import { QuantityError } from '../../../domain/kubernetes/quantity.js';
import type { Pod as DomainPod } from '../../../domain/kubernetes/pod.js';
import { ApiError } from '../objects/api-error.js';
import { withCondition } from '../objects/condition.js';
import { NAMESPACES, NODES, PODS } from '../objects/kinds.js';
import type { Node, Pod } from '../objects/types.js';
import type { EventRecorder } from '../controllers/event-recorder.js';
import type { OwnerIndex } from '../controllers/owner-index.js';
import { deletePod, isFinished, markDisrupted, nodeNameOf } from '../controllers/pods.js';
import { refOf } from '../controllers/reconciler.js';
import { bindPod } from '../registry/binding.js';
import type { Registry } from '../registry/registry.js';
import { claimsOf } from '../storage/claims.js';
import type { StoreEvent } from '../store/collection.js';
import type { ScheduledTask } from '../../world/world-clock.js';
import { FitFailure } from './fit-failure.js';
import { planPreemption } from './preemption.js';
import { STORAGE_KINDS, projectStorage } from './project-storage.js';
import { SchedulingView } from './scheduling-view.js';
import { VolumeBinding } from './volume-binding.js';

const NAME = 'default-scheduler';
/** Time between a new pod and its first look. */
const REACTION_MS = 20;
/** Pods in one task, so that a real process stays responsive. */
const BATCH_MAX = 200;
/** First back-off of kube-scheduler: pods that did not fit are tried again this long after something changed. */
const RETRY_MS = 1_000;
/** Even if nothing changed; kube-scheduler's own flush. */
const FLUSH_MS = 5 * 60_000;
/** Feasible nodes that are enough to choose among; kube-scheduler's minimum. */
const FEASIBLE_ENOUGH = 100;

/** Binds pods to nodes, or says why not, word for word as kube-scheduler does. */
export class Scheduler {
  private readonly view = new SchedulingView();
  private readonly volumes: VolumeBinding;
  private readonly active = new Map<string, Pod>();
  private readonly unschedulable = new Map<string, Pod>();
  /** Messages for pods that are alike, until something changes that may help. */
  private readonly failures = new Map<string, string>();
  private readonly unsubscribe: (() => void)[] = [];
  private run: ScheduledTask | null = null;
  private retry: ScheduledTask | null = null;
  private flush: ScheduledTask | null = null;
  private firstNode = 0;
  /** Names and labels, to see whether they changed. */
  private namespacesText = '';
  private isStorageStale = false;

  constructor(
    private readonly registry: Registry,
    private readonly index: OwnerIndex,
    private readonly events: EventRecorder,
  ) {
    this.volumes = new VolumeBinding(registry);
  }

  start(): void {
    const { store } = this.registry;
    this.readNamespaces();
    this.readStorage();
    for (const node of store.list(NODES)) ignoringMalformed(() => this.view.nodeChanged(node));
    for (const pod of store.list(PODS)) ignoringMalformed(() => this.podChanged(pod));
    this.unsubscribe.push(
      store.collection(NODES).listen((event) => ignoringMalformed(() => this.onNode(event))),
      store.collection(PODS).listen((event) => ignoringMalformed(() => this.onPod(event))),
      store.collection(NAMESPACES).listen(() => this.readNamespaces()),
      ...STORAGE_KINDS.map((kind) => store.collection(kind).listen(() => this.storageChanged())),
    );
  }

  stop(): void {
    for (const stop of this.unsubscribe.splice(0)) stop();
    for (const task of [this.run, this.retry, this.flush]) task?.cancel();
  }

  private readNamespaces(): void {
    const labels = this.registry.store
      .list(NAMESPACES)
      .map(({ metadata }) => [metadata.name, Object.entries(metadata.labels ?? {})] as const);
    const text = JSON.stringify(labels);
    if (text === this.namespacesText) return;
    this.namespacesText = text;
    this.view.namespacesChanged(new Map(labels.map(([name, entries]) => [name, new Map(entries)])));
    this.somethingChanged();
  }

  /** Read when the next pods are looked at: claims of many pods come at once. */
  private storageChanged(): void {
    this.isStorageStale = true;
    this.somethingChanged();
  }

  private readStorage(): void {
    this.isStorageStale = false;
    this.view.storageChanged(projectStorage(this.registry.store));
  }

  private onNode({ type, current }: StoreEvent<Node>): void {
    const node = current.object;
    if (type === 'DELETED') {
      this.view.nodeGone(node.metadata.name);
      this.failures.clear();
      // The message of those that wait counts the nodes.
      this.retryLater();
    } else if (this.view.nodeChanged(node)) this.somethingChanged();
  }

  private onPod({ type, current }: StoreEvent<Pod>): void {
    const { uid } = current.object.metadata;
    if (type === 'DELETED') {
      this.forget(uid);
      if (this.view.release(uid)) this.somethingChanged();
    } else this.podChanged(current.object);
  }

  private podChanged(pod: Pod): void {
    const { uid, deletionTimestamp } = pod.metadata;
    if (isFinished(pod)) {
      this.forget(uid);
      if (this.view.release(uid)) this.somethingChanged();
    } else if (nodeNameOf(pod) !== '') {
      this.forget(uid);
      if (this.view.charge(pod)) this.companyChanged();
    } else if (deletionTimestamp !== undefined || pod.spec?.schedulerName !== NAME || isGated(pod)) {
      this.forget(uid);
    } else if (this.unschedulable.has(uid)) this.unschedulable.set(uid, pod);
    else this.enqueue(pod);
  }

  private forget(uid: string): void {
    this.active.delete(uid);
    this.unschedulable.delete(uid);
  }

  private enqueue(pod: Pod): void {
    this.active.set(pod.metadata.uid, pod);
    this.run ??= this.registry.clock.schedule(REACTION_MS, () => this.runBatch());
  }

  private somethingChanged(): void {
    this.failures.clear();
    this.retryLater();
  }

  /** A pod came or begins to go: what others wait for may be there now, or no longer be counted. */
  private companyChanged(): void {
    if (this.retry !== null) return;
    if ([...this.unschedulable.values()].some((pod) => isSocial(this.view.project(pod)))) this.retryLater();
  }

  private retryLater(): void {
    if (this.unschedulable.size === 0) return;
    this.retry ??= this.registry.clock.schedule(RETRY_MS, () => {
      this.retry = null;
      this.retryAll();
    });
  }

  private retryAll(): void {
    const waiting = [...this.unschedulable.values()];
    this.unschedulable.clear();
    for (const pod of waiting) this.enqueue(pod);
  }

  private runBatch(): void {
    this.run = null;
    if (this.isStorageStale) this.readStorage();
    const queue = [...this.active.values()].sort(byUrgency).slice(0, BATCH_MAX);
    for (const pod of queue) {
      this.active.delete(pod.metadata.uid);
      ignoringMalformed(() => this.scheduleOne(pod));
    }
    if (this.active.size > 0) this.run ??= this.registry.clock.schedule(0, () => this.runBatch());
  }

  private scheduleOne(pod: Pod): void {
    // The pod before may have bound a claim that both name.
    if (this.isStorageStale && claimsOf(pod).length > 0) this.readStorage();
    const record = this.view.project(pod);
    const key = claimsOf(pod).length > 0 ? null : likenessOf(record);
    const known = key === null ? undefined : this.failures.get(key);
    const outcome = known ?? this.findNode(record);
    if (typeof outcome === 'string') return this.reject(pod, outcome);
    if ('nodeName' in outcome) return this.bind(pod, outcome.nodeName);
    if (this.preempt(pod, record, outcome)) return this.reject(pod, outcome.messageAfterPreemption());
    const message = outcome.message();
    if (key !== null) this.failures.set(key, message);
    this.reject(pod, message);
  }

  /** The best node among enough feasible ones, or why there is none. */
  private findNode(record: DomainPod): { readonly nodeName: string } | FitFailure {
    const names = this.view.nodeNames();
    const failure = new FitFailure(record);
    let best: { readonly nodeName: string; readonly score: number } | null = null;
    let feasible = 0;
    for (let step = 0; step < names.length && feasible < FEASIBLE_ENOUGH; step++) {
      const nodeName = names[(this.firstNode + step) % names.length]!;
      if (!this.fits(record, nodeName, failure)) continue;
      feasible++;
      const score = this.freeShare(record, nodeName);
      if (best === null || score > best.score) best = { nodeName, score };
    }
    if (best === null) return failure;
    this.firstNode = (this.firstNode + 1) % names.length;
    return best;
  }

  private fits(record: DomainPod, nodeName: string, failure: FitFailure): boolean {
    const verdict = this.view.check(record, nodeName);
    if (!verdict.fit) failure.add(this.view.node(nodeName), verdict);
    return verdict.fit;
  }

  /** Makes room by sending less important pods away; true if some are on their way out for this pod. */
  private preempt(pod: Pod, record: DomainPod, failure: FitFailure): boolean {
    if (this.isMakingRoom(pod)) return true;
    const plan = planPreemption(this.view, record, failure.candidates);
    if (plan === null) return false;
    const { nodeName, victims } = plan;
    this.registry.modifyStatus(PODS, refOf(pod), (draft) => {
      draft.status = { ...draft.status, nominatedNodeName: nodeName };
    });
    for (const { namespace, name } of victims) {
      const victim = this.registry.store.get(PODS, namespace, name);
      if (victim === undefined) continue;
      const message = `Preempted by pod ${pod.metadata.uid} on node ${nodeName}`;
      this.events.record(victim, { type: 'Normal', reason: 'Preempted', message });
      markDisrupted(this.registry, victim, {
        reason: 'PreemptionByScheduler',
        message: 'default-scheduler: preempting to accommodate a higher priority pod',
      });
      deletePod(this.registry, victim);
    }
    return true;
  }

  /** Less important pods still stop on the node that was found for it. */
  private isMakingRoom(pod: Pod): boolean {
    const current = this.registry.store.get(PODS, pod.metadata.namespace, pod.metadata.name);
    const nodeName = current?.status?.nominatedNodeName ?? '';
    if (nodeName === '') return false;
    return this.index
      .podsOn(nodeName)
      .some(
        ({ metadata, spec }) =>
          metadata.deletionTimestamp !== undefined && (spec.priority ?? 0) < (pod.spec.priority ?? 0),
      );
  }

  /** Least allocated: mean free share of cpu and memory with the pod on the node. */
  private freeShare(pod: DomainPod, nodeName: string): number {
    const { allocatable } = this.view.node(nodeName);
    const shares = ['cpu', 'memory'].map((resource) => {
      const total = allocatable.get(resource) ?? 0;
      const used = this.view.used(nodeName, resource) + (pod.shape.requests.get(resource) ?? 0);
      return total === 0 ? 0 : (total - used) / total;
    });
    return (shares[0]! + shares[1]!) / 2;
  }

  private bind(pod: Pod, nodeName: string): void {
    this.volumes.bind(pod, nodeName);
    try {
      bindPod(this.registry, refOf(pod), { target: { kind: 'Node', name: nodeName } });
    } catch (error) {
      // Gone or bound by somebody else meanwhile; then its event has told us.
      if (error instanceof ApiError) return;
      throw error;
    }
    const message = `Successfully assigned ${pod.metadata.namespace ?? ''}/${pod.metadata.name} to ${nodeName}`;
    this.events.record(pod, { type: 'Normal', reason: 'Scheduled', message });
  }

  private reject(pod: Pod, message: string): void {
    this.unschedulable.set(pod.metadata.uid, pod);
    this.flush ??= this.registry.clock.schedule(FLUSH_MS, () => {
      this.flush = null;
      this.retryAll();
    });
    const before = pod.status?.conditions?.find((condition) => condition.type === 'PodScheduled');
    if (before?.status === 'False' && before.message === message) return;
    this.events.record(pod, { type: 'Warning', reason: 'FailedScheduling', message });
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
    };
    this.registry.modifyStatus(PODS, refOf(pod), (draft) => {
      draft.status ??= {};
      draft.status.conditions = withCondition(draft.status.conditions, condition, this.registry.now());
    });
  }
}

function isGated(pod: Pod): boolean {
  return (pod.spec.schedulingGates ?? []).length > 0;
}

/** By priority, then by age, as the scheduling queue sorts. */
function byUrgency(left: Pod, right: Pod): number {
  const priority = (right.spec.priority ?? 0) - (left.spec.priority ?? 0);
  if (priority !== 0) return priority;
  return left.metadata.creationTimestamp < right.metadata.creationTimestamp
    ? -1
    : left.metadata.creationTimestamp > right.metadata.creationTimestamp
      ? 1
      : 0;
}

/** Pods with equal keys fail alike; null where the placement of other pods matters too. */
function likenessOf(pod: DomainPod): string | null {
  const { shape, pinnedNodeName, namespace, labels, claims } = pod;
  // Labels, for others may repel the pod by them.
  // Each claim is a matter of its own.
  return isSocial(pod) || claims.length > 0
    ? null
    : JSON.stringify([shape.id, pinnedNodeName, namespace, [...labels]]);
}

/** Has rules about other pods. */
function isSocial({ shape }: DomainPod): boolean {
  return shape.topologySpread.length + shape.podAffinity.length + shape.podAntiAffinity.length > 0;
}

/** An object whose amounts are no quantities, as only a test can plant it, is not there for the scheduler. */
function ignoringMalformed(task: () => void): void {
  try {
    task();
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
  }
}
