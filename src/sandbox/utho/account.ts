import { changedSettings } from './settings.js';
import type { Capacity, SettingsChange, UthoSettings } from './settings.js';
import { requireFreeName, seedCluster, seedPool, seedWorker } from './seed.js';
import type { ClusterSeed, PoolSeed, WorkerSeed } from './seed.js';
import type { ClusterPower } from './state/cluster-power.js';
import type { Cause } from './state/events.js';
import { planOf } from './state/machine-of.js';
import type { Cluster, Plan, Pool, Worker, WorkerWords } from './state/records.js';
import type { Workforce } from './state/workforce.js';
import type { Place, UthoWorld } from './state/world.js';

/** One step of the platform's own scaling; exactly one of `count` and `change` is there. */
export interface PolicyStep {
  /** From now on, in world time. */
  readonly afterMs: number;
  readonly pool: string;
  readonly count?: number;
  /** Added to the count of that moment. */
  readonly change?: number;
}

export interface TokenSeed {
  readonly name?: string;
  /** Default true. */
  readonly writable?: boolean;
  /** Ids of the clusters that it may see; default all. */
  readonly clusters?: readonly string[];
}

/** The state of one platform, and what acts upon it. */
export interface Platform {
  readonly world: UthoWorld;
  readonly workforce: Workforce;
  readonly power: ClusterPower;
}

const CONSOLE: Cause = { kind: 'console' };

/**
 * What people and the platform do beside the API: build clusters, turn switches, resize and destroy by hand. What is
 * named must exist, and what is made or renamed must not; else a RangeError says so, and nothing
 * has changed. Without an id of a cluster the first one is meant.
 */
export abstract class UthoAccount {
  protected abstract readonly platform: Platform;

  get world(): UthoWorld {
    return this.platform.world;
  }

  /** May be changed at any time, but for the lag of reads ({@link configure}). */
  get settings(): UthoSettings {
    return this.world.settings;
  }

  configure(change: SettingsChange): void {
    Object.assign(this.settings, changedSettings(this.settings, change));
    for (const cluster of this.world.clusters.values()) this.world.readLag.settle(cluster);
  }

  seedCluster(seed: ClusterSeed = {}): Cluster {
    return seedCluster(this.world, seed);
  }

  /** Into the first cluster, which is made when there is none. */
  seedPool(seed: PoolSeed, clusterId?: string): Pool {
    if (clusterId === undefined && this.world.clusters.size === 0) this.seedCluster();
    return seedPool(this.world, this.platform.workforce, this.cluster(clusterId), seed);
  }

  /** One more worker that the pool was asked for. */
  seedWorker(poolId: string, seed: WorkerSeed = {}, clusterId?: string): Worker {
    return seedWorker(this.world, this.platform.workforce, this.placeOf(poolId, clusterId), seed);
  }

  clusters(): readonly Cluster[] {
    return [...this.world.clusters.values()];
  }

  cluster(id?: string): Cluster {
    const [first] = this.world.clusters.values();
    const cluster = id === undefined ? first : this.world.clusters.get(id);
    if (cluster === undefined) throw new RangeError(`there is no cluster ${id ?? 'at all'}`);
    return cluster;
  }

  hasPool(id: string, clusterId?: string): boolean {
    return this.cluster(clusterId).pools.has(id);
  }

  pool(id: string, clusterId?: string): Pool {
    return this.placeOf(id, clusterId).pool;
  }

  /** Of one pool, oldest first, those without a record included. */
  workers(poolId: string, clusterId?: string): readonly Worker[] {
    return this.pool(poolId, clusterId).workers;
  }

  /** By the id of its instance; undefined when it is gone. */
  worker(cloudId: string): Worker | undefined {
    return this.world.findWorker(cloudId)?.worker;
  }

  setAutoScale(poolId: string, autoScale: boolean, clusterId?: string): void {
    this.change(poolId, clusterId, { autoScale });
  }

  /** Null: absent in answers. */
  setBounds(poolId: string, bounds: { min?: number | null; max?: number | null }, clusterId?: string): void {
    const { min, max } = bounds;
    this.change(poolId, clusterId, {
      ...(min !== undefined && { minSize: min ?? undefined }),
      ...(max !== undefined && { maxSize: max ?? undefined }),
    });
  }

  setPolicies(poolId: string, policies: Pool['policies'], clusterId?: string): void {
    this.change(poolId, clusterId, { policies });
  }

  /** For one pool, or for all that have none of their own. */
  setCapacity(capacity: Capacity, poolId?: string, clusterId?: string): void {
    if (poolId === undefined) this.settings.capacity = capacity;
    else this.change(poolId, clusterId, { capacity });
  }

  /** Somebody resizes the pool by hand. */
  resizePool(poolId: string, count: number, clusterId?: string): void {
    this.platform.workforce.setCount(this.placeOf(poolId, clusterId), count, CONSOLE);
  }

  renamePool(poolId: string, to: string, clusterId?: string): void {
    const place = this.placeOf(poolId, clusterId);
    if (to !== poolId) requireFreeName(place.cluster, to);
    this.platform.workforce.rename(place, to, CONSOLE);
  }

