import type { Clock } from '../../../application/ports/clock.js';
import type { NodeGroup } from '../../../domain/node-group/node-group.js';
import type { UthoConfiguration } from '../configuration/utho-configuration.js';
import type { PoolRecord, WorkerRecord } from '../client/records.js';
import type { CountChange } from '../foreign-change.js';
import { refused } from '../refusal.js';
import { clusterObstacle } from './cluster-condition.js';
import type { ClusterRead } from './cluster-reads.js';
import type { KubernetesNodes } from './kubernetes-nodes.js';
import { Pool } from './pool.js';
import { unreadable } from './pool-snapshot.js';

/** The nodes of workers that are gone linger. */
const VANISHED_MS = 15 * 60_000;
/**
 * What is known of a pool is kept so long after it was last listed: as long as anything known of it matters. It may be
 * switched on again, and an answer may have left it out by mistake.
 */
const RETIRED_MS = 60 * 60_000;

export interface PoolChanges {
  /** Counts before and after, of all pools known before. */
  readonly counts: readonly CountChange[];
  /** Autoscaled pools that the cluster no longer has, not even switched off. */
  readonly vanished: readonly string[];
}

interface Retired {
  readonly pool: Pool;
  readonly sinceMs: number;
}

interface Vanished {
  readonly poolId: string;
  readonly sinceMs: number;
}

/** All autoscaled pools, and the last whole read of the cluster. The set of pools changes by {@link publish} only. */
export class Pools {
  private pools: ReadonlyMap<string, Pool> = new Map();
  private last: ClusterRead | null = null;
  /** Pool of each worker of the last read, autoscaled or not. */
  private poolByWorker: ReadonlyMap<string, string> = new Map();
  private workersByName: ReadonlyMap<string, readonly WorkerRecord[]> = new Map();
  private readonly vanished = new Map<string, Vanished>();
  /** Pools that are no longer listed, or no longer autoscaled. */
  private readonly retired = new Map<string, Retired>();

  constructor(
    private readonly configuration: Pick<UthoConfiguration, 'allowScaleToZero' | 'poolOptions'>,
    private readonly clock: Clock,
  ) {}

  /** The last successful refresh. */
  get lastRead(): ClusterRead | null {
    return this.last;
  }

  /** Sorted by id. */
  all(): readonly Pool[] {
    return [...this.pools.values()];
  }

  groups(): readonly NodeGroup[] {
    return this.all().map((pool) => pool.group());
  }

  find(poolId: string): Pool | undefined {
    return this.pools.get(poolId);
  }

  /** Throws CloudError where there is none. */
  get(poolId: string): Pool {
    const pool = this.pools.get(poolId);
    if (pool === undefined) throw refused('unknown-group', `there is no node pool ${poolId}`);
    return pool;
  }

  poolIdOfWorker(workerId: string): string | undefined {
    return this.poolByWorker.get(workerId);
  }

  /** Pool that a worker had which the last read no longer showed. */
  poolIdOfVanished(workerId: string): string | undefined {
    return this.vanished.get(workerId)?.poolId;
  }

  /** By host name within a pool. */
  workerNamed(poolId: string, name: string): WorkerRecord | undefined {
    const namesakes = this.workersByName.get(name.toLowerCase()) ?? [];
    return namesakes.find((worker) => this.poolByWorker.get(worker.id) === poolId);
  }

  /**
   * Takes over a read of the whole cluster. Pools that know newer things, or are being changed, keep what they have.
   * Returns what that changed.
   */
  publish(read: ClusterRead): PoolChanges {
    const next = new Map<string, Pool>();
    const changes: CountChange[] = [];
    const obstacle = clusterObstacle(read.record);
    for (const record of read.record.pools.values()) {
      if (!record.autoScale) continue;
      const from = this.pools.get(record.id)?.snapshot.count;
      const pool = this.poolFor(record, read, obstacle);
      if (from !== undefined) changes.push({ poolId: record.id, from, to: pool.snapshot.count });
      next.set(record.id, pool);
    }
    for (const { id, problem } of read.record.brokenPools) {
      const known = this.pools.get(id);
      if (known === undefined) continue;
      known.freeze(unreadable(problem));
      next.set(id, known);
    }
    const isListed = (id: string): boolean => next.has(id) || read.record.pools.has(id);
    const vanished = [...this.pools.keys()].filter((id) => !isListed(id));
    this.retire(next);
    this.pools = new Map([...next].sort(([left], [right]) => (left < right ? -1 : 1)));
    this.last = read;
    this.index(read);
    return { counts: changes, vanished };
  }

  private poolFor(record: PoolRecord, { nodes, ticket }: ClusterRead, obstacle: string | null): Pool {
    const known = this.pools.get(record.id) ?? this.retired.get(record.id)?.pool;
    const pool = known ?? this.newPool(record, nodes);
    if (pool.isChanging || ticket <= pool.freshFrom) return pool;
    if (known !== undefined) pool.adopt(record, nodes);
    if (obstacle !== null) pool.freeze(obstacle);
    return pool;
  }

  private newPool(record: PoolRecord, nodes: KubernetesNodes): Pool {
    const { allowScaleToZero, poolOptions } = this.configuration;
    const options = poolOptions.get(record.id) ?? {};
    return new Pool(record, nodes, this.clock, { allowScaleToZero, options });
  }

  private retire(next: ReadonlyMap<string, Pool>): void {
    const nowMs = this.clock.now();
    for (const [id, pool] of this.pools) if (!next.has(id)) this.retired.set(id, { pool, sinceMs: nowMs });
    for (const [id, { sinceMs }] of this.retired) {
      if (next.has(id) || nowMs - sinceMs > RETIRED_MS) this.retired.delete(id);
    }
  }

  private index({ record }: ClusterRead): void {
    const before = this.poolByWorker;
    const poolByWorker = new Map<string, string>();
    const workersByName = new Map<string, WorkerRecord[]>();
    const add = (poolId: string, worker: WorkerRecord): void => {
      const name = worker.hostname.toLowerCase();
      poolByWorker.set(worker.id, poolId);
      const namesakes = workersByName.get(name);
      if (namesakes === undefined) workersByName.set(name, [worker]);
      else namesakes.push(worker);
    };
    for (const pool of record.pools.values()) for (const worker of pool.workers) add(pool.id, worker);
    // Pools that can't be read keep the workers that they had.
    for (const { id } of record.brokenPools) {
      for (const worker of this.pools.get(id)?.snapshot.workers ?? []) add(id, worker.record);
    }
    this.poolByWorker = poolByWorker;
    this.workersByName = workersByName;
    this.noteVanished(before);
  }

  private noteVanished(before: ReadonlyMap<string, string>): void {
    const nowMs = this.clock.now();
    for (const [id, poolId] of before) {
      if (!this.poolByWorker.has(id)) this.vanished.set(id, { poolId, sinceMs: nowMs });
    }
    for (const [id, { sinceMs }] of this.vanished) {
      if (this.poolByWorker.has(id) || nowMs - sinceMs > VANISHED_MS) this.vanished.delete(id);
    }
  }
}
