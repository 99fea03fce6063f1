import { priorityOf, waitsForOthers } from '../kubernetes/pod-kinds.js';
import type { Pod } from '../kubernetes/pod.js';
import type { ClusterSnapshot, PlacementSearch } from '../simulation/cluster-snapshot.js';
import type { ExpendablePods } from '../simulation/expendable-pods.js';
import { HintPass } from './hints.js';
import type { PlacementHints } from './hints.js';
import type { Steps } from './steps.js';

/** Where pods may find room. */
export interface FreeRoom {
  /** Pods that find room are left in it. */
  readonly snapshot: ClusterSnapshot;
  /** Pods that the snapshot leaves out. */
  readonly expendable: ExpendablePods;
}

export interface FreeRoomResult {
  /** Pods that fit nowhere, highest priority first. */
  readonly left: readonly Pod[];
  /** Pods that the time did not suffice for; nothing is known of them. */
  readonly unexamined: readonly Pod[];
  readonly hints: PlacementHints;
}

/** Pods between two looks at the clock: some milliseconds of work. */
const PODS_PER_STEP = 256;

/**
 * Places pods on nodes that are there or on their way and keeps them there, so that the room is taken for the rest of
 * the iteration (`scale-up` 4.6). Highest priority first; inside a priority first where they were last time, then
 * anywhere.
 */
export function* placeOnFreeRoom(
  room: FreeRoom,
  pods: readonly Pod[],
  hints: PlacementHints,
  isOutOfTime: () => boolean,
): Steps<FreeRoomResult> {
  const pass = new HintPass(hints);
  const placing: Placing = { snapshot: room.snapshot, pass, searchFor: searchesIn(room) };
  const left: Pod[] = [];
  const queue = byPriority(pods).flatMap((level) => hintedFirst(level, pass));
  for (const [index, { pod, onHintOnly }] of queue.entries()) {
    if (index % PODS_PER_STEP === 0) {
      yield null;
      if (isOutOfTime())
        return { left, unexamined: unexaminedOf(queue.slice(index), pass), hints: pass.finish() };
    }
    if (onHintOnly) placeOnHint(pod, placing);
    else if (!pass.isPlaced(pod) && !placeAnywhere(pod, placing)) left.push(pod);
  }
  return { left: yield* placeFollowers(left, placing), unexamined: [], hints: pass.finish() };
}

/** One pass over the waiting pods. */
interface Placing {
  readonly snapshot: ClusterSnapshot;
  readonly pass: HintPass;
  readonly searchFor: (pod: Pod) => PlacementSearch;
}

/**
 * Pods whose rules wait for others try again as long as some pod was placed: what they wait for may have come after
 * them in the queue, and the scheduler will try them again too. Gives those that are left.
 */
function* placeFollowers(pods: readonly Pod[], placing: Placing): Steps<readonly Pod[]> {
  let left = pods;
  for (let before = Infinity; left.length < before && left.some(waitsForOthers);) {
    before = left.length;
    yield null;
    left = left.filter((pod) => !waitsForOthers(pod) || !placeAnywhere(pod, placing));
  }
  return left;
}

interface Attempt {
  readonly pod: Pod;
  readonly onHintOnly: boolean;
}

/** Those with a hint try it before anybody searches; all that are not placed by then are searched for. */
function hintedFirst(pods: readonly Pod[], pass: HintPass): readonly Attempt[] {
  const hinted = pods.filter((pod) => pass.hintFor(pod) !== null);
  return [
    ...hinted.map((pod) => ({ pod, onHintOnly: true })),
    ...pods.map((pod) => ({ pod, onHintOnly: false })),
  ];
}

function unexaminedOf(attempts: readonly Attempt[], pass: HintPass): readonly Pod[] {
  return attempts.filter(({ pod, onHintOnly }) => !onHintOnly && !pass.isPlaced(pod)).map(({ pod }) => pod);
}

/** A hint that is gone, not acceptable or full is no error. */
function placeOnHint(pod: Pod, { snapshot, pass, searchFor }: Placing): void {
  const hint = pass.hintFor(pod);
  const node = hint === null ? undefined : snapshot.node(hint);
  if (node === undefined || node.unschedulable || searchFor(pod).accepts?.(node.name) === false) return;
  if (snapshot.place(pod, node.name).fit) pass.remember(pod, node.name);
}

function placeAnywhere(pod: Pod, { snapshot, pass, searchFor }: Placing): boolean {
  const placement = snapshot.placeAnywhere(pod, searchFor(pod));
  if (placement.fit) pass.remember(pod, placement.nodeName);
  return placement.fit;
}

/**
 * Virtual nodes take no pods here, and a pod that may not push expendable ones away needs room beside them. Without
 * either no rule is given, which makes searches cheaper.
 */
function searchesIn({ snapshot, expendable }: FreeRoom): (pod: Pod) => PlacementSearch {
  const isVirtual = (name: string): boolean => snapshot.node(name)?.labels.get('type') === 'virtual-kubelet';
  const isReal = (name: string): boolean => !isVirtual(name);
  const anywhere = snapshot.nodeNames().some(isVirtual) ? { accepts: isReal } : {};
  return (pod) => {
    if (!expendable.mayHinder(pod)) return anywhere;
    return { accepts: (name) => isReal(name) && expendable.leaveRoomFor(pod, name, snapshot) };
  };
}

function byPriority(pods: readonly Pod[]): readonly (readonly Pod[])[] {
  const levels = new Map<number, Pod[]>();
  for (const pod of pods) {
    const priority = priorityOf(pod);
    const level = levels.get(priority);
    if (level === undefined) levels.set(priority, [pod]);
    else level.push(pod);
  }
  return [...levels].sort(([left], [right]) => right - left).map(([, level]) => level);
}
