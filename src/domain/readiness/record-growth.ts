import type { CloudFailure, NodeGroup } from '../node-group/node-group.js';
import { recordFailure } from './back-off.js';
import type { ClusterStateMemory } from './memory.js';
import { provisionTimeMs } from './policy.js';
import type { ClusterStatePolicy } from './policy.js';
import { registerScaleUp } from './scale-up-requests.js';

/** What the cloud made of one request to grow. */
export interface GrowthOutcome {
  /** Machines ordered or on order. */
  readonly accepted: number;
  /** Why the rest was not; null when all were. */
  readonly failure: CloudFailure | null;
}

/**
 * Remembers accepted machines as on their way and puts a group that failed, also in part, into back-off. Only accepted
 * machines are waited for (`scale-up` 11.9).
 */
export function recordGrowth(
  memory: ClusterStateMemory,
  group: NodeGroup,
  outcome: GrowthOutcome,
  atMs: number,
  policy: ClusterStatePolicy,
): ClusterStateMemory {
  const { accepted, failure } = outcome;
  const groupId = group.id;
  const change = { groupId, delta: accepted, atMs, provisionTimeMs: provisionTimeMs(group, policy) };
  const requests = accepted > 0 ? registerScaleUp(memory.requests, change) : memory.requests;
  if (failure === null) return { ...memory, requests };
  const backOffs = recordFailure(memory.backOffs, { groupId, atMs, failure, waitedMs: 0 }, policy);
  return { ...memory, requests, backOffs };
}
