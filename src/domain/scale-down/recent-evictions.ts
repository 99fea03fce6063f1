import type { Pod } from '../kubernetes/pod.js';
import { isRecreatablePod } from '../kubernetes/pod-kinds.js';
import type { Observation } from '../observation.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';

const RECREATING_KINDS: ReadonlySet<string> = new Set([
  'StatefulSet',
  'Job',
  'ReplicaSet',
  'ReplicationController',
]);

/**
 * Evicted pods that their controllers will still make anew (`scale-down` 5.8). differs from upstream: what a controller
 * has now is counted from the pods observed, which is newer than its status.
 */
export function awaitedPods(observation: Observation): readonly Pod[] {
  const evicted = observation.deletions.recentEvictions.map(({ pod }) => pod).filter(isRecreatablePod);
  if (evicted.length === 0) return [];
  const missing = missingReplicas(observation);
  return evicted.filter((pod) => {
    const owner = pod.shape.owner;
    const left = owner !== null && RECREATING_KINDS.has(owner.kind) ? missing.get(owner.uid) : undefined;
    // Nothing is known of its controller: expect it back.
    if (owner === null || left === undefined) return true;
    missing.set(owner.uid, left - 1);
    return left > 0;
  });
}

/** Charges awaited pods to nodes where they fit; one that fits nowhere is somebody else's worry. */
export function reserveRoom(
  pods: readonly Pod[],
  snapshot: ClusterSnapshot,
  accepts: (nodeName: string) => boolean,
): void {
  for (const pod of pods) {
    if (!snapshot.placeAnywhere({ ...pod, nodeName: '', deletionMs: null }, { accepts }).fit) return;
  }
}

/** By controller UID: replicas wanted minus pods that live. */
function missingReplicas({ workloads, pods }: Observation): Map<string, number> {
  const missing = new Map(workloads.map(({ uid, replicas }) => [uid, replicas]));
  for (const pod of pods) {
    const uid = pod.shape.owner?.uid;
    const left = uid === undefined ? undefined : missing.get(uid);
    if (uid !== undefined && left !== undefined && pod.deletionMs === null) missing.set(uid, left - 1);
  }
  return missing;
}
