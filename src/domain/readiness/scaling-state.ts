import type { NodeGroup } from '../node-group/node-group.js';
import type { Observation } from '../observation.js';
import { activeBackOff } from './back-off.js';
import type { BackOff } from './back-off.js';
import { acceptableRange, isClusterHealthy, isGroupHealthy } from './health.js';
import type { AcceptableRange } from './health.js';
import type { IncorrectSize } from './incorrect-sizes.js';
import { entryOf } from './keyed.js';
import type { ClusterStateMemory } from './memory.js';
import { provisionTimeMs } from './policy.js';
import type { ClusterStatePolicy } from './policy.js';
import { NO_COUNTS, countReadiness, registeredCount } from './readiness-counts.js';
import type { CountedReadiness, ReadinessCounts } from './readiness-counts.js';
import type { ScaleUpRequest } from './scale-up-requests.js';
import { missingFromTarget, upcomingNodes } from './upcoming.js';
import type { Upcoming } from './upcoming.js';

/** One group as scale-up, scale-down and status see it. */
export interface GroupState {
  readonly group: NodeGroup;
  readonly counts: ReadinessCounts;
  readonly range: AcceptableRange;
  readonly upcoming: Upcoming;
  readonly request: ScaleUpRequest | null;
  /** In force at this time, else null. */
  readonly backOff: BackOff | null;
  readonly incorrectSize: IncorrectSize | null;
  readonly healthy: boolean;
  /** Machines are missing and were asked for. */
  readonly scalingUp: boolean;
  /** Healthy and not backed off. */
  readonly safeToScale: boolean;
}

/** All groups and the cluster at the time of one observation. Derived, never stored. */
export interface ScalingState {
  readonly nowMs: number;
  /** In the provider's order. */
  readonly groups: ReadonlyMap<string, GroupState>;
  /** Over all nodes, foreign ones included. */
  readonly total: ReadinessCounts;
  readonly healthy: boolean;
}

/**
 * Everything that follows from an observation and the memory. Cheap enough to be called again after writes, with the
 * groups read anew.
 */
export function deriveScalingState(
  observation: Observation,
  memory: ClusterStateMemory,
  policy: ClusterStatePolicy,
): ScalingState {
  return stateFromCounts(observation, countObserved(observation, memory, policy), memory, policy);
}

/** The same, for callers that have counted already. */
export function stateFromCounts(
  observation: Observation,
  counted: CountedReadiness,
  memory: ClusterStateMemory,
  policy: ClusterStatePolicy,
): ScalingState {
  const removing = removalsByGroup(observation);
  const groups = new Map<string, GroupState>();
  for (const group of observation.groups) {
    const counts = counted.byGroup.get(group.id) ?? null;
    const parts = { counts, removing: removing.get(group.id) ?? 0, nowMs: observation.nowMs };
    groups.set(group.id, groupState(group, parts, memory, policy));
  }
  const own = [...groups.values()].map((state) => state.counts);
  const ownNodes = own.reduce((sum, counts) => sum + registeredCount(counts), 0);
  const healthy = isClusterHealthy(own, ownNodes, policy);
  return { nowMs: observation.nowMs, groups, total: counted.total, healthy };
}

/** Readiness of nodes and instances with the unregistered times of the memory. */
export function countObserved(
  observation: Observation,
  memory: ClusterStateMemory,
  policy: ClusterStatePolicy,
): CountedReadiness {
  const provision = new Map(observation.groups.map((group) => [group.id, provisionTimeMs(group, policy)]));
  const isLong = (groupId: string, sinceMs: number): boolean =>
    sinceMs + provision.get(groupId)! < observation.nowMs;
  return countReadiness(observation, new Map(Object.entries(memory.unregisteredSinceMs)), isLong, policy);
}

interface GroupParts {
  readonly counts: ReadinessCounts | null;
  readonly removing: number;
  readonly nowMs: number;
}

function groupState(
  group: NodeGroup,
  parts: GroupParts,
  memory: ClusterStateMemory,
  policy: ClusterStatePolicy,
): GroupState {
  const counts = parts.counts ?? NO_COUNTS;
  const request = entryOf(memory.requests, group.id);
  const backOff = activeBackOff(memory.backOffs, group.id, parts.nowMs);
  const range = acceptableRange({
    target: group.targetSize,
    longUnregistered: counts.longUnregistered.length,
    requested: request?.increase ?? 0,
    removing: parts.removing,
  });
  const upcoming = upcomingNodes({
    target: group.targetSize,
    counts,
    isRequested: request !== null,
    isBackedOff: backOff !== null,
  });
  // differs from upstream: machines that boot without a known request (after a restart) are not missing.
  const expected = request === null ? range.minNodes - upcoming.count : range.minNodes;
  const healthy = isGroupHealthy({ ...range, minNodes: expected }, parts.counts, policy);
  return {
    group,
    counts,
    range,
    upcoming,
    request,
    backOff,
    incorrectSize: entryOf(memory.incorrectSizes, group.id),
    healthy,
    scalingUp: request !== null && missingFromTarget(group.targetSize, counts) > 0,
    safeToScale: healthy && backOff === null,
  };
}

function removalsByGroup(observation: Observation): ReadonlyMap<string, number> {
  const removals = new Map<string, number>();
  for (const name of [...observation.deletions.empty, ...observation.deletions.drained]) {
    const groupId = observation.groupIdByNode.get(name);
    if (groupId !== undefined) removals.set(groupId, (removals.get(groupId) ?? 0) + 1);
  }
  return removals;
}

/** Sizes over all groups for the status (`scale-up` 3.10). */
export function autoscaledNodeCounts(state: ScalingState): {
  readonly current: number;
  readonly target: number;
} {
  let current = 0;
  let target = 0;
  for (const group of state.groups.values()) {
    current += registeredCount(group.counts) - group.counts.notStarted.length;
    target += group.range.target;
  }
  return { current, target };
}
