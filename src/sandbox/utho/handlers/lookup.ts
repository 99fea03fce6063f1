import { statusError, unknownCluster } from '../api/answers.js';
import type { Refusal } from '../api/answers.js';
import type { Call } from '../api/router.js';
import type { Cluster, Token, Worker } from '../state/records.js';
import type { Place, UthoWorld } from '../state/world.js';

/** The cluster of a call. One that the key may not see is as unknown as one that is not there. */
export function clusterOf(world: UthoWorld, { token, segments }: Call, isRead = false): Cluster {
  const cluster = world.clusters.get(segments[0] ?? '');
  if (cluster === undefined || !maySee(token, cluster)) throw unknownCluster(world.settings, isRead);
  return cluster;
}

/** The pool of a write. The sentences of its refusals are invented. */
export function changeablePool(world: UthoWorld, call: Call): Place {
  const cluster = clusterOf(world, call);
  const pool = cluster.pools.get(call.segments[1] ?? '');
  if (pool === undefined) throw statusError('Node Pool not found in this cluster.');
  if (cluster.powerStatus !== 'Running') throw statusError('The cluster is powered off.');
  return { cluster, pool };
}

/** Any worker of the account that the key may see, as the instance that it is. */
export function instanceOf(world: UthoWorld, { token, segments }: Call): Place & { readonly worker: Worker } {
  const found = world.findWorker(segments[0] ?? '');
  if (found === undefined || !maySee(token, found.cluster)) throw noSuchInstance();
  return found;
}

/** Refuses what is no instance of the account: neither a worker nor a control plane. */
export function requireInstance(world: UthoWorld, call: Call): void {
  const isMaster = [...world.clusters.values()].some(
    (cluster) => cluster.master.cloudId === call.segments[0] && maySee(call.token, cluster),
  );
  if (!isMaster) instanceOf(world, call);
}

export function maySee({ clusters }: Token, { id }: Cluster): boolean {
  return clusters?.includes(id) ?? true;
}

/** The sentence is invented. */
function noSuchInstance(): Refusal {
  return statusError('Cloud server not found.');
}
