import type { Clock } from '../../application/ports/clock.js';
import { toCloudError } from './client/cloud-errors.js';
import type { Telemetry } from './client/telemetry.js';
import { tellForeignChange } from './foreign-change.js';
import { refused } from './refusal.js';
import { clusterObstacle } from './state/cluster-condition.js';
import type { ClusterRead, ClusterReads } from './state/cluster-reads.js';
import type { Pool } from './state/pool.js';
import type { PoolSnapshot } from './state/pool-snapshot.js';

/** At exit a running write may finish its verification (`utho` 4.11). */
const FINISH_MS_MAX = 5_000;

/** One change of one pool, while no other runs. */
export interface Mutation {
  readonly pool: Pool;
  /** Before anything is sent: ends with the caller's patience or at exit. */
  readonly before: AbortSignal;
  /** From the first write on: only the end of the process cuts it short. */
  readonly after: AbortSignal;
  /** Throws CloudError where no write may start any more. */
  assertMayWrite(): void;
}

/** Serialises the changes of each pool; different pools go side by side. */
export class Mutations {
  private readonly closing = new AbortController();
  private readonly hardStop = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  constructor(
    private readonly reads: ClusterReads,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /** Ends what only reads as soon as the program ends. */
  get lifetime(): AbortSignal {
    return this.closing.signal;
  }

  assertOpen(): void {
    if (this.closing.signal.aborted) throw refused('closed', 'the provider is shut down', 'transient');
  }

  run<T>(pool: Pool, signal: AbortSignal | null, work: (mutation: Mutation) => Promise<T>): Promise<T> {
    const signals = signal === null ? [this.closing.signal] : [signal, this.closing.signal];
    const before = AbortSignal.any(signals);
    const assertMayWrite = (): void => {
      if (before.aborted) throw refused('aborted', `node pool ${pool.id}: given up`, 'transient');
    };
    const mutation = { pool, before, after: this.hardStop.signal, assertMayWrite };
    const running = pool.lock(async () => {
      assertMayWrite();
      pool.isChanging = true;
      try {
        return await work(mutation);
      } finally {
        pool.isChanging = false;
        pool.freshFrom = this.reads.nextTicket();
      }
    });
    this.running.add(running);
    void running.catch(() => undefined).finally(() => this.running.delete(running));
    return running;
  }

  /** Nothing is written from here on; settles when the last verification has ended. */
  async close(): Promise<void> {
    this.closing.abort(new Error('the provider is shut down'));
    const all = Promise.allSettled(this.running);
    const stop = new AbortController();
    await Promise.race([all, this.clock.sleep(FINISH_MS_MAX, stop.signal).catch(() => undefined)]);
    stop.abort();
    this.hardStop.abort(new Error('the program ends'));
    await all;
  }

  /**
   * Reads the cluster for a change of a pool, and takes over what it shows. Throws CloudError where the pool can't be
   * changed now.
   */
  async freshPool({
    pool,
    before,
  }: Mutation): Promise<{ readonly read: ClusterRead; readonly fresh: PoolSnapshot }> {
    let read: ClusterRead;
    try {
      read = await this.reads.readFresh(before);
    } catch (error) {
      throw toCloudError(error, `node pool ${pool.id} cannot be read`);
    }
    const known = pool.snapshot.count;
    this.take(pool, read);
    tellForeignChange(this.telemetry, { poolId: pool.id, from: known, to: pool.snapshot.count });
    const obstacle = clusterObstacle(read.record) ?? pool.snapshot.frozen;
    if (obstacle !== null) throw refused('frozen', `node pool ${pool.id} is not changed: ${obstacle}`);
    return { read, fresh: pool.snapshot };
  }

  /** Adopts what a read says of the pool, or freezes it where it is not there to be changed any more. */
  take(pool: Pool, { record, nodes }: ClusterRead): void {
    const own = record.pools.get(pool.id);
    const broken = record.brokenPools.find(({ id }) => id === pool.id);
    if (own?.autoScale === true) pool.adopt(own, nodes);
    else if (own !== undefined) pool.freeze('its autoscaling was switched off');
    else if (broken !== undefined) pool.freeze(`its record can't be read: ${broken.problem}`);
    else pool.freeze('the cluster has no such pool any more');
  }
}
