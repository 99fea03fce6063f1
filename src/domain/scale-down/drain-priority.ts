import type { Pod } from '../kubernetes/pod.js';
import { priorityOf } from '../kubernetes/pod-kinds.js';

/** Pods from this priority up (to the next group's) are drained together. */
export interface DrainPriorityGroup {
  readonly priority: number;
  /** Cap of the pods' grace period in seconds; 0: no cap. */
  readonly shutdownGracePeriodSeconds: number;
}

/**
 * Reads `--drain-priority-config`: `priority:seconds,…` without spaces or trailing comma. Empty: no groups. Null when
 * any part is malformed: then the whole value is invalid. The result is in ascending order of priority.
 */
export function parseDrainPriorities(text: string): readonly DrainPriorityGroup[] | null {
  if (text === '') return [];
  const groups: DrainPriorityGroup[] = [];
  for (const part of text.split(',')) {
    const match = /^(-?\d+):(\d+)$/.exec(part);
    if (match === null) return null;
    groups.push({ priority: Number(match[1]), shutdownGracePeriodSeconds: Number(match[2]) });
  }
  return groups.sort((left, right) => left.priority - right.priority);
}

/** Pods that are drained together, with the cap of their grace period. */
export interface DrainWave {
  readonly shutdownGracePeriodSeconds: number;
  readonly pods: readonly Pod[];
}

/**
 * Sorts pods into the waves of a drain, lowest priority first; waves without pods are left out. A pod belongs to the
 * highest group that is not above its priority; pods below the lowest group belong to the lowest.
 */
export function drainWaves(
  pods: readonly Pod[],
  groups: readonly DrainPriorityGroup[],
): readonly DrainWave[] {
  const waves = groups.map((group): Pod[] => pods.filter((pod) => groupOf(pod, groups) === group));
  return groups
    .map((group, index) => ({
      shutdownGracePeriodSeconds: group.shutdownGracePeriodSeconds,
      pods: waves[index] ?? [],
    }))
    .filter((wave) => wave.pods.length > 0);
}

function groupOf(pod: Pod, groups: readonly DrainPriorityGroup[]): DrainPriorityGroup | undefined {
  const priority = priorityOf(pod);
  return groups.findLast((group) => group.priority <= priority) ?? groups[0];
}
