import type { Pod as DomainPod } from '../../../domain/kubernetes/pod.js';
import type { Node as DomainNode } from '../../../domain/kubernetes/node.js';
import type { Rejection } from '../../../domain/simulation/index.js';

export const NO_NODES = 'no nodes available to schedule pods';

/** Plugins whose no can be turned by taking other pods away. */
const PREEMPTABLE: ReadonlySet<string> = new Set([
  'NodePorts',
  'NodeResourcesFit',
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'PodTopologySpread',
  'InterPodAffinity',
]);

/** Why a pod fits no node, counted as kube-scheduler counts it. */
export class FitFailure {
  private readonly reasons = new Map<string, number>();
  private readonly improvable: string[] = [];
  /** A rule that spoke before any node was looked at, and for all of them. */
  private everywhere: string | null = null;
  private nodes = 0;

  constructor(private readonly pod: DomainPod) {}

  add(node: DomainNode, rejection: Rejection): void {
    this.nodes++;
    if (PREEMPTABLE.has(rejection.plugin) && this.fitsEmpty(node)) this.improvable.push(node.name);
    const texts = rejection.reasons.map((reason) => reason.text);
    if (rejection.message === 'PreFilter failed') this.everywhere = texts.join(', ');
    // A node that PreFilter left out has no reasons of its own.
    if (texts.length === 0) texts.push(`node(s) didn't satisfy plugin(s) [${rejection.plugin}]`);
    for (const text of texts) this.reasons.set(text, (this.reasons.get(text) ?? 0) + 1);
  }

  /** Nodes on which the pod might fit if others went. */
  get candidates(): readonly string[] {
    return this.improvable;
  }

  /** The message once others are on their way out for this pod. */
  messageAfterPreemption(): string {
    return availability(this.nodes, this.reasons);
  }

  private messageFor(text: string): string {
    const helpless = new Map([['Preemption is not helpful for scheduling', this.nodes]]);
    return `0/${this.nodes} nodes are available: ${text}. preemption: ${availability(this.nodes, helpless)}`;
  }

  /** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s). preemption: …` */
  message(): string {
    if (this.nodes === 0) return NO_NODES;
    if (this.everywhere !== null) return this.messageFor(this.everywhere);
    return `${availability(this.nodes, this.reasons)} ${this.preemption()}`;
  }

  private preemption(): string {
    if (this.pod.shape.preemptionPolicy === 'Never') {
      return 'preemption: not eligible due to preemptionPolicy=Never.';
    }
    const outcomes = new Map([
      ['No preemption victims found for incoming pod', this.improvable.length],
      ['Preemption is not helpful for scheduling', this.nodes - this.improvable.length],
    ]);
    return `preemption: ${availability(this.nodes, outcomes)}`;
  }

  private fitsEmpty(node: DomainNode): boolean {
    return [...this.pod.shape.requests].every(
      ([name, amount]) => amount <= (node.allocatable.get(name) ?? 0),
    );
  }
}

function availability(nodes: number, counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].filter(([, count]) => count > 0).map(([text, count]) => `${count} ${text}`);
  return `0/${nodes} nodes are available: ${parts.sort().join(', ')}.`;
}
