import { inject, injectable } from 'inversify';
import type { Dispatcher } from 'undici';
import { Clock } from '../../../application/ports/clock.js';
import { Random } from '../../../application/ports/random.js';
import { UthoConfiguration } from '../configuration/utho-configuration.js';
import { decodeCluster, decodeClusterList } from './decode-cluster.js';
import type { ClusterSummary } from './decode-cluster.js';
import { decodePlans } from './decode-plans.js';
import { UthoDispatcher } from './dispatcher.js';
import type { ClusterRecord, PlanRecord } from './records.js';
import { Telemetry } from './telemetry.js';
import { UthoClient } from './utho-client.js';
import type { CallOptions } from './utho-client.js';
import { UthoError } from './utho-error.js';

export type { CallOptions } from './utho-client.js';

/** A pool as the paths of the API name it. */
export interface PoolTarget {
  readonly clusterId: string;
  readonly poolId: string;
}

/** Label that the Go program sends when it shrinks a pool (`utho` 3.6). */
const LEGACY_LABEL = 'utho.com';

/** The endpoints that this adapter uses, typed (`utho` 3.4 to 3.8). Throws {@link UthoError} only. */
@injectable()
export class UthoApi {
  private readonly client: UthoClient;

  constructor(
    @inject(UthoConfiguration) configuration: UthoConfiguration,
    @inject(UthoDispatcher) dispatcher: Dispatcher,
    @inject(Clock) clock: Clock,
    @inject(Random) random: Random,
    @inject(Telemetry) telemetry: Telemetry,
  ) {
    this.client = new UthoClient({ configuration, dispatcher, clock, random, telemetry });
  }

  /** Retried within its limits. An answer about no or another cluster is an error, never an empty cluster. */
  async cluster(clusterId: string, options: CallOptions): Promise<ClusterRecord> {
    const call = { endpoint: 'cluster', path: ['kubernetes', clusterId] };
    return this.client.read(call, (answer) => decodeCluster(answer, clusterId), options);
  }

  /** All clusters of the account: to suggest one where the configured one is unknown. */
  async clusters(options: CallOptions): Promise<readonly ClusterSummary[]> {
    return this.client.read({ endpoint: 'clusters', path: ['kubernetes'] }, decodeClusterList, options);
  }

  /**
   * Sets the number of workers asked for, in one request that is never repeated here. `count` is absolute: Utho kills
   * workers of its own choice where it is lower than their number, and removes the pool where it is 0, so 0 is refused.
   * `legacy` adds the fields that the Go program sends when it shrinks a pool.
   */
  async setCount(
    { clusterId, poolId }: PoolTarget,
    count: number,
    options: CallOptions & { readonly legacy?: boolean },
  ): Promise<void> {
    checkCount(poolId, count);
    const text = String(count);
    const body = options.legacy === true ? { count: text, label: LEGACY_LABEL, size: text } : { count: text };
    const path = ['kubernetes', clusterId, 'nodepool', poolId, 'update'];
    await this.client.write({ endpoint: 'update_pool', method: 'POST', path, body }, options);
  }

  /** Deletes one worker, in one request that is never repeated here. */
  async deleteWorker(
    { clusterId, poolId }: PoolTarget,
    workerId: string,
    options: CallOptions,
  ): Promise<void> {
    const path = ['kubernetes', clusterId, 'nodepool', poolId, workerId, 'delete'];
    await this.client.write({ endpoint: 'delete_worker', method: 'DELETE', path }, options);
  }

  /** Machine plans of a data centre. */
  async plans(dcslug: string, options: CallOptions): Promise<readonly PlanRecord[]> {
    const query = { product: 'cloud', dcslug };
    const call = { endpoint: 'plans', path: ['cloud', 'getdeploy'], query };
    return this.client.read(call, decodePlans, options);
  }

  /** Machine plans that one machine of the account could change to. */
  async resizePlans(cloudId: string, options: CallOptions): Promise<readonly PlanRecord[]> {
    const call = { endpoint: 'resize_plans', path: ['cloud', cloudId, 'resizeplans'] };
    return this.client.read(call, decodePlans, options);
  }
}

function checkCount(poolId: string, count: number): void {
  if (Number.isSafeInteger(count) && count > 0) return;
  const message =
    count === 0
      ? `refusing to set node pool ${poolId} to 0 workers: Utho removes a pool whose count is 0`
      : `refusing to set node pool ${poolId} to ${count} workers: not a number of workers`;
  throw new UthoError({ class: 'validation', code: 'bad_count', message, outcome: 'unsent', status: null });
}
