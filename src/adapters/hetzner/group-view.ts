import type { Clock } from '../../application/ports/clock.js';
import type { Instance, NodeGroup } from '../../domain/node-group/node-group.js';
import type { PoolConfiguration } from './configuration/hetzner-configuration.js';
import { isPlaceholder } from './growth/order-book.js';
import type { OrderBook } from './growth/order-book.js';
import type { Order } from './growth/order.js';
import type { Server } from './client/records.js';
import { POOL_LABEL } from './labels.js';
import { instanceIdOf, isOddProviderId, pendingIdOf } from './state/match-node.js';
import type { NodeSightings } from './state/node-sightings.js';
import type { ServerCache } from './state/server-cache.js';
import { serverState } from './state/server-state.js';
import type { ServerState } from './state/server-state.js';

/** Machines of one pool, counted from the same moment's servers and orders, so that they always agree (B07). */
export interface PoolSize {
  /** Asked for: servers that are not being deleted, and placeholders. */
  readonly target: number;
  readonly servers: number;
}

/** Servers and orders as the engine sees them: groups, instances, target sizes. Without I/O. */
export class GroupView {
  constructor(
    private readonly cache: ServerCache,
    private readonly orders: OrderBook,
    private readonly sightings: NodeSightings,
    private readonly clock: Clock,
    private readonly creationTimeoutMs: number,
  ) {}

  groups(pools: readonly PoolConfiguration[]): readonly NodeGroup[] {
    const serversByPool = new Map<string, Server[]>(pools.map((pool) => [pool.id, []]));
    for (const server of this.cache.all())
      serversByPool.get(server.labels.get(POOL_LABEL) ?? '')?.push(server);
    return pools.map((pool) => this.group(pool, serversByPool.get(pool.id) ?? []));
  }

  size(poolId: string): PoolSize {
    return this.count(this.cache.inPool(poolId), this.orders.placeholders(poolId));
  }

  /** State of one server of ours. */
  stateOf(server: Server): ServerState {
    const order = this.orders.byName(server.name);
    const hasNode = this.sightings.of(server.name) !== undefined;
    return serverState(server.status, {
      deletionAccepted: this.cache.isDeletionAccepted(server.id),
      orderInFlight: order !== undefined && order.failure === null,
      hasNode: hasNode || (this.sightings.isComplete() ? false : null),
      ageMs: server.createdMs === null ? null : this.clock.now() - server.createdMs,
      creationTimeoutMs: this.creationTimeoutMs,
    });
  }

  private group(pool: PoolConfiguration, servers: readonly Server[]): NodeGroup {
    const placeholders = this.orders.placeholders(pool.id);
    return {
      id: pool.id,
      minSize: pool.minSize,
      maxSize: pool.maxSize,
      targetSize: this.count(servers, placeholders).target,
      instances: [
        ...servers.filter((server) => !this.isHidden(server)).map((server) => this.instance(server)),
        ...placeholders.map(placeholderInstance),
      ],
      options: pool.options,
    };
  }

  private count(servers: readonly Server[], placeholders: readonly Order[]): PoolSize {
    const living = servers.filter((server) => !this.isHidden(server) && this.isWanted(server));
    return { target: living.length + placeholders.length, servers: living.length };
  }

  private isWanted(server: Server): boolean {
    return server.status !== 'deleting' && !this.cache.isDeletionAccepted(server.id);
  }

  /** A placeholder stands for it: the engine must see exactly one of both. */
  private isHidden(server: Server): boolean {
    const order = this.orders.byName(server.name);
    return order !== undefined && isPlaceholder(order);
  }

  private instance(server: Server): Instance {
    const { state, failure } = this.stateOf(server);
    const described =
      failure === null ? null : { ...failure, message: `server ${server.name}: ${failure.message}` };
    return {
      id: this.instanceId(server),
      name: server.name,
      state,
      createdMs: server.createdMs,
      failure: described,
    };
  }

  /** The provider id that its node really has: an odd one must not make it look as if it never joined (U005). */
  private instanceId(server: Server): string {
    const providerId = this.sightings.of(server.name)?.providerId ?? '';
    return isOddProviderId(providerId) ? providerId : instanceIdOf(server.id);
  }
}

function placeholderInstance(order: Order): Instance {
  return {
    id: pendingIdOf(order.poolId, order.name),
    name: order.name,
    state: 'creating',
    createdMs: order.orderedMs,
    failure: order.failure,
  };
}
