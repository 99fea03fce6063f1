import type { RecordedCall } from './api/journal.js';
import type { UthoEvent } from './state/events.js';
import { liveWorkers } from './state/records.js';
import type { Pool } from './state/records.js';
import type { UthoWorld } from './state/world.js';

/** What must always hold. Returns a sentence for each breach; the first kinds are the client's, the others ours. */
export function brokenInvariants(world: UthoWorld, calls: readonly RecordedCall[]): readonly string[] {
  const breaches: string[] = [];
  for (const { unimplemented, method, path } of calls) {
    if (unimplemented) breaches.push(`${method} ${path} is not implemented by the simulated API`);
  }
  for (const event of world.events.list()) breaches.push(...harmIn(event));
  const ids = new Set<string>();
  for (const { pools } of world.clusters.values()) {
    for (const pool of pools.values()) breaches.push(...brokenIn(pool, ids));
  }
  return breaches;
}

/** What a client may never do. What people and the platform do is theirs. */
function harmIn(event: UthoEvent): readonly string[] {
  if (event.cause.kind !== 'request') return [];
  const request = `request ${event.cause.number}`;
  switch (event.kind) {
    case 'victim':
      return event.state === 'active'
        ? [`${request} cost pool ${event.poolId} the active worker ${event.workerId ?? ''}`]
        : [];
    case 'pool-removed':
      return [`${request} removed pool ${event.poolId}`];
    case 'pool-renamed':
      return [`${request} renamed pool ${event.poolId} to ${event.to}`];
    case 'plan-changed':
      return [`${request} changed the plan of pool ${event.poolId} to ${event.to}`];
    default:
      return [];
  }
}

function brokenIn(pool: Pool, ids: Set<string>): readonly string[] {
  const breaches: string[] = [];
  if (liveWorkers(pool).length > pool.count) breaches.push(`pool ${pool.id} has more workers than its count`);
  for (const { cloudId } of pool.workers) {
    if (cloudId === null) continue;
    if (ids.has(cloudId)) breaches.push(`two workers have the id ${cloudId}`);
    ids.add(cloudId);
  }
  return breaches;
}
