import { isExpendablePod, isRecreatablePod } from '../kubernetes/pod-kinds.js';
import type { Pod } from '../kubernetes/pod.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';

/**
 * Pods of nodes that are being drained, as the pending pods that they will be in a moment (`scale-up` 4.5).
 *
 * differs from upstream: expendable pods are left out here too (`scale-up` 15.25).
 */
export function podsOfDrainedNodes(
  snapshot: ClusterSnapshot,
  nodeNames: readonly string[],
  expendablePriorityCutoff: number,
): readonly Pod[] {
  return nodeNames
    .filter((name) => snapshot.hasNode(name))
    .flatMap((name) => snapshot.podsOn(name))
    .filter((pod) => pod.deletionMs === null && isRecreatablePod(pod))
    .filter((pod) => !isExpendablePod(pod, expendablePriorityCutoff))
    .map((pod) => ({ ...pod, nodeName: '', charged: null }));
}
