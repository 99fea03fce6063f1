import type { Clock } from '../../../application/ports/clock.js';
import type { Node } from '../../../domain/kubernetes/node.js';
import type { MachineExistence } from '../../../domain/observation.js';
import type { ClusterRecord } from '../client/records.js';
import { matchNode } from './match-node.js';
import type { Pools } from './pools.js';

/** An older read proves nothing (`utho` 4.7). */
const PROOF_MS_MAX = 2 * 60_000;
/** A node that joined shortly before the read may run on a worker that lists do not show yet. Our decision. */
const NODE_AGE_MS_MIN = 60_000;

/** What the last read says of a node's worker, without asking again (`utho` 4.7). */
export function existenceOf(node: Node, pools: Pools, clock: Clock): MachineExistence {
  const match = matchNode(node, pools);
  switch (match.kind) {
    case 'worker':
      return 'exists';
    case 'foreign':
    case 'nameless':
      return 'foreign';
    case 'vanished':
      return provesAbsence(pools, clock) ? 'gone' : 'unknown';
    case 'unlisted':
      return isOld(node, pools) && provesAbsence(pools, clock) ? 'gone' : 'unknown';
  }
}

/** True where every pool and worker could be read: one that could not may be the one in question. */
export function isComplete({ pools, brokenPools }: ClusterRecord): boolean {
  return brokenPools.length === 0 && [...pools.values()].every((pool) => pool.problems.length === 0);
}

function provesAbsence({ lastRead }: Pools, clock: Clock): boolean {
  if (lastRead === null || !isComplete(lastRead.record)) return false;
  return clock.now() - lastRead.startedMs < PROOF_MS_MAX;
}

function isOld(node: Node, { lastRead }: Pools): boolean {
  return lastRead !== null && node.createdMs < lastRead.startedMs - NODE_AGE_MS_MIN;
}
