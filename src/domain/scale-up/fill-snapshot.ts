import type { Node } from '../kubernetes/node.js';
import { isExpendablePod } from '../kubernetes/pod-kinds.js';
import type { Pod } from '../kubernetes/pod.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { Steps } from './steps.js';
import type { TriagedPods } from './triage-pods.js';

/** Between two looks at the clock: about a millisecond of work each. */
const PODS_PER_STEP = 4_096;
const NODES_PER_STEP = 64;

/**
 * Puts nodes and their pods into an empty snapshot (`scale-up` 2.4 step 15). Nominated pods are charged to the node that
 * waits for them, expendable ones to none; pods of nodes that are not there, and doubles, are left out.
 */
export function* fillSnapshot(
  snapshot: ClusterSnapshot,
  nodes: readonly Node[],
  pods: Pick<TriagedPods, 'scheduled' | 'nominated'>,
  expendablePriorityCutoff: number,
): Steps<void> {
  const podsByNode = new Map<string, Pod[]>(nodes.map((node) => [node.name, []]));
  const charge = (pod: Pod, nodeName: string): void => {
    if (!isExpendablePod(pod, expendablePriorityCutoff)) podsByNode.get(nodeName)?.push(pod);
  };
  for (const [index, pod] of pods.scheduled.entries()) {
    if (index % PODS_PER_STEP === 0) yield null;
    charge(pod, pod.nodeName);
  }
  for (const pod of pods.nominated) charge(pod, pod.nominatedNodeName);
  for (const [index, node] of nodes.entries()) {
    if (index % NODES_PER_STEP === 0) yield null;
    if (!snapshot.hasNode(node.name)) snapshot.addNode(node, withoutDoubles(podsByNode.get(node.name) ?? []));
  }
}

/** Each pod once. Looked for on one node at a time: a set of all pods of the cluster costs more than all the rest. */
function withoutDoubles(pods: readonly Pod[]): readonly Pod[] {
  const byUid = new Map(pods.map((pod) => [pod.uid, pod]));
  return byUid.size === pods.length ? pods : [...byUid.values()];
}
