import type { Pod as DomainPod } from '../../../domain/kubernetes/pod.js';

/** Importance of a pod; 0 where nothing is said. */
export function priorityOf({ shape }: DomainPod): number {
  return shape.priority ?? 0;
}
