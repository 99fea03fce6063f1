import { isExpendablePod, priorityOf } from '../kubernetes/pod-kinds.js';
import type { Pod } from '../kubernetes/pod.js';
import type { ClusterSnapshot } from './cluster-snapshot.js';

/**
 * Running pods that a snapshot leaves out because whoever needs their room pushes them away (`scale-up` 4.2).
 *
 * differs from upstream: not everybody may. A pod with `preemptionPolicy: Never`, or of no higher priority than they,
 * waits for ever where upstream believes it to have room (case U097).
 */
export class ExpendablePods {
  private readonly highestPriority: number;
  private readonly byNode = new Map<string, Pod[]>();

  /** Of all pods, those on a node whose explicit priority is below the cutoff. */
  constructor(pods: readonly Pod[], priorityCutoff: number) {
    let highest = -Infinity;
    for (const pod of pods) {
      if (pod.nodeName === '' || !isExpendablePod(pod, priorityCutoff)) continue;
      highest = Math.max(highest, priorityOf(pod));
      const neighbours = this.byNode.get(pod.nodeName);
      if (neighbours === undefined) this.byNode.set(pod.nodeName, [pod]);
      else neighbours.push(pod);
    }
    this.highestPriority = highest;
  }

  /** There are some that the pod may not push away. */
  mayHinder(pod: Pod): boolean {
    return this.byNode.size > 0 && (!mayPreempt(pod) || priorityOf(pod) <= this.highestPriority);
  }

  /** Whether the pod, which fits on the node otherwise, also fits beside those that it may not push away. */
  leaveRoomFor(pod: Pod, nodeName: string, snapshot: ClusterSnapshot): boolean {
    const isStaying = (other: Pod): boolean => !mayPreempt(pod) || priorityOf(pod) <= priorityOf(other);
    const staying = (this.byNode.get(nodeName) ?? []).filter(isStaying);
    if (staying.length === 0) return true;
    snapshot.fork();
    for (const other of staying) snapshot.addPod(other, nodeName);
    const { fit } = snapshot.check(pod, nodeName);
    snapshot.revert();
    return fit;
  }
}

function mayPreempt({ shape }: Pod): boolean {
  return shape.preemptionPolicy !== 'Never';
}
