import type { LimitFunction } from 'p-limit';
import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import type { HetznerConfiguration } from '../configuration/hetzner-configuration.js';
import { ApiError } from '../client/api-error.js';
import { toFailure } from '../client/cloud-errors.js';
import { classify, stopsBatch } from '../client/error-class.js';
import type { ErrorClass } from '../client/error-class.js';
import type { CallOptions } from '../client/hetzner-client.js';
import type { CreatedServer, Server } from '../client/records.js';
import type { Telemetry } from '../client/telemetry.js';
import { describePool, orderScope } from '../pool.js';
import type { Pool } from '../pool.js';
import type { Deletion } from '../release/deletion.js';
import type { Catalogue } from '../state/catalogue.js';
import { offerOf } from '../state/offer.js';
import type { ServerCache } from '../state/server-cache.js';
import type { Backoffs } from './backoffs.js';
import type { Completion } from './completion.js';
import type { Creation } from './creation.js';
import type { Images } from './images.js';
import type { OrderBook } from './order-book.js';
import type { Order } from './order.js';
import { serverBody } from './server-body.js';

const FAILED_LEVEL = 2;

/** Orders of one growth: what one of them learns spares the others the same refusal. */
export interface Batch {
  refusal: CloudFailure | null;
}

export interface FulfilmentParts {
  readonly configuration: HetznerConfiguration;
  readonly cache: ServerCache;
  readonly catalogue: Catalogue;
  readonly images: Images;
  readonly creation: Creation;
  readonly completion: Completion;
  readonly deletion: Deletion;
  readonly backoffs: Backoffs;
  readonly orders: OrderBook;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Bounds the creations that are on their way at one time, over all pools. */
  readonly creations: LimitFunction;
  /** Ends even a creation that is on the wire; later than everything else (see `Growth.cleanup`). */
  readonly hardStop: AbortSignal;
}

/** Takes one order from the first request to a running server, or to a failure that is told (`hetzner` 3.7). */
export class Fulfilment {
  constructor(private readonly parts: FulfilmentParts) {}

  /** Never throws. */
  async run(order: Order, pool: Pool, batch: Batch): Promise<void> {
    const timer = new AbortController();
    try {
      const created = await this.parts.creations(() => this.create(order, pool, batch, timer.signal));
      if (created === null) return;
      this.notePhase('create', order);
      order.signal.throwIfAborted();
      const server = await this.parts.completion.complete(order, pool, created);
      this.succeed(order, pool, server);
    } catch (error) {
      await this.giveUp(order, pool, error);
    } finally {
      timer.abort();
    }
  }

  /** Null: the order failed or is not wanted any more, and nothing was sent. */
  private async create(
    order: Order,
    pool: Pool,
    batch: Batch,
    settled: AbortSignal,
  ): Promise<CreatedServer | null> {
    const { configuration, catalogue, images, creation, cache, clock, hardStop } = this.parts;
    if (batch.refusal !== null) order.fail(batch.refusal, clock.now());
    if (order.failure !== null || order.signal.aborted) return null;
    this.expireAfter(order, configuration.creationTimeoutMs, settled);
    // The look-up is shared with other orders, so it does not end with this one.
    const lookUp: CallOptions = {
      signal: hardStop,
      deadlineMs: clock.now() + configuration.creationTimeoutMs,
    };
    const options: CallOptions = { ...lookUp, patience: order.signal };
    try {
      const type = catalogue.type(pool.configuration.serverType);
      const offer = offerOf(pool.configuration, type, clock.now());
      const image = await images.resolve(pool.configuration, offer, lookUp);
      const body = serverBody(pool, configuration, { serverType: offer.id, image: image.id });
      const created = await creation.create(order, body, options);
      cache.put(created.server);
      order.accept(created.server.id);
      return created;
    } catch (error) {
      if (stopsBatch(classOf(error))) batch.refusal ??= this.failureOf(error, order, pool);
      throw error;
    }
  }

