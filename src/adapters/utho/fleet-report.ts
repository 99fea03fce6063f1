import type { BrokenPool, PoolRecord, WorkerRecord } from './client/records.js';
import type { Telemetry } from './client/telemetry.js';
import { tellForeignChange } from './foreign-change.js';
import { oddClusterWords } from './state/cluster-condition.js';
import type { ClusterRead } from './state/cluster-reads.js';
import { unreadable } from './state/pool-snapshot.js';
import type { PoolChanges, Pools } from './state/pools.js';
import { unknownWords, workerPhase } from './state/worker-state.js';
import { Told } from './told.js';

/** Tells what a refresh showed (`utho` 4.2). What lasts is told once. */
export class FleetReport {
  private readonly told = new Told();
  /** Pools that were left alone after the last refresh, and why. */
  private frozen: ReadonlyMap<string, string> = new Map();
  private hadPools = true;

  constructor(
    private readonly pools: Pools,
    private readonly telemetry: Telemetry,
  ) {}

  begins(): void {
    this.debug('Refreshing node group cache');
  }

  tell(read: ClusterRead, changes: PoolChanges): void {
    const { record } = read;
    const records = [...record.pools.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
    this.debug(`fetched ${records.length + record.brokenPools.length} node pools from the cluster`);
    for (const pool of records) this.tellPool(pool);
    this.tellFrozen(record.brokenPools);
    this.tellManaged();
    for (const change of changes.counts) tellForeignChange(this.telemetry, change);
    for (const id of changes.vanished) {
      const message = `node pool ${id} is gone from the cluster: removed, renamed, or emptied`;
      this.telemetry.logger.warn('utho-pool-vanished', message);
    }
    for (const word of oddClusterWords(record)) {
      this.warnOnce(
        `cluster ${word}`,
        'utho-odd-word',
        `cluster ${record.id} is ${word}, whatever that means`,
      );
    }
    this.telemetry.metrics.set('utho_last_refresh_timestamp_seconds', read.startedMs / 1_000);
    this.count(records.length + record.brokenPools.length);
  }

  private tellPool(pool: PoolRecord): void {
    const bounds = `(min=${pool.minSize ?? 0} max=${pool.maxSize ?? 0})`;
    this.debug(`node-pool ${pool.id}: autoscaling=${pool.autoScale} ${bounds}`);
    if (!pool.autoScale) {
      this.debug(`skipping non-autoscaling node pool: ${pool.id}`);
      return;
    }
    if (pool.policyCount > 0) {
      const message = `node pool ${pool.id} has scaling policies of the platform, which may work against the autoscaler`;
      this.warnOnce(`policies ${pool.id}`, 'utho-policies', message);
    }
    for (const problem of pool.problems) {
      const message = `node pool ${pool.id}: a worker is left out: ${problem}`;
      this.warnOnce(`worker ${pool.id} ${problem}`, 'utho-broken-worker', message);
    }
    for (const worker of pool.workers) this.tellWorker(pool, worker);
  }

  /** Also pools that were never readable, so that nobody wonders where they are. */
  private tellFrozen(brokenPools: readonly BrokenPool[]): void {
    const frozen = new Map(brokenPools.map(({ id, problem }) => [id, unreadable(problem)]));
    for (const { id, snapshot } of this.pools.all()) {
      if (snapshot.frozen !== null) frozen.set(id, snapshot.frozen);
    }
    for (const [id, why] of frozen) {
      if (this.frozen.get(id) === why) continue;
      this.telemetry.logger.warn('utho-pool-frozen', `node pool ${id} is left as it is: ${why}`);
    }
    this.frozen = frozen;
  }

  private tellWorker(pool: PoolRecord, { id, status, appStatus }: WorkerRecord): void {
    for (const word of unknownWords(status, appStatus)) {
      const message = `workers may be "${word}", whatever that means; such a worker counts as running`;
      this.warnOnce(`status ${word}`, 'utho-odd-word', message);
    }
    if (workerPhase(status, appStatus) !== 'failed') return;
    const instance = this.pools.find(pool.id)?.snapshot.workers.find(({ record }) => record.id === id);
    if (instance?.state !== 'running') return;
    const message = `worker ${id} of node pool ${pool.id} is ${status}, but may run pods, so it counts as running`;
    this.warnOnce(`failed ${id}`, 'utho-worker-failed', message);
  }

  private tellManaged(): void {
    const { length } = this.pools.all();
    this.debug(`configured ${length} autoscaling node pools`);
    if (length === 0) {
      const message = 'cluster-autoscaler is disabled. no node pools are configured';
      if (this.hadPools) this.telemetry.logger.warn('utho-disabled', message);
      else this.debug(message);
    }
    this.hadPools = length > 0;
  }

  private count(seen: number): void {
    const pools = this.pools.all();
    const frozen = pools.filter(({ snapshot }) => snapshot.frozen !== null).length;
    const counts = { seen, managed: pools.length, frozen };
    for (const [state, number] of Object.entries(counts)) {
      this.telemetry.metrics.set('utho_node_pools', number, { state });
    }
  }

  private debug(message: string): void {
    this.telemetry.logger.debug('utho-refresh', message);
  }

  private warnOnce(key: string, event: string, message: string): void {
    if (this.told.isNew(key)) this.telemetry.logger.warn(event, message);
  }
}
