import { isDaemonSetPod, isExpendablePod } from '../kubernetes/pod-kinds.js';
import type { Pod } from '../kubernetes/pod.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import { ExpendablePods } from '../simulation/expendable-pods.js';
import { podsOfDrainedNodes } from './drained-pods.js';
import type { PlacementHints } from './hints.js';
import { placeOnFreeRoom } from './place-on-free-room.js';
import type { PendingPodsPolicy } from './policy.js';
import type { StartTimer, Steps } from './steps.js';
import type { TriagedPods } from './triage-pods.js';
import { withoutYoungPods } from './young-pods.js';

export interface PendingPodsInput {
  readonly nowMs: number;
  /** With upcoming nodes. Pods that find room are left in it. */
  readonly snapshot: ClusterSnapshot;
  readonly triaged: Omit<TriagedPods, 'nominated'>;
  /** Nodes being drained, as of the observation. */
  readonly drainedNodes: readonly string[];
  readonly hints: PlacementHints;
  readonly startTimer: StartTimer;
}

export interface PendingPods {
  /** Pods that want new nodes, highest priority first. */
  readonly pods: readonly Pod[];
  /** Waiting pods that found room and need no new node. */
  readonly placed: readonly Pod[];
  readonly hints: PlacementHints;
  /** Pods dropped for this iteration because time ran out; always 0 without graceful degradation. */
  readonly unexamined: number;
  /** Unusable annotations, for the log. */
  readonly faults: readonly string[];
}

const noTime = (): boolean => false;

/** From all waiting pods to those that only new nodes can help (`scale-up` 4.3). */
export function* findPendingPods(input: PendingPodsInput, policy: PendingPodsPolicy): Steps<PendingPods> {
  const cutoff = policy.expendablePriorityCutoff;
  const waiting = [...input.triaged.unschedulable, ...input.triaged.unprocessed].filter(
    (pod) => !isExpendablePod(pod, cutoff),
  );
  const drained = podsOfDrainedNodes(input.snapshot, input.drainedNodes, cutoff);
  const isOutOfTime = policy.gracefulDegradation ? input.startTimer(policy.placementBudgetMs) : noTime;
  const candidates = [...waiting, ...drained];
  const expendable = new ExpendablePods(input.triaged.scheduled, cutoff);
  const freeRoom = { snapshot: input.snapshot, expendable };
  const room = yield* placeOnFreeRoom(freeRoom, candidates, input.hints, isOutOfTime);
  // After the placement: waiting DaemonSet pods take room on nodes that exist, but never ask for new ones.
  const helpable = room.left.filter((pod) => !isDaemonSetPod(pod));
  const { kept, faults } = withoutYoungPods(helpable, input.nowMs, policy.newPodScaleUpDelayMs);
  const withoutRoom = new Set([...room.left, ...room.unexamined]);
  const placed = waiting.filter((pod) => !withoutRoom.has(pod));
  return { pods: kept, placed, hints: room.hints, unexamined: room.unexamined.length, faults };
}