  removePool(poolId: string, clusterId?: string): void {
    this.platform.workforce.removePool(this.placeOf(poolId, clusterId), CONSOLE);
  }

  stopCluster(id?: string): void {
    this.platform.power.stop(this.cluster(id));
  }

  startCluster(id?: string): void {
    this.platform.power.start(this.cluster(id));
  }

  destroyCluster(id?: string): void {
    this.platform.power.destroy(this.cluster(id), CONSOLE);
  }

  /** Any words; they do not switch anything. */
  setClusterStatus(words: { status?: string; powerStatus?: string }, id?: string): void {
    const cluster = Object.assign(this.cluster(id), words);
    this.world.readLag.changed(cluster);
  }

  /** Destroys an instance behind its pool's back; the platform replaces it after a while. */
  destroyWorker(cloudId: string): void {
    const { worker, ...place } = this.living(cloudId);
    this.platform.workforce.destroy(place, worker, CONSOLE);
  }

  /** A worker that waits runs now, whatever waits for others. */
  activateWorker(cloudId: string): void {
    const { worker, ...place } = this.living(cloudId);
    this.platform.workforce.run(place, worker);
  }

  /** A worker fails now, wherever it is in its life; its machine is not touched. */
  failWorker(cloudId: string, message = ''): void {
    const { worker, ...place } = this.living(cloudId);
    this.platform.workforce.fail(place, worker, message);
  }

  /** Words for its state that answers show from now on; null: those of its state. */
  setWorkerWords(cloudId: string, words: WorkerWords | null): void {
    const { worker, cluster } = this.existing(cloudId);
    worker.words = words;
    this.world.readLag.changed(cluster);
  }

  /** Overwrites fields of its record in answers. */
  distortWorker(cloudId: string, fields: Worker['distortion']): void {
    const { worker, cluster } = this.existing(cloudId);
    worker.distortion = fields;
    this.world.readLag.changed(cluster);
  }

  /** Overwrites fields of the pool's record in answers. */
  distortPool(poolId: string, fields: Pool['distortion'], clusterId?: string): void {
    this.change(poolId, clusterId, { distortion: fields });
  }

  /** The next workers, of one pool or of any, fail instead of running. */
  failNextWorkers(count: number, options: { pool?: string; message?: string } = {}): void {
    const { pool = null, message = '' } = options;
    this.world.faults.arm({ kind: 'fails', message }, count, pool);
  }

  /** The next workers that are ordered, in one pool or in any, never get a record. */
  stickNextOrders(count: number, poolId?: string): void {
    this.world.faults.arm({ kind: 'never-shown' }, count, poolId ?? null);
  }

  /** The next workers that get a record, in one pool or in any, stay Pending. */
  stallNextWorkers(count: number, poolId?: string): void {
    this.world.faults.arm({ kind: 'never-runs' }, count, poolId ?? null);
  }

  /** The platform's own scaling rules change counts at these times. Steps for pools that are gone do nothing. */
  playPolicy(steps: readonly PolicyStep[], clusterId?: string): void {
    const cluster = this.cluster(clusterId);
    for (const { afterMs, pool: poolId, count, change } of steps) {
      this.world.schedule(afterMs, () => {
        const pool = cluster.pools.get(poolId);
        if (pool === undefined) return;
        const wanted = count ?? Math.max(0, pool.count + (change ?? 0));
        this.platform.workforce.setCount({ cluster, pool }, wanted, { kind: 'policy' });
      });
    }
  }

  addToken(value: string, { name = value, writable = true, clusters }: TokenSeed = {}): void {
    this.world.tokens.set(value, { name, writable, clusters: clusters ?? null });
  }

  setTokenWritable(value: string, writable: boolean): void {
    const token = this.world.tokens.get(value);
    if (token === undefined) throw new RangeError('there is no such key');
    token.writable = writable;
  }

  revokeToken(value: string): void {
    this.world.tokens.delete(value);
  }

  /** Puts a plan on sale, in place of one of the same id. */
  addPlan(plan: Plan): void {
    this.world.plans.set(plan.id, plan);
  }

  setPlanAvailable(id: string, available: boolean): void {
    planOf(this.world, id).available = available;
  }

  private placeOf(poolId: string, clusterId?: string): Place {
    const cluster = this.cluster(clusterId);
    const pool = cluster.pools.get(poolId);
    if (pool === undefined) throw new RangeError(`cluster ${cluster.id} has no pool '${poolId}'`);
    return { cluster, pool };
  }

  private existing(cloudId: string): Place & { readonly worker: Worker } {
    const found = this.world.findWorker(cloudId);
    if (found === undefined) throw new RangeError(`there is no worker ${cloudId}`);
    return found;
  }

  private living(cloudId: string): Place & { readonly worker: Worker } {
    const found = this.existing(cloudId);
    if (found.worker.state === 'deleting') throw new RangeError(`worker ${cloudId} is being deleted`);
    return found;
  }

  private change(poolId: string, clusterId: string | undefined, change: Partial<Pool>): void {
    const { pool, cluster } = this.placeOf(poolId, clusterId);
    Object.assign(pool, change);
    this.world.readLag.changed(cluster);
  }
}
