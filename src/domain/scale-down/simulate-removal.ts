import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import { podKey } from '../kubernetes/pod.js';
import { renderReason } from '../reason.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { ExpendablePods } from '../simulation/expendable-pods.js';
import type { NodePods } from './collect-pods.js';
import { collectPods } from './collect-pods.js';
import type { DrainContext } from './drainability/rule.js';
import type { PlacementHints } from './hints.js';
import { toBeDeletedTaint } from './marks.js';
import type { Misfit } from './place-pods.js';
import { placePods } from './place-pods.js';
import type { BlockingPod, UnremovableReasonRecord } from './unremovable.js';
import { blockedByPod, unremovable } from './unremovable.js';

/** The world in which removals are tried, one upon the other. */
export interface RemovalWorld {
  readonly snapshot: ClusterSnapshot;
  readonly drain: DrainContext;
  /** Names of nodes that may take pods. */
  readonly destinations: ReadonlySet<string>;
  /** Pods that the snapshot leaves out. */
  readonly expendable: ExpendablePods;
  readonly hints: PlacementHints;
}

export type RemovalSimulation =
  | { readonly removable: true; readonly pods: NodePods }
  | {
      readonly removable: false;
      readonly reason: UnremovableReasonRecord;
      readonly blockingPod: BlockingPod | null;
      /** Only nodes accepted before stand in the way: the next iteration may judge otherwise. */
      readonly blockedByPlan: boolean;
    };

/**
 * Tries to move the pods of a node elsewhere (`scale-down` 5.1). On success the node is gone from the snapshot and its
 * pods are where they fit; otherwise the snapshot is as before.
 */
export function simulateRemoval(nodeName: string, world: RemovalWorld): RemovalSimulation {
  const { snapshot, drain } = world;
  const node = snapshot.node(nodeName);
  if (node === undefined) return stays(unremovable('NoNodeInfo'));
  const pods = collectPods(snapshot.podsOn(nodeName), drain);
  if (pods.blocked) {
    const blockedByPlan = pods.blocker.reason === 'NotEnoughPdb' && drain.budgets.isExhaustedByPlan(pods.pod);
    return { ...stays(blockedByPod(pods.blocker)), blockingPod: pods.blocker, blockedByPlan };
  }
  const misfit = tryMoving(node, pods.toMove, world);
  return misfit === null ? { removable: true, pods } : stays(noPlace(misfit));
}

function stays(reason: UnremovableReasonRecord): RemovalSimulation & { readonly removable: false } {
  return { removable: false, reason, blockingPod: null, blockedByPlan: false };
}

function noPlace({ pod, rejection }: Misfit): UnremovableReasonRecord {
  const why = rejection.reasons.map(renderReason).join(', ');
  const text = `pod ${podKey(pod)} fits on no other node${why === '' ? '' : `: ${why}`}`;
  return unremovable('NoPlaceToMovePods', { text, subject: podKey(pod) });
}

function tryMoving(node: Node, toMove: readonly Pod[], world: RemovalWorld): Misfit | null {
  const { snapshot, drain, destinations, expendable, hints } = world;
  snapshot.fork();
  snapshot.removeNode(node.name);
  // A node that drains is still there and still counts as a topology domain; nothing else can tell it from a missing one.
  const needsGhost = toMove.some((pod) => pod.shape.topologySpread.length > 0);
  if (needsGhost) snapshot.addNode(ghostOf(node, drain.nowMs));
  const accepts = (name: string, pod: Pod) =>
    name !== node.name &&
    destinations.has(name) &&
    (!expendable.mayHinder(pod) || expendable.leaveRoomFor(pod, name, snapshot));
  const misfit = placePods(toMove.map(unbound), { snapshot, hints, accepts });
  if (misfit !== null) {
    snapshot.revert();
    return misfit;
  }
  if (needsGhost) snapshot.removeNode(node.name);
  snapshot.commit();
  return null;
}

function ghostOf(node: Node, nowMs: number): Node {
  return { ...node, taints: [...node.taints, toBeDeletedTaint(nowMs)] };
}

/** The pod as its controller would make it anew. */
function unbound(pod: Pod): Pod {
  return pod.nodeName === '' ? pod : { ...pod, nodeName: '' };
}
