import { masterMachine, planOf } from './state/machine-of.js';
import { newPool } from './state/new-pool.js';
import type { Capacity } from './settings.js';
import type { Cluster, Pool, Worker, WorkerState, WorkerWords } from './state/records.js';
import type { Place, UthoWorld } from './state/world.js';
import type { Workforce } from './state/workforce.js';

export const DEFAULT_CLUSTER = '701234';
/** 4 vCPU, 8 GB. */
export const DEFAULT_PLAN = '10355';
const MASTER_PLAN = '10045';

export interface ClusterSeed {
  readonly id?: string;
  readonly label?: string;
  readonly version?: string;
  readonly dcslug?: string;
  readonly vpc?: string;
}

export interface PoolSeed {
  readonly id: string;
  /** Default: 4 vCPU, 8 GB. */
  readonly planId?: string;
  /** Default true. */
  readonly autoScale?: boolean;
  /** Default 1; null: absent. */
  readonly min?: number | null;
  /** Default 5; null: absent. */
  readonly max?: number | null;
  /** Workers that run already: so many, or these. Default: as many as asked for, or one. */
  readonly workers?: number | readonly WorkerSeed[];
  /** Workers asked for; the platform begins to order what is missing. Default: as many as there are live ones. */
  readonly count?: number;
  readonly policies?: Pool['policies'];
  readonly capacity?: Capacity;
  readonly ip?: string;
}

export interface WorkerSeed {
  /** Default: the next free id. */
  readonly cloudId?: string;
  readonly hostname?: string;
  /** Default: that of the pool. */
  readonly planId?: string;
  /** Default `active`. `requested` has no id yet; `failed` and `deleting` stay what they are. */
  readonly state?: WorkerState;
  /** Default: the words of its state. */
  readonly words?: WorkerWords;
  /** Overwrites fields of its record in answers. */
  readonly distortion?: Worker['distortion'];
}

export function seedCluster(world: UthoWorld, seed: ClusterSeed = {}): Cluster {
  const { id = DEFAULT_CLUSTER, label = `cluster-${id}` } = seed;
  if (world.clusters.has(id)) throw new RangeError(`there is a cluster ${id} already`);
  const { publicIp, privateIp } = world.nextAddresses();
  const cluster: Cluster = {
    ...{ id, label, version: seed.version ?? '1.32.10-utho', dcslug: seed.dcslug ?? 'inmumbaizone2' },
    ...{ vpc: seed.vpc ?? 'vpc-1', status: 'Active', powerStatus: 'Running', createdMs: world.now() },
    master: {
      ...{ cloudId: world.nextCloudId(), hostname: `${label}-master`, planId: MASTER_PLAN },
      ...{ publicIp, privateIp },
    },
    pools: new Map(),
  };
  world.clusters.set(id, cluster);
  world.fleet.powerOn(masterMachine(world, cluster));
  world.readLag.settle(cluster);
  return cluster;
}

export function seedPool(world: UthoWorld, workforce: Workforce, cluster: Cluster, seed: PoolSeed): Pool {
  requireFreeName(cluster, seed.id);
  const { workers = seed.count ?? 1, planId = DEFAULT_PLAN } = seed;
  const workerSeeds = typeof workers === 'number' ? Array<WorkerSeed>(workers).fill({}) : workers;
  for (const { state = 'active', planId: ownPlan = planId } of workerSeeds) {
    if (state === 'active') planOf(world, ownPlan);
  }
  const pool = newPool({
    ...{ id: seed.id, planId, count: seed.count ?? liveAmong(workerSeeds) },
    ...{ autoScale: seed.autoScale ?? true, minSize: bound(seed.min, 1), maxSize: bound(seed.max, 5) },
    ...{ policies: seed.policies ?? [], capacity: seed.capacity ?? null, ip: seed.ip ?? '' },
  });
  cluster.pools.set(pool.id, pool);
  for (const one of workerSeeds) placeWorker(world, workforce, { cluster, pool }, one);
  workforce.reconcile({ cluster, pool }, { kind: 'console' });
  world.readLag.settle(cluster);
  return pool;
}

/** Throws a RangeError when the cluster has a pool of this name. */
export function requireFreeName(cluster: Cluster, poolId: string): void {
  if (cluster.pools.has(poolId)) throw new RangeError(`cluster ${cluster.id} has a pool '${poolId}' already`);
}

/** One more worker; unless it is being deleted, it was asked for. */
export function seedWorker(world: UthoWorld, workforce: Workforce, place: Place, seed: WorkerSeed): Worker {
  place.pool.count += liveAmong([seed]);
  const worker = placeWorker(world, workforce, place, seed);
  world.readLag.settle(place.cluster);
  return worker;
}

function placeWorker(world: UthoWorld, workforce: Workforce, place: Place, seed: WorkerSeed): Worker {
  const { state = 'active' } = seed;
  const fresh = workforce.newWorker(place);
  const worker: Worker = {
    ...fresh,
    cloudId: state === 'requested' ? null : (seed.cloudId ?? world.nextCloudId()),
    hostname: seed.hostname ?? fresh.hostname,
    planId: seed.planId ?? fresh.planId,
    state,
    words: seed.words ?? null,
    distortion: seed.distortion ?? {},
  };
  workforce.place(place, worker);
  return worker;
}

function liveAmong(seeds: readonly WorkerSeed[]): number {
  return seeds.filter(({ state }) => state !== 'deleting').length;
}

function bound(given: number | null | undefined, byDefault: number): number | undefined {
  return given === null ? undefined : (given ?? byDefault);
}
