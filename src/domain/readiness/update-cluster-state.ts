import { renderGoDuration } from '../go-duration.js';
import type { CloudFailure, NodeGroup } from '../node-group/node-group.js';
import type { Observation } from '../observation.js';
import { activeBackOff, dropStale, isBackedOff, recordFailure } from './back-off.js';
import { failedInstanceIds, newCreationErrors } from './creation-errors.js';
import type { CreationError } from './creation-errors.js';
import type { Happening } from './happenings.js';
import { judgeSize } from './incorrect-sizes.js';
import { entryOf, keepEntries, withEntry } from './keyed.js';
import type { ClusterStateMemory } from './memory.js';
import { provisionTimeMs } from './policy.js';
import type { ClusterStatePolicy } from './policy.js';
import { NO_COUNTS } from './readiness-counts.js';
import type { CountedReadiness } from './readiness-counts.js';
import { existingCount, trackUnregistered } from './registration.js';
import { groupOfRetry } from './repairs.js';
import type { TargetCut } from './repairs.js';
import { registerScaleUp } from './scale-up-requests.js';
import type { ScaleUpRequest } from './scale-up-requests.js';
import { countObserved, stateFromCounts } from './scaling-state.js';
import type { ScalingState } from './scaling-state.js';
import { missingFromTarget } from './upcoming.js';

export interface ClusterStateUpdate {
  readonly state: ScalingState;
  readonly memory: ClusterStateMemory;
  readonly happenings: readonly Happening[];
  /** Targets to lower because their machines never came; the memory has forgotten these requests already. */
  readonly reverts: readonly TargetCut[];
}

/**
 * Once an iteration: takes note of what became of earlier requests (`scale-up` 3.1). Expects not-ready copies in the
 * observation already (`withNotReadyCopies`).
 */
export function updateClusterState(
  observation: Observation,
  before: ClusterStateMemory,
  policy: ClusterStatePolicy,
): ClusterStateUpdate {
  const tracked = trackInstances(observation, before, policy);
  const counted = countObserved(observation, tracked, policy);
  const happenings: Happening[] = [];
  const reverts: TargetCut[] = [];
  let memory = tracked;
  for (const group of observation.groups) {
    const step: Step = { group, counted, nowMs: observation.nowMs, policy };
    const wasScalingUp = isScalingUp(step, memory);
    const progress = progressRequest(step, memory);
    memory = progress.memory;
    happenings.push(...progress.happenings);
    if (progress.revert > 0) reverts.push({ groupId: group.id, count: progress.revert });
    const failed = noteCreationErrors(step, memory, wasScalingUp);
    memory = failed.memory;
    happenings.push(...failed.happenings);
    memory = noteSize(step, memory);
  }
  happenings.push(...backOffChanges(before, memory, observation.nowMs));
  memory = {
    ...memory,
    updatedMs: observation.nowMs,
    backOffs: dropStale(memory.backOffs, observation.nowMs, policy),
  };
  return { state: stateFromCounts(observation, counted, memory, policy), memory, happenings, reverts };
}

interface Step {
  readonly group: NodeGroup;
  readonly counted: CountedReadiness;
  readonly nowMs: number;
  readonly policy: ClusterStatePolicy;
}

interface StepResult {
  readonly memory: ClusterStateMemory;
  readonly happenings: readonly Happening[];
}

/** Brings the tables by instance up to date and forgets groups that are gone. */
function trackInstances(
  observation: Observation,
  memory: ClusterStateMemory,
  policy: ClusterStatePolicy,
): ClusterStateMemory {
  const groupIds = new Set(observation.groups.map((group) => group.id));
  const isKnown = (groupId: string): boolean => groupIds.has(groupId);
  return {
    ...memory,
    requests: keepEntries(memory.requests, isKnown),
    incorrectSizes: keepEntries(memory.incorrectSizes, isKnown),
    reportedFailures: keepEntries(memory.reportedFailures, isKnown),
    repairRetries: keepEntries(memory.repairRetries, (key) => isKnown(groupOfRetry(key))),
    unregisteredSinceMs: trackUnregistered(memory.unregisteredSinceMs, {
      nowMs: observation.nowMs,
      nodes: observation.nodes,
      groups: observation.groups,
      groupIdByNode: observation.groupIdByNode,
      provisionTimeMs: (group) => provisionTimeMs(group, policy),
      previousUpdateMs: memory.updatedMs,
    }),
  };
}

function isScalingUp(step: Step, memory: ClusterStateMemory): boolean {
  return entryOf(memory.requests, step.group.id) !== null && missing(step) > 0;
}

function missing(step: Step): number {
  const counts = step.counted.byGroup.get(step.group.id) ?? NO_COUNTS;
  return missingFromTarget(step.group.targetSize, counts);
}

/** Success, timeout or more patience (`scale-up` 3.7). */
function progressRequest(step: Step, memory: ClusterStateMemory): StepResult & { readonly revert: number } {
  const groupId = step.group.id;
  const request = entryOf(memory.requests, groupId);
  if (request === null) return { memory, happenings: [], revert: 0 };
  const forgotten = { ...memory, requests: withEntry(memory.requests, groupId, null) };
  const waitedMs = step.nowMs - request.requestedMs;
  if (isOverdue(step, request)) return timeOut(step, forgotten, request);
  if (missing(step) <= 0) {
    const completed: Happening = { kind: 'scale-up-completed', groupId, tookMs: waitedMs };
    return { memory: forgotten, happenings: [completed], revert: 0 };
  }
  if (request.expectedMs >= step.nowMs) return { memory, happenings: [], revert: 0 };
  return timeOut(step, forgotten, request);
}

