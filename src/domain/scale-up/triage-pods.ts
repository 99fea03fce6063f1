import type { Pod } from '../kubernetes/pod.js';
import type { PendingPodsPolicy } from './policy.js';

/** What each listed pod means to the autoscaler (`scale-up` 4.1). Pods that are in none of the lists are ignored. */
export interface TriagedPods {
  /** On a node, terminating ones included. */
  readonly scheduled: readonly Pod[];
  /** The scheduler keeps room on a node for them. */
  readonly nominated: readonly Pod[];
  /** The scheduler found no place. */
  readonly unschedulable: readonly Pod[];
  /** Not looked at by a scheduler that is bypassed. */
  readonly unprocessed: readonly Pod[];
}

type TriagePolicy = Pick<PendingPodsPolicy, 'allowedSchedulers' | 'bypassedSchedulers'>;

export function triagePods(pods: readonly Pod[], policy: TriagePolicy): TriagedPods {
  const triaged = {
    scheduled: [] as Pod[],
    nominated: [] as Pod[],
    unschedulable: [] as Pod[],
    unprocessed: [] as Pod[],
  };
  for (const pod of pods) {
    const kind = kindOf(pod, policy);
    if (kind !== null) triaged[kind].push(pod);
  }
  return triaged;
}

/**
 * differs from upstream: the list of allowed schedulers is applied to pending pods only; pods of other schedulers that
 * run take up room all the same (`scale-up` 15.25).
 */
function kindOf(pod: Pod, policy: TriagePolicy): keyof TriagedPods | null {
  if (pod.nodeName !== '') return 'scheduled';
  const { schedulerName } = pod.shape;
  if (policy.allowedSchedulers.length > 0 && !names(policy.allowedSchedulers, schedulerName)) return null;
  if (pod.deletionMs !== null) return null;
  if (pod.nominatedNodeName !== '') return 'nominated';
  if (pod.scheduling === 'unschedulable') return 'unschedulable';
  const isUnseen = pod.scheduling === 'absent' || pod.scheduling === 'false-without-reason';
  return isUnseen && names(policy.bypassedSchedulers, schedulerName) ? 'unprocessed' : null;
}

/** A list with the default scheduler admits the empty name too. */
function names(list: readonly string[], schedulerName: string): boolean {
  return list.includes(schedulerName === '' ? 'default-scheduler' : schedulerName);
}
