import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import { isMirrorPod, isStaticPod } from '../kubernetes/pod-kinds.js';
import type { Taint } from '../kubernetes/taint.js';
import { firstUntoleratedTaint } from '../kubernetes/tolerations.js';
import type { MachineTemplate } from './node-group.js';

/** What tells which taints of a node came after the node. */
export interface TaintEvidence {
  /** What the provider declares of the group; undefined: it declares nothing, and every taint may be the group's own. */
  readonly machine: MachineTemplate | undefined;
  /** Ready nodes of the group, this one included. */
  readonly siblings: readonly Node[];
  /** Pods of the node. */
  readonly pods: readonly Pod[];
}

/**
 * The node without taints that somebody gave to it later, as to roll it: a new node of the group will not have them.
 *
 * differs from upstream, which copies them, so that the group does not grow (case U079). A taint that is not declared may
 * still come with every node, from cloud-init for instance; without it the template would promise too much, and nodes
 * would be bought for ever. So there has to be evidence: a node of the group without it that is no older, since nodes may
 * come with it from a certain day on, or a pod on the node that does not tolerate it and so was there before.
 */
export function withoutLaterTaints(node: Node, { machine, siblings, pods }: TaintEvidence): Node {
  if (machine === undefined || node.taints.length === 0) return node;
  const peers = siblings.filter(({ createdMs }) => createdMs >= node.createdMs);
  const isLater = (taint: Taint): boolean =>
    !has(machine.node, taint) &&
    (peers.some((peer) => !has(peer, taint)) || pods.some((pod) => cameBefore(pod, taint)));
  return node.taints.some(isLater)
    ? { ...node, taints: node.taints.filter((taint) => !isLater(taint)) }
    : node;
}

function has({ taints }: Node, { key, value, effect }: Taint): boolean {
  return taints.some((taint) => taint.key === key && taint.value === value && taint.effect === effect);
}

/** The kubelet starts static pods whatever the taints are. */
function cameBefore(pod: Pod, taint: Taint): boolean {
  if (isMirrorPod(pod) || isStaticPod(pod)) return false;
  return firstUntoleratedTaint([taint], pod.shape.tolerations) !== undefined;
}
