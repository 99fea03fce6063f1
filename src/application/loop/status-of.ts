import type { DeletionsInProgress } from '../../domain/observation.js';
import { registeredCount } from '../../domain/readiness/index.js';
import type { GroupState, ReadinessCounts, ScalingState } from '../../domain/readiness/index.js';
import type { StatusGroup, StatusInput, StatusNodeCounts } from '../report/status-input.js';

/** What the status says of scale-down. */
export interface ScaleDownStatus {
  /** Null: never. */
  readonly evaluatedMs: number | null;
  /** Group of each unneeded node. */
  readonly candidateGroupIds: readonly string[];
}

/** The state of the groups as the status ConfigMap shows it. */
export function statusOf(
  state: ScalingState,
  deletions: DeletionsInProgress,
  { evaluatedMs, candidateGroupIds }: ScaleDownStatus,
): StatusInput {
  const deleting = new Set([...deletions.empty, ...deletions.drained]);
  return {
    nowMs: state.nowMs,
    scaleDownEvaluatedMs: evaluatedMs,
    isHealthy: state.healthy,
    counts: nodeCounts(state.total, deleting),
    scaleDownCandidates: candidateGroupIds.length,
    groups: [...state.groups.values()].map((group) => ({
      ...groupStatus(group, deleting),
      scaleDownCandidates: candidateGroupIds.filter((id) => id === group.group.id).length,
    })),
  };
}

function groupStatus(
  state: GroupState,
  deleting: ReadonlySet<string>,
): Omit<StatusGroup, 'scaleDownCandidates'> {
  const { id, targetSize, minSize, maxSize } = state.group;
  return {
    ...{ id, targetSize, minSize, maxSize },
    isHealthy: state.healthy,
    counts: nodeCounts(state.counts, deleting),
    isScalingUp: state.scalingUp,
    backoff: state.backOff === null ? null : state.backOff.failure,
  };
}

function nodeCounts(counts: ReadinessCounts, deleting: ReadonlySet<string>): StatusNodeCounts {
  const registered = [
    counts.ready,
    counts.unready,
    counts.notStarted,
    counts.suspended,
    counts.deleted,
  ].flat();
  return {
    total: registeredCount(counts),
    ready: counts.ready.length,
    notStarted: counts.notStarted.length,
    suspended: counts.suspended.length,
    beingDeleted: registered.filter((name) => deleting.has(name)).length,
    unready: counts.unready.length,
    resourceUnready: counts.resourceUnready.length,
    longUnregistered: counts.longUnregistered.length,
    unregistered: counts.unregistered.length,
  };
}
