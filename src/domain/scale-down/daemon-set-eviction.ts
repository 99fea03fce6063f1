import type { Pod } from '../kubernetes/pod.js';
import { isDaemonSetPod } from '../kubernetes/pod-kinds.js';
import type { ScaleDownPolicy } from './policy.js';

/** Whether a DaemonSet pod is evicted before its node goes; the pod's own annotation has the last word. */
export function evictsDaemonSetPod(pod: Pod, isEmptyNode: boolean, policy: ScaleDownPolicy): boolean {
  if (!isDaemonSetPod(pod)) return false;
  const annotation = pod.shape.directives.daemonSetEviction;
  if (annotation !== undefined) return annotation === 'true';
  return isEmptyNode ? policy.evictDaemonSetsFromEmptyNodes : policy.evictDaemonSetsFromOccupiedNodes;
}
