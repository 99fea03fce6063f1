import type { Node } from '../kubernetes/node.js';
import { isExpendablePod } from '../kubernetes/pod-kinds.js';
import type { Pod } from '../kubernetes/pod.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { TriagedPods } from './triage-pods.js';

/**
 * Puts nodes and their pods into an empty snapshot (`scale-up` 2.4 step 15). Nominated pods are charged to the node that
 * waits for them, expendable ones to none; pods of nodes that are not there, and doubles, are left out.
 */
export function fillSnapshot(
  snapshot: ClusterSnapshot,
  nodes: readonly Node[],
  pods: Pick<TriagedPods, 'scheduled' | 'nominated'>,
  expendablePriorityCutoff: number,
): void {
  const podsByNode = new Map<string, Pod[]>(nodes.map((node) => [node.name, []]));
  const seen = new Set<string>();
  const charge = (pod: Pod, nodeName: string): void => {
    if (isExpendablePod(pod, expendablePriorityCutoff) || seen.has(pod.uid)) return;
    const charged = podsByNode.get(nodeName);
    if (charged === undefined) return;
    seen.add(pod.uid);
    charged.push(pod);
  };
  for (const pod of pods.scheduled) charge(pod, pod.nodeName);
  for (const pod of pods.nominated) charge(pod, pod.nominatedNodeName);
  for (const node of nodes) {
    if (!snapshot.hasNode(node.name)) snapshot.addNode(node, podsByNode.get(node.name));
  }
}
