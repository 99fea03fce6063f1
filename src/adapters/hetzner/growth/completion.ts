import type { Clock } from '../../../application/ports/clock.js';
import { ApiError } from '../client/api-error.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { CallOptions } from '../client/hetzner-client.js';
import type { Action, CreatedServer, Server } from '../client/records.js';
import type { Pool } from '../pool.js';
import type { ActionPoller } from './action-poller.js';
import type { Order } from './order.js';
import { needsAttach } from './server-body.js';

/** Between two looks at a server whose actions are not known. */
const LOOK_INTERVAL_MS = 5_000;
/** The server is locked while a firewall is applied (B38); the order's deadline ends this, not the count. */
const RETRIES_MAX = 1_000;
/** For the last look at a server whose time is over. */
const LAST_LOOK_MS = 10_000;

/** All that follows the creation: actions, network, power. Safe to repeat. */
export class Completion {
  constructor(
    private readonly api: HetznerApi,
    private readonly poller: ActionPoller,
    private readonly clock: Clock,
    private readonly lifetime: AbortSignal,
  ) {}

  /** The running server. Throws {@link ApiError}, or the reason of the order's signal. */
  async complete(order: Order, pool: Pool, created: CreatedServer): Promise<Server> {
    let server = await this.afterActions(created, order.signal);
    const { networkId } = pool.resources;
    const subnet = pool.configuration.subnetIpRange;
    if (networkId !== null && subnet !== null) {
      if (!server.networks.includes(networkId)) {
        const body = { network: networkId, ip_range: subnet };
        await this.step(order, (options) => this.api.attachToNetwork(server.id, body, options));
        server = { ...server, networks: [...server.networks, networkId] };
      }
      await this.step(order, (options) => this.api.powerOn(server.id, options));
    } else if (server.status === 'off') {
      await this.step(order, (options) => this.api.powerOn(server.id, options));
    }
    return { ...server, status: 'running', locked: false };
  }

  /** The server, if it runs as it should after all; null if not, or if there is none. Throws where it can't be read. */
  async readIfComplete(serverId: number, pool: Pool): Promise<Server | null> {
    const { networkId } = pool.resources;
    const server = await this.api.server(serverId, { signal: this.lifetime, timeoutMs: LAST_LOOK_MS });
    if (server?.status !== 'running') return null;
    const attached = !needsAttach(pool) || networkId === null || server.networks.includes(networkId);
    return attached ? server : null;
  }

  /** Every action of the creation counts: a failed follow-up leaves a server that is paid for and off (U074). */
  private async afterActions(created: CreatedServer, signal: AbortSignal): Promise<Server> {
    const certain = await Promise.all(created.actions.map((action) => this.awaitAction(action, signal)));
    if (certain.length === 0 || certain.includes(false)) return this.untilSettled(created.server.id, signal);
    const started = created.actions.some((action) => action.command === 'start_server');
    return { ...created.server, status: started ? 'running' : created.server.status };
  }

  private async step(order: Order, send: (options: CallOptions) => Promise<Action | null>): Promise<void> {
    const action = await send({ signal: order.signal, retriesMax: RETRIES_MAX });
    if (action !== null) await this.awaitAction(action, order.signal);
  }

  /** False: the API no longer knows how it ended. */
  private async awaitAction(action: Action, signal: AbortSignal): Promise<boolean> {
    const outcome = await this.poller.wait(action, signal);
    if (outcome.kind === 'error') {
      const message = `${action.command} failed: ${outcome.message}`;
      throw new ApiError({ status: null, code: outcome.code, message, outcome: 'refused' });
    }
    return outcome.kind === 'success';
  }

  private async untilSettled(serverId: number, signal: AbortSignal): Promise<Server> {
    for (;;) {
      const server = await this.api.server(serverId, { signal, retriesMax: RETRIES_MAX });
      if (server === null) {
        const message = `server ${serverId} vanished while it was created`;
        throw new ApiError({ status: 404, code: 'not_found', message, outcome: 'refused' });
      }
      if (!server.locked && !['initializing', 'starting'].includes(server.status)) return server;
      await this.clock.sleep(LOOK_INTERVAL_MS, signal);
    }
  }
}