/** Clocks of program and cloud, and whole seconds of the cloud's times. */
const CLOCK_DIFFERENCE_MS_MAX = 60_000;

/**
 * A machine of this request exists and never became a node: it no longer counts as upcoming, but nothing has arrived.
 *
 * differs from upstream: there such a machine is noticed one iteration after the request has timed out. Here its age
 * counts from its order, so both end in one iteration, and the growth would pass for a success: the same group would be
 * chosen again and again (cases U035, U050).
 */
function isOverdue(step: Step, { requestedMs }: ScaleUpRequest): boolean {
  const { longUnregistered } = step.counted.byGroup.get(step.group.id) ?? NO_COUNTS;
  return longUnregistered.some(({ sinceMs }) => sinceMs >= requestedMs - CLOCK_DIFFERENCE_MS_MAX);
}

function timeOut(
  step: Step,
  memory: ClusterStateMemory,
  request: ScaleUpRequest,
): StepResult & { readonly revert: number } {
  const { groupId, increase } = request;
  const waitedMs = step.nowMs - request.requestedMs;
  const failure: CloudFailure = {
    kind: 'transient',
    code: 'timeout',
    message: `Scale-up timed out for node group ${groupId} after ${renderGoDuration(waitedMs)}`,
  };
  const event = { groupId, atMs: step.nowMs, failure, waitedMs: provisionTimeMs(step.group, step.policy) };
  const timedOut: Happening = { kind: 'scale-up-timed-out', groupId, increase, waitedMs, failure };
  return {
    memory: { ...memory, backOffs: recordFailure(memory.backOffs, event, step.policy) },
    happenings: [timedOut],
    revert: revertible(step.group, increase),
  };
}

/**
 * differs from upstream: only machines that do not exist are given back. Upstream asks for the whole increase, which a
 * provider must refuse, or else kill live machines, as soon as a part of it arrived (`scale-up` 15.3).
 */
function revertible(group: NodeGroup, increase: number): number {
  return Math.max(0, Math.min(increase, group.targetSize - existingCount(group)));
}

/** Failed machines shorten the request and put the group into back-off (`scale-up` 11.3). */
function noteCreationErrors(step: Step, memory: ClusterStateMemory, wasScalingUp: boolean): StepResult {
  const { group, nowMs, policy } = step;
  const reported = entryOf(memory.reportedFailures, group.id) ?? [];
  const errors = newCreationErrors(group, reported).filter((error) => wasScalingUp || isRecent(error, step));
  const failedIds = failedInstanceIds(group);
  let { requests, backOffs } = memory;
  for (const { failure, count } of errors) {
    const change = { groupId: group.id, delta: -count, atMs: nowMs, provisionTimeMs: 0 };
    requests = registerScaleUp(requests, change);
    backOffs = recordFailure(backOffs, { groupId: group.id, atMs: nowMs, failure, waitedMs: 0 }, policy);
  }
  const reportedFailures = withEntry(
    memory.reportedFailures,
    group.id,
    failedIds.length === 0 ? null : failedIds,
  );
  const happenings = errors.map(({ count, failure, messages }): Happening => {
    return { kind: 'machines-failed', groupId: group.id, count, failure, messages };
  });
  return { memory: { ...memory, requests, backOffs, reportedFailures }, happenings };
}

/**
 * differs from upstream: without a request (after a restart) a machine that was ordered lately and failed still counts
 * as failed growth, else the same sold-out type is asked once more (case U006).
 */
function isRecent(error: CreationError, step: Step): boolean {
  if (error.newestMs === null) return false;
  return error.newestMs + provisionTimeMs(step.group, step.policy) > step.nowMs;
}

function noteSize(step: Step, memory: ClusterStateMemory): ClusterStateMemory {
  const groupId = step.group.id;
  const counts = step.counted.byGroup.get(groupId) ?? null;
  const known = entryOf(memory.incorrectSizes, groupId);
  const size = judgeSize(step.group.targetSize, counts, known, step.nowMs);
  return { ...memory, incorrectSizes: withEntry(memory.incorrectSizes, groupId, size) };
}

/** Groups that entered or left back-off since the update before (`scale-up` 15.35). */
function backOffChanges(
  before: ClusterStateMemory,
  after: ClusterStateMemory,
  nowMs: number,
): readonly Happening[] {
  const changes: Happening[] = [];
  for (const [groupId, entry] of Object.entries(after.backOffs)) {
    const known = entryOf(before.backOffs, groupId);
    const isOn = isBackedOff(entry, nowMs);
    const wasOn =
      before.updatedMs !== null && activeBackOff(before.backOffs, groupId, before.updatedMs) !== null;
    if (isOn && (!wasOn || known?.lastFailureMs !== entry.lastFailureMs)) {
      const { untilMs, failure } = entry;
      changes.push({ kind: 'back-off-entered', groupId, untilMs, failure });
    }
    if (!isOn && wasOn) changes.push({ kind: 'back-off-left', groupId });
  }
  return changes;
}
