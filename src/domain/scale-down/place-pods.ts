import type { Pod } from '../kubernetes/pod.js';
import { priorityOf } from '../kubernetes/pod-kinds.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { Rejection } from '../simulation/verdict.js';
import type { PlacementHints } from './hints.js';

/** Where moved pods may go. */
export interface Destinations {
  readonly snapshot: ClusterSnapshot;
  readonly hints: PlacementHints;
  readonly accepts: (nodeName: string, pod: Pod) => boolean;
}

/** The first pod that found no place. */
export interface Misfit {
  readonly pod: Pod;
  readonly rejection: Rejection;
}

/**
 * Places pods, high priority first, and in each priority those with a hint first; stops at the first that fits nowhere
 * (`scale-down` 5.5). What was placed stays in the snapshot: the caller forks.
 */
export function placePods(pods: readonly Pod[], destinations: Destinations): Misfit | null {
  const { snapshot, accepts, hints } = destinations;
  for (const equals of byPriority(pods)) {
    const others = equals.filter((pod) => !placeOnHint(pod, destinations));
    for (const pod of others) {
      const placement = snapshot.placeAnywhere(pod, { accepts: (name) => accepts(name, pod) });
      if (!placement.fit) return { pod, rejection: placement };
      hints.set(pod, placement.nodeName);
    }
  }
  return null;
}

function placeOnHint(pod: Pod, { snapshot, hints, accepts }: Destinations): boolean {
  const hint = hints.of(pod);
  if (hint === undefined || !accepts(hint, pod)) return false;
  const node = snapshot.node(hint);
  if (node === undefined || node.unschedulable || !snapshot.place(pod, hint).fit) return false;
  hints.set(pod, hint);
  return true;
}

function byPriority(pods: readonly Pod[]): readonly (readonly Pod[])[] {
  const groups = new Map<number, Pod[]>();
  for (const pod of pods) {
    const priority = priorityOf(pod);
    const group = groups.get(priority);
    if (group === undefined) groups.set(priority, [pod]);
    else group.push(pod);
  }
  return [...groups].sort(([left], [right]) => right - left).map(([, group]) => group);
}
