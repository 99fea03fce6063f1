import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import { isDaemonSetPod, isMirrorPod } from '../kubernetes/pod-kinds.js';
import { requiredNodeAffinityMatches } from '../kubernetes/node-affinity.js';
import { orKnown } from '../kubernetes/volume-limits.js';
import { firstUntoleratedTaint } from '../kubernetes/tolerations.js';
import type { Taint, Toleration } from '../kubernetes/taint.js';
import type { DaemonSet } from '../kubernetes/workload.js';
import { podOnNode, renamedNode } from './template-copy.js';
import type { SimulatedNode } from './template-copy.js';

/** Marks simulated nodes; user constraints may name it. */
export const TEMPLATE_NODE_LABEL = 'cluster-autoscaler.kubernetes.io/template-node';

export interface SanitiseOptions {
  readonly groupId: string;
  readonly daemonSets: readonly DaemonSet[];
  /** Charge every DaemonSet that would run, not only those that would push others away. */
  readonly forceDaemonSets: boolean;
  /** Clear `spec.unschedulable`. */
  readonly clearUnschedulable: boolean;
  readonly isPassingTaint: (taint: Taint) => boolean;
}

/**
 * Turns an example into the stencil of a group (`scale-up` 9.2): nothing of its identity, passing state or workload
 * remains. The name is the same in every iteration, so that hints of upcoming nodes stay good.
 */
export function sanitiseTemplate(example: SimulatedNode, options: SanitiseOptions): SimulatedNode {
  const name = `template-node-for-${options.groupId}-${hashOf(options.groupId)}`;
  const renamed = renamedNode(example.node, name);
  const node: Node = {
    ...renamed,
    labels: new Map(renamed.labels).set(TEMPLATE_NODE_LABEL, 'true'),
    taints: renamed.taints.filter((taint) => !options.isPassingTaint(taint)),
    unschedulable: renamed.unschedulable && !options.clearUnschedulable,
    volumeLimits: orKnown(renamed.volumeLimits),
  };
  const kept = example.pods.filter(belongsToNode);
  const pending = pendingDaemonSets(example.pods, options).filter((set) => shouldRun(set, node));
  const pods = [...kept, ...pending.map((set) => ({ ...set.pod, name: set.name }))];
  return { node, pods: pods.map((pod) => podOnNode(pod, name)) };
}

/**
 * FNV-1a, 32 bits. Keeps names apart when one group's id begins with another's; upstream takes a random number.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}

/** Every node of the group carries such a pod, a fresh one too. */
export function belongsToNode(pod: Pod): boolean {
  return pod.deletionMs === null && (isMirrorPod(pod) || isDaemonSetPod(pod));
}

function pendingDaemonSets(pods: readonly Pod[], options: SanitiseOptions): readonly DaemonSet[] {
  const present = new Set(pods.filter((pod) => pod.deletionMs === null).map((pod) => pod.shape.owner?.uid));
  return options.daemonSets.filter(
    (set) => !present.has(set.uid) && (options.forceDaemonSets || preemptsOthers(set)),
  );
}

/** Such a pod makes room for itself on a full node, so a template without it would promise too much. */
function preemptsOthers(set: DaemonSet): boolean {
  const { priorityClassName, preemptionPolicy } = set.pod.shape;
  const preempts = preemptionPolicy === null || preemptionPolicy === 'PreemptLowerPriority';
  return priorityClassName === 'system-node-critical' && preempts;
}

/** Taints that the DaemonSet controller lets its pods tolerate. */
const DAEMON_SET_TOLERATIONS: readonly Toleration[] = [
  ...['not-ready', 'unreachable'].map((name) => existsToleration(name, 'NoExecute')),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
    existsToleration(name, 'NoSchedule'),
  ),
];

function existsToleration(name: string, effect: string): Toleration {
  return { key: `node.kubernetes.io/${name}`, operator: 'Exists', value: '', effect };
}

/** Affinity and taints decide; resources and ports do not (`scheduling` 4.4). */
function shouldRun(set: DaemonSet, node: Node): boolean {
  if (!requiredNodeAffinityMatches(set.pod, node)) return false;
  const tolerations = [...set.pod.shape.tolerations, ...DAEMON_SET_TOLERATIONS];
  return firstUntoleratedTaint(node.taints, tolerations) === undefined;
}
