import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { ServerCache } from '../state/server-cache.js';
import type { Order } from './order.js';

/** A failed order that nobody collects is dropped then (`hetzner` 3.7b). */
const FAILED_ORDER_MS_MAX = 10 * 60_000;

/** All machines on order, and the failed ones until they are collected. Bounded by the pools' maximum sizes. */
export class OrderBook {
  private readonly orders = new Map<string, Order>();

  add(order: Order): void {
    this.orders.set(order.name, order);
  }

  /** The name was taken by somebody else. */
  rename(order: Order, name: string): void {
    this.orders.delete(order.name);
    order.name = name;
    this.orders.set(name, order);
  }

  remove(order: Order): void {
    if (this.orders.get(order.name) === order) this.orders.delete(order.name);
  }

  byName(name: string): Order | undefined {
    return this.orders.get(name);
  }

  all(): IterableIterator<Order> {
    return this.orders.values();
  }

  /** Those that stand for a machine that no server stands for: not named yet, or failed. In order of ordering. */
  placeholders(poolId: string): readonly Order[] {
    return [...this.orders.values()].filter((order) => order.poolId === poolId && isPlaceholder(order));
  }

  /**
   * Cancels the youngest `count` orders of a pool that no server exists for. Throws, and cancels none, where there
   * are fewer.
   */
  cancelYoungest(poolId: string, count: number, size: { target: number; servers: number }): void {
    const open = this.placeholders(poolId).filter((order) => order.failure === null);
    if (count < 1 || open.length < count) {
      throw new CloudError({
        kind: 'configuration',
        code: 'existing-nodes',
        message:
          `attempt to delete existing nodes targetSize:${size.target} delta:-${count} ` +
          `existingNodes:${size.servers}`,
      });
    }
    for (const order of open.slice(-count)) {
      order.end('cancelled');
      this.remove(order);
    }
  }

  /** Drops what nobody collects, and what turned up as a server after all (a creation whose answer was lost). */
  reconcile(cache: ServerCache, nowMs: number): void {
    for (const order of this.orders.values()) {
      if (order.failedMs === null) continue;
      const turnedUp = order.serverId === null && cache.byName(order.name) !== undefined;
      if (turnedUp || nowMs - order.failedMs > FAILED_ORDER_MS_MAX) this.remove(order);
    }
  }
}

export function isPlaceholder(order: Order): boolean {
  return order.serverId === null || order.failure !== null;
}
