import type { Pod } from '../kubernetes/pod.js';

/** Kubernetes' default grace period. */
const DEFAULT_GRACE_SECONDS = 30;
/** Slack on top of the grace period (upstream constant). */
const SLACK_MS = 30_000;

/** Grace period of the pod in seconds, with Kubernetes' default. */
export function gracePeriodSeconds(pod: Pod): number {
  return pod.shape.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
}

/**
 * The pod's deletion should have ended. Upstream adds the grace period to a time stamp that contains it already; kept,
 * as a shorter wait would remove nodes under pods that still shut down.
 */
export function isLongTerminating(pod: Pod, nowMs: number): boolean {
  if (pod.deletionMs === null) return false;
  return pod.deletionMs + gracePeriodSeconds(pod) * 1_000 + SLACK_MS < nowMs;
}