  private expireAfter(order: Order, ms: number, settled: AbortSignal): void {
    this.parts.clock.sleep(ms, settled).then(
      () => order.end('expired'),
      () => undefined,
    );
  }

  private succeed(order: Order, pool: Pool, server: Server): void {
    const { cache, backoffs, orders, clock, telemetry } = this.parts;
    cache.put(server);
    backoffs.succeeded(orderScope(pool));
    orders.remove(order);
    const seconds = (clock.now() - order.orderedMs) / 1_000;
    this.notePhase('total', order);
    telemetry.logger.info(
      'hcloud-server-created',
      `server ${server.name} runs after ${Math.round(seconds)} s`,
      {
        pool: order.poolId,
        serverId: server.id,
      },
    );
  }

  private notePhase(phase: 'create' | 'total', order: Order): void {
    const seconds = (this.parts.clock.now() - order.orderedMs) / 1_000;
    this.parts.telemetry.metrics.observe('hcloud_server_create_duration_seconds', seconds, { phase });
  }

  private async giveUp(order: Order, pool: Pool, error: unknown): Promise<void> {
    const { deletion, orders, completion } = this.parts;
    if (order.ending === 'hands-off') return;
    if (order.ending === 'cancelled') {
      orders.remove(order);
      if (order.serverId !== null) deletion.dispose(order.serverId);
      return;
    }
    if (order.ending === 'expired' && order.serverId !== null) {
      try {
        // The last poll may be seconds old: what counts is the server itself (B10).
        const server = await completion.readIfComplete(order.serverId, pool);
        if (server !== null) return this.succeed(order, pool, server);
      } catch {
        // Nobody can tell, so nothing is deleted: the next list shows it, and how it fares.
        orders.remove(order);
        return;
      }
    }
    this.fail(order, pool, error);
  }

  private fail(order: Order, pool: Pool, error: unknown): void {
    const { backoffs, catalogue, clock, deletion, telemetry } = this.parts;
    const errorClass = classOf(error);
    const failure =
      order.ending === 'expired' ? this.timeout(error, order, pool) : this.failureOf(error, order, pool);
    if (errorClass === 'stockout') catalogue.distrust();
    backoffs.note(errorClass, failure, orderScope(pool));
    order.fail(failure, clock.now());
    if (order.serverId !== null) deletion.dispose(order.serverId);
    telemetry.metrics.add('hcloud_create_failures_total', 1, {
      pool: order.poolId,
      server_type: pool.configuration.serverType,
      location: pool.configuration.location,
      code: failure.code,
    });
    // Once a growth, and not once a server, the engine says it at level 0.
    telemetry.logger.warn('hcloud-create-failed', failure.message, {
      pool: order.poolId,
      code: failure.code,
      v: FAILED_LEVEL,
    });
  }

  private failureOf(error: unknown, order: Order, pool: Pool): CloudFailure {
    const failure = toFailure(error, describePool(pool.configuration));
    return isOpen(error, order) ? { ...failure, kind: 'unknown-outcome' } : failure;
  }

  private timeout(error: unknown, order: Order, pool: Pool): CloudFailure {
    const minutes = this.parts.configuration.creationTimeoutMs / 60_000;
    const message = `${describePool(pool.configuration)}: ${order.name} was not running after ${minutes} min`;
    return {
      kind: isOpen(error, order) ? 'unknown-outcome' : 'transient',
      code: 'create-timeout',
      message: `${message}; raise HCLOUD_SERVER_CREATION_TIMEOUT if it is slow`,
    };
  }
}

/** Whether a server may exist that was never named. */
function isOpen(error: unknown, order: Order): boolean {
  return error instanceof ApiError && error.outcome === 'unknown' && order.serverId === null;
}

function classOf(error: unknown): ErrorClass {
  if (error instanceof ApiError) return classify(error);
  return error instanceof CloudError && error.kind === 'configuration' ? 'config' : 'other';
}
