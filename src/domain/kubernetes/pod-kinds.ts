import type { Pod } from './pod.js';

/** Classes of pods as `scale-down` 1.2 names them. */

export function isMirrorPod(pod: Pod): boolean {
  return pod.shape.directives.mirror !== undefined;
}

export function isStaticPod(pod: Pod): boolean {
  const source = pod.shape.directives.configSource;
  return source !== undefined && source !== 'api';
}

export function isDaemonSetPod(pod: Pod): boolean {
  return pod.shape.owner?.kind === 'DaemonSet' || pod.shape.directives.daemonSetPod === 'true';
}

/** Would come back elsewhere when its node goes. */
export function isRecreatablePod(pod: Pod): boolean {
  return !isStaticPod(pod) && !isMirrorPod(pod) && !isDaemonSetPod(pod);
}

/** A pod with an explicit priority below the cutoff. Without priority a pod is never expendable. */
export function isExpendablePod(pod: Pod, priorityCutoff: number): boolean {
  return pod.shape.priority !== null && pod.shape.priority < priorityCutoff;
}

export function priorityOf(pod: Pod): number {
  return pod.shape.priority ?? 0;
}

/** It may find a place once others have one, and not before: rules bind it to these. */
export function waitsForOthers({ shape }: Pod): boolean {
  return shape.podAffinity.length + shape.topologySpread.length > 0;
}
