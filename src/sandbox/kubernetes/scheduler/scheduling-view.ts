import type { Node as DomainNode } from '../../../domain/kubernetes/node.js';
import type { Pod as DomainPod } from '../../../domain/kubernetes/pod.js';
import type { ClusterStorage, VolumeLimits } from '../../../domain/kubernetes/storage.js';
import { ShapeTable } from '../../../domain/kubernetes/shape-table.js';
import { createSnapshot } from '../../../domain/simulation/index.js';
import type { SchedulingOptions, Verdict } from '../../../domain/simulation/index.js';
import type { Node, Pod } from '../objects/types.js';
import { priorityOf } from './priority.js';
import { projectNode, schedulingFaceOf } from './project-node.js';
import { projectPod } from './project-pod.js';

interface Charge {
  readonly pod: DomainPod;
  readonly nodeName: string;
}

/** The scheduler's cache: nodes with what is charged to them, kept up to date change by change. */
export class SchedulingView {
  private options: SchedulingOptions = {};
  private limits: ReadonlyMap<string, VolumeLimits> = new Map();
  private snapshot = createSnapshot();
  private readonly shapes = new ShapeTable();
  private readonly faces = new Map<string, string>();
  private readonly charges = new Map<string, Charge>();
  /** Charges by node, also of nodes that are not there (yet). */
  private readonly byNode = new Map<string, Map<string, DomainPod>>();
  /** Number of charged pods by priority. */
  private readonly priorities = new Map<number, number>();
  private readonly usage = new Map<string, Map<string, number>>();

  nodeNames(): readonly string[] {
    return this.snapshot.nodeNames();
  }

  node(name: string): DomainNode {
    return this.snapshot.node(name)!;
  }

  project(pod: Pod): DomainPod {
    return projectPod(pod, this.shapes);
  }

  check(pod: DomainPod, nodeName: string): Verdict {
    return this.snapshot.check(pod, nodeName);
  }

  /** Sum of what is charged to the node. */
  used(nodeName: string, resource: string): number {
    return this.usage.get(nodeName)?.get(resource) ?? 0;
  }

  /** Whether some bound pod is less important. */
  hasPodBelow(priority: number): boolean {
    for (const known of this.priorities.keys()) if (known < priority) return true;
    return false;
  }

  /**
   * The fewest pods of lower priority without which the pod fits, the most important ones spared first; null if it
   * does not fit without all of them, or if none must go.
   */
  victimsFor(pod: DomainPod, nodeName: string): readonly DomainPod[] | null {
    const lower = this.snapshot.podsOn(nodeName).filter((other) => priorityOf(other) < priorityOf(pod));
    if (lower.length === 0) return null;
    this.snapshot.fork();
    for (const other of lower) this.snapshot.removePod(other, nodeName);
    const victims: DomainPod[] = [];
    if (this.snapshot.check(pod, nodeName).fit) {
      for (const other of lower.sort((left, right) => priorityOf(right) - priorityOf(left))) {
        this.snapshot.addPod(other, nodeName);
        if (this.snapshot.check(pod, nodeName).fit) continue;
        this.snapshot.removePod(other, nodeName);
        victims.push(other);
      }
    }
    this.snapshot.revert();
    return victims.length === 0 ? null : victims;
  }

  /** True if the change may let a pod fit that did not before. */
  nodeChanged(node: Node): boolean {
    const { name } = node.metadata;
    const face = schedulingFaceOf(node);
    if (this.faces.get(name) === face) return false;
    this.faces.set(name, face);
    if (this.snapshot.hasNode(name)) this.snapshot.removeNode(name);
    this.snapshot.addNode(this.withLimits(projectNode(node)), [...(this.byNode.get(name)?.values() ?? [])]);
    return true;
  }

  nodeGone(name: string): void {
    if (this.faces.delete(name)) this.snapshot.removeNode(name);
  }

  /** Labels of namespaces are part of what the filters read; they change so seldom that all is read anew. */
  namespacesChanged(namespaces: ReadonlyMap<string, ReadonlyMap<string, string>>): void {
    this.rebuild({ ...this.options, namespaces });
  }

  /** Volumes decide by what they are bound to, so all is read anew. */
  storageChanged(storage: ClusterStorage): void {
    this.limits = new Map(storage.csiNodes.map(({ nodeName, limits }) => [nodeName, limits]));
    this.rebuild({ ...this.options, storage });
  }

  private rebuild(options: SchedulingOptions): void {
    const before = this.snapshot;
    this.options = options;
    this.snapshot = createSnapshot(options);
    for (const name of before.nodeNames()) {
      this.snapshot.addNode(this.withLimits(before.node(name)!), before.podsOn(name));
    }
  }

  /** Only what the drivers of the node have stated limits it. */
  private withLimits({ volumeLimits: _, ...node }: DomainNode): DomainNode {
    const limits = this.limits.get(node.name);
    return limits === undefined ? node : { ...node, volumeLimits: limits };
  }

  /**
   * Charges a bound pod to its node, once, and once more when it begins to terminate: it still takes its room then,
   * but no longer counts for spreading. True if the filters may see a difference.
   */
  charge(pod: Pod): boolean {
    const { uid, deletionTimestamp } = pod.metadata;
    const nodeName = pod.spec.nodeName ?? '';
    const known = this.charges.get(uid);
    const isNews = known === undefined || (known.pod.deletionMs === null && deletionTimestamp !== undefined);
    if (nodeName === '' || !isNews) return false;
    this.release(uid);
    const record = this.project(pod);
    this.charges.set(record.uid, { pod: record, nodeName });
    const onNode = this.byNode.get(nodeName) ?? new Map<string, DomainPod>();
    this.byNode.set(nodeName, onNode.set(record.uid, record));
    this.count(record, nodeName, 1);
    if (this.snapshot.hasNode(nodeName)) this.snapshot.addPod(record, nodeName);
    return true;
  }

  /** True if there was a charge: room appeared. */
  release(uid: string): boolean {
    const charge = this.charges.get(uid);
    if (charge === undefined) return false;
    const { pod, nodeName } = charge;
    this.charges.delete(uid);
    const onNode = this.byNode.get(nodeName);
    onNode?.delete(uid);
    this.count(pod, nodeName, -1);
    if (onNode?.size === 0) {
      this.byNode.delete(nodeName);
      this.usage.delete(nodeName);
    }
    if (this.snapshot.hasNode(nodeName)) this.snapshot.removePod(pod, nodeName);
    return true;
  }

  private count(pod: DomainPod, nodeName: string, sign: 1 | -1): void {
    const alike = (this.priorities.get(priorityOf(pod)) ?? 0) + sign;
    if (alike === 0) this.priorities.delete(priorityOf(pod));
    else this.priorities.set(priorityOf(pod), alike);
    const sums = this.usage.get(nodeName) ?? new Map<string, number>();
    for (const [name, amount] of pod.charged ?? pod.shape.requests) {
      sums.set(name, (sums.get(name) ?? 0) + sign * amount);
    }
    this.usage.set(nodeName, sums);
  }
}
