import type { Pod as DomainPod } from '../../../domain/kubernetes/pod.js';
import { priorityOf } from './priority.js';
import type { SchedulingView } from './scheduling-view.js';

/** Nodes looked at, at most; kube-scheduler's own minimum. */
const CANDIDATES_MAX = 100;

export interface Preemption {
  readonly nodeName: string;
  readonly victims: readonly DomainPod[];
}

/**
 * Which pods of lower priority must go so that this one fits: on the node where the most important victim matters
 * least, then where the fewest go. Budgets are not asked, unlike upstream, which prefers nodes that keep them.
 */
export function planPreemption(
  view: SchedulingView,
  pod: DomainPod,
  nodeNames: readonly string[],
): Preemption | null {
  if (pod.shape.preemptionPolicy === 'Never' || !view.hasPodBelow(priorityOf(pod))) return null;
  const plans = nodeNames.slice(0, CANDIDATES_MAX).flatMap((nodeName) => {
    const victims = view.victimsFor(pod, nodeName);
    return victims === null ? [] : [{ nodeName, victims }];
  });
  return plans.sort(byHarm)[0] ?? null;
}

function byHarm(left: Preemption, right: Preemption): number {
  const highest = ({ victims }: Preemption): number => Math.max(...victims.map(priorityOf));
  return highest(left) - highest(right) || left.victims.length - right.victims.length;
}
