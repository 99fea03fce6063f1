import type { NodeObject, PodObject } from '../../reference/oracle/api-objects.js';
import { findNamed, nameOf } from '../../reference/oracle/cluster.js';
import type { Cluster } from '../../reference/oracle/cluster.js';
import type { Scenario } from './scenario.js';

/** The oracle's side of a history: whole clusters on a stack, nothing is ever changed in place. */
export class ReferenceWorld {
  private readonly saved: Cluster[] = [];

  constructor(public cluster: Cluster) {}

  static of(scenario: Scenario): ReferenceWorld {
    return new ReferenceWorld({ ...scenario.cluster, nodes: [], placements: [] });
  }

  get depth(): number {
    return this.saved.length;
  }

  fork(): void {
    this.saved.push(this.cluster);
  }

  revert(): void {
    this.cluster = this.saved.pop() ?? this.cluster;
  }

  commit(): void {
    this.saved.pop();
  }

  node(name: string): NodeObject | undefined {
    return findNamed(this.cluster.nodes, name);
  }

  addNode(node: NodeObject): void {
    this.cluster = { ...this.cluster, nodes: [...this.cluster.nodes, node] };
  }

  removeNode(name: string): void {
    this.cluster = {
      ...this.cluster,
      nodes: this.cluster.nodes.filter((node) => nameOf(node) !== name),
      placements: this.cluster.placements.filter(({ nodeName }) => nodeName !== name),
    };
  }

  /** Name of the node that the pod is charged to, or null. */
  placeOf(pod: PodObject): string | null {
    return this.cluster.placements.find((placement) => placement.pod === pod)?.nodeName ?? null;
  }

  place(pod: PodObject, nodeName: string): void {
    this.cluster = { ...this.cluster, placements: [...this.cluster.placements, { pod, nodeName }] };
  }

  remove(pod: PodObject): void {
    const placements = this.cluster.placements.filter((placement) => placement.pod !== pod);
    this.cluster = { ...this.cluster, placements };
  }
}
