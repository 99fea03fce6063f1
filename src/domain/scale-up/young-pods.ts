import { parseGoDuration } from '../go-duration.js';
import { podKey } from '../kubernetes/pod.js';
import type { Pod } from '../kubernetes/pod.js';

export interface YoungPodsResult {
  readonly kept: readonly Pod[];
  /** Annotations that could not be used, for the log. */
  readonly faults: readonly string[];
}

/** Leaves out pods that are not older than their delay (`scale-up` 4.9). */
export function withoutYoungPods(pods: readonly Pod[], nowMs: number, delayMs: number): YoungPodsResult {
  const faults: string[] = [];
  const kept = pods.filter((pod) => {
    const { scaleUpDelay } = pod.shape.directives;
    if (scaleUpDelay === undefined) return nowMs - pod.createdMs > delayMs;
    const ownMs = parseGoDuration(scaleUpDelay);
    const isUsable = ownMs !== null && ownMs >= delayMs;
    if (!isUsable) faults.push(faultOf(pod, scaleUpDelay, ownMs));
    return nowMs - pod.createdMs > (isUsable ? ownMs : delayMs);
  });
  return { kept, faults };
}

function faultOf(pod: Pod, text: string, ownMs: number | null): string {
  const problem = ownMs === null ? 'is no duration' : 'is shorter than --new-pod-scale-up-delay';
  return `${podKey(pod)}: scale-up delay ${JSON.stringify(text)} ${problem}, the flag is used`;
}
