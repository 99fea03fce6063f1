import type { ClusterStatePolicy } from './policy.js';
import type { ReadinessCounts } from './readiness-counts.js';

/** How many nodes a group may have at the moment (`scale-up` 3.6). */
export interface AcceptableRange {
  readonly minNodes: number;
  readonly maxNodes: number;
  readonly target: number;
}

export interface RangeInput {
  readonly target: number;
  readonly longUnregistered: number;
  /** Machines asked for that need not be there yet. */
  readonly requested: number;
  /** Machines being removed that may still be there. */
  readonly removing: number;
}

export function acceptableRange(input: RangeInput): AcceptableRange {
  return {
    minNodes: input.target - input.longUnregistered - input.requested,
    maxNodes: input.target + input.removing,
    target: input.target,
  };
}

type HealthPolicy = Pick<ClusterStatePolicy, 'okTotalUnreadyCount' | 'maxTotalUnreadyPercentage'>;

/** `counts` null: the group has neither nodes nor unregistered instances. */
export function isGroupHealthy(
  range: AcceptableRange,
  counts: ReadinessCounts | null,
  policy: HealthPolicy,
): boolean {
  if (counts === null) return range.target === 0 || range.minNodes <= 0;
  const { ready, unready, notStarted, suspended } = counts;
  const missing = Math.max(0, range.minNodes - (ready.length + suspended.length));
  const known = ready.length + unready.length + notStarted.length + suspended.length;
  return !exceeds(missing, known, policy);
}

/**
 * differs from upstream: nodes of no group are not counted, neither as unready nor as part of the whole. A foreign
 * fleet that goes NotReady now and then must not stop groups that are well (case U031).
 */
export function isClusterHealthy(
  ownGroups: readonly ReadinessCounts[],
  ownNodeCount: number,
  policy: HealthPolicy,
): boolean {
  const unready = ownGroups.reduce((sum, counts) => sum + counts.unready.length, 0);
  return !exceeds(unready, ownNodeCount, policy);
}

function exceeds(bad: number, whole: number, policy: HealthPolicy): boolean {
  return bad > policy.okTotalUnreadyCount && bad > (policy.maxTotalUnreadyPercentage / 100) * whole;
}
