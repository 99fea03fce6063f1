import type { CloudError } from '../../application/ports/cloud-provider.js';
import type { Clock } from '../../application/ports/clock.js';
import { toCloudError } from './client/cloud-errors.js';
import type { Telemetry } from './client/telemetry.js';
import { tellForeignChange } from './foreign-change.js';
import { refused } from './refusal.js';
import { clusterObstacle } from './state/cluster-condition.js';
import type { ClusterRead, ClusterReads } from './state/cluster-reads.js';
import type { Pool } from './state/pool.js';
import { unreadable } from './state/pool-snapshot.js';
import type { PoolSnapshot } from './state/pool-snapshot.js';
import { withinTime } from './within-time.js';
import type { Limits } from './within-time.js';

/** The engine's loop waits no longer for one change (`utho` 3.9 says so of a refresh). */
const LOOP_WAITS_MS_MAX = 60_000;
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

type Work<T> = (mutation: Mutation) => Promise<T>;

interface Change<T> {
  readonly result: Promise<T>;
  /** Something was sent, or is about to be. */
  readonly hasWritten: () => boolean;
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

  /** Nothing is written once one of the signals is aborted. */
  run<T>(pool: Pool, signals: readonly AbortSignal[], work: Work<T>): Promise<T> {
    return this.change(pool, { signals, ms: null }, work).result;
  }

  /**
   * For a caller that the engine's loop waits for. After its time, what is not written yet is given up; what was written
   * goes on without the caller. `ended` is called when all is over.
   */
  async runInTime<T>(
    pool: Pool,
    signals: readonly AbortSignal[],
    work: Work<T>,
    ended: () => void = () => undefined,
  ): Promise<T> {
    const change = this.change(pool, { signals, ms: LOOP_WAITS_MS_MAX }, work);
    const result = change.result.finally(ended);
    const done = new AbortController();
    const late = this.clock.sleep(LOOP_WAITS_MS_MAX, done.signal).then(() => {
      if (!change.hasWritten()) return result;
      this.tellEnd(pool, result);
      const message = `node pool ${pool.id}: the change is under way, and takes longer than ${LOOP_WAITS_MS_MAX / 1_000} s`;
      throw refused('under-way', message, 'unknown-outcome');
    });
    try {
      return await Promise.race([result, late]);
    } finally {
      done.abort();
    }
  }

  private change<T>(pool: Pool, limits: Limits, work: Work<T>): Change<T> {
    let hasWritten = false;
    const signals = [...limits.signals, this.closing.signal];
    const result = withinTime(this.clock, { ...limits, signals }, (before) => {
      const assertMayWrite = (): void => {
        if (before.aborted) throw givenUp(pool);
        hasWritten = true;
      };
      return this.inTurn({ pool, before, after: this.hardStop.signal, assertMayWrite }, work);
    });
    return { result, hasWritten: () => hasWritten };
  }

  /** Rejects as soon as it is given up before its turn. */
  private inTurn<T>(mutation: Mutation, work: Work<T>): Promise<T> {
    const { pool, before } = mutation;
    let hasBegun = false;
    const running = pool.lock(async () => {
      if (before.aborted) throw givenUp(pool);
      hasBegun = true;
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
    const givenUpInQueue = new Promise<never>((_, reject) => {
      before.addEventListener('abort', () => {
        if (!hasBegun) reject(givenUp(pool));
      });
    });
    return Promise.race([running, givenUpInQueue]);
  }

  /** Of a change whose caller is gone. */
  private tellEnd(pool: Pool, result: Promise<unknown>): void {
    result.then(
      () =>
        this.telemetry.logger.info('utho-late', `node pool ${pool.id}: the change came through after all`),
      (error: unknown) => {
        const { message } = toCloudError(error, `node pool ${pool.id}`);
        this.telemetry.logger.warn('utho-late', `the change that took too long failed: ${message}`);
      },
    );
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
    const { frozen } = pool.snapshot;
    if (frozen !== null) throw refused('frozen', `node pool ${pool.id} is not changed: ${frozen}`);
    return { read, fresh: pool.snapshot };
  }

  /** Adopts what a read says of the pool, or freezes it where it is not there to be changed any more. */
  take(pool: Pool, { record, nodes }: ClusterRead): void {
    const own = record.pools.get(pool.id);
    const obstacle = clusterObstacle(record);
    const broken = record.brokenPools.find(({ id }) => id === pool.id);
    if (own?.autoScale === true) pool.adopt(own, nodes);
    else if (own !== undefined) pool.freeze('its autoscaling was switched off');
    else if (broken !== undefined) pool.freeze(unreadable(broken.problem));
    else pool.freeze('the cluster has no such pool any more');
    if (obstacle !== null) pool.freeze(obstacle);
  }
}

function givenUp({ id }: Pool): CloudError {
  return refused('aborted', `node pool ${id}: given up`, 'transient');
}
