import type { Clock } from '../../../application/ports/clock.js';
import type { Random } from '../../../application/ports/random.js';
import { ApiError } from '../client/api-error.js';
import { classify } from '../client/error-class.js';
import type { HetznerApi } from '../client/hetzner-api.js';
import type { CallOptions } from '../client/hetzner-client.js';
import type { CreatedServer, Server } from '../client/records.js';
import { CLUSTER_LABEL, POOL_LABEL } from '../labels.js';
import type { OrderBook } from './order-book.js';
import type { Order } from './order.js';

/** `hetzner` 2.6: looks for a server whose creation was not answered. */
const LOOK_UPS = 2;
const LOOK_UP_PAUSE_MS = 5_000;
/** One new attempt with the same name after an unknown outcome. */
const UNKNOWN_OUTCOMES_MAX = 2;
/** 64 random bits never collide twice; more means that something else is wrong. */
const NAMES_MAX = 3;

export function newServerName(poolId: string, random: Random): string {
  return `${poolId}-${random.hex(16)}`;
}

/**
 * Orders one server so that it is never bought twice: the name, unique in the project, is the key by which a server
 * is found again whose creation was not answered (`hetzner` 2.6, B12).
 */
export class Creation {
  constructor(
    private readonly api: HetznerApi,
    private readonly orders: OrderBook,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /**
   * `body` is the request without the name. Throws {@link ApiError}; outcome `unknown` where even the look-ups did
   * not tell.
   */
  async create(
    order: Order,
    body: { readonly labels: Readonly<Record<string, string>> } & Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<CreatedServer> {
    let unknownOutcomes = 0;
    let names = 1;
    for (;;) {
      try {
        return await this.api.createServer({ name: order.name, ...body }, options);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const isTaken = classify(error) === 'adopt';
        if (!isTaken && error.outcome !== 'unknown') throw error;
        const adopted = await this.lookUp(order.name, body.labels, isTaken ? 1 : LOOK_UPS, options).catch(
          () => {
            // Where even the look-up fails, what is known is the first error.
            throw error;
          },
        );
        if (adopted !== null) return { server: adopted, actions: [] };
        if (isTaken) {
          if (++names > NAMES_MAX) throw error;
          this.orders.rename(order, newServerName(order.poolId, this.random));
        } else if (++unknownOutcomes >= UNKNOWN_OUTCOMES_MAX || options.patience?.aborted === true) {
          throw error;
        }
      }
    }
  }

  private async lookUp(
    name: string,
    labels: Readonly<Record<string, string>>,
    times: number,
    options: CallOptions,
  ): Promise<Server | null> {
    for (let look = 1; ; look++) {
      const server = await this.api.serverByName(name, options);
      if (server !== null) return isOurs(server, labels) ? server : null;
      if (look >= times) return null;
      await this.clock.sleep(LOOK_UP_PAUSE_MS, options.patience ?? options.signal);
    }
  }
}

function isOurs(server: Server, labels: Readonly<Record<string, string>>): boolean {
  return [POOL_LABEL, CLUSTER_LABEL].every((key) => server.labels.get(key) === labels[key]);
}
