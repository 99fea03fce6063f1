import type { CloudFailure, Instance } from '../../../src/domain/node-group/node-group.js';
import type { Machine } from './records.js';

export const PROVIDER_ID_PREFIX = 'tinycloud://';
/** A scheme that no node can have. */
const ORDER_ID_PREFIX = 'tinycloud-order://';

/** A list may show the account as it was so long ago: documented. */
const LAG_MS = 10_000;
/** After that an order without an answer will not show up any more: far longer than the lag and any request. */
const LOST_MS = 60_000;

/** A machine that was asked for and is not listed yet. */
export interface Order {
  /** Name of the machine to be: by it an order finds its machine when the answer was lost. */
  readonly name: string;
  readonly poolId: string;
  readonly orderedMs: number;
  /** Nobody wants it any more: the machine is deleted as soon as it is known. */
  cancelled: boolean;
  failure: CloudFailure | null;
}

/**
 * What the adapter knows: the last list, and what it did itself since then. All answers without I/O (rule C1) come from
 * here, and own writes show at once (C2).
 */
export class Fleet {
  private machines: ReadonlyMap<string, Machine> = new Map();
  /** Machines that an answer named, with its time: a list that lags can't know them. */
  private readonly newcomers = new Map<string, number>();
  /** Machines whose deletion is under way or accepted. */
  private readonly leaving = new Set<string>();
  private readonly orders = new Map<string, Order>();
  private listBegunMs = -Infinity;

  /** When the last good list was asked for. */
  get listedMs(): number {
    return this.listBegunMs;
  }

  byId(id: string): Machine | undefined {
    return this.machines.get(id);
  }

  byName(name: string): Machine | undefined {
    return [...this.machines.values()].find((machine) => machine.name === name);
  }

  order(name: string): Order | undefined {
    return this.orders.get(name);
  }

  isLeaving(id: string): boolean {
    return this.leaving.has(id);
  }

  /** In the order of the list, orders last. */
  instances(poolId: string): readonly Instance[] {
    const machines = [...this.machines.values()].filter(({ pool }) => pool === poolId);
    return [
      ...machines.map((machine) => toInstance(machine, this.leaving.has(machine.id))),
      ...this.ordersOf(poolId).map(toPlaceholder),
    ];
  }

  /** Oldest first, without cancelled ones and those whose machine is known already. */
  ordersOf(poolId: string): readonly Order[] {
    const open = [...this.orders.values()].filter((order) => order.poolId === poolId && !order.cancelled);
    return open.filter(({ name }) => this.byName(name) === undefined);
  }

  place(poolId: string, name: string, nowMs: number): Order {
    const order = { name, poolId, orderedMs: nowMs, cancelled: false, failure: null };
    this.orders.set(name, order);
    return order;
  }

  /** The cloud refused it: it leaves no trace. */
  drop(order: Order): void {
    this.orders.delete(order.name);
  }

  fulfil(order: Order, machine: Machine, nowMs: number): void {
    this.orders.delete(order.name);
    this.machines = new Map(this.machines).set(machine.id, machine);
    this.newcomers.set(machine.id, nowMs);
  }

  markLeaving(id: string): void {
    this.leaving.add(id);
  }

  unmarkLeaving(id: string): void {
    this.leaving.delete(id);
  }

  /** Takes over a list; returns machines of cancelled orders that turned up after all. */
  relist(list: readonly Machine[], begunMs: number, nowMs: number): readonly Machine[] {
    const next = new Map(list.map((machine) => [machine.id, machine]));
    for (const [id, sinceMs] of this.newcomers) {
      if (next.has(id) || sinceMs < begunMs - LAG_MS) this.newcomers.delete(id);
      else next.set(id, this.machines.get(id)!);
    }
    this.machines = next;
    this.listBegunMs = begunMs;
    for (const id of this.leaving) if (!next.has(id)) this.leaving.delete(id);
    return this.settleOrders(nowMs);
  }

  /** An order whose answer was lost: the list shows its machine, or after a while there is none. */
  private settleOrders(nowMs: number): readonly Machine[] {
    const unwanted: Machine[] = [];
    for (const order of this.orders.values()) {
      const machine = this.byName(order.name);
      if (machine !== undefined) {
        this.orders.delete(order.name);
        if (order.cancelled) unwanted.push(machine);
      } else if (nowMs - order.orderedMs > LOST_MS) {
        if (order.cancelled) this.orders.delete(order.name);
        order.failure ??= lost(order);
      }
    }
    return unwanted;
  }
}

/** The id of a node's `spec.providerID`, or null where it is none of Tinycloud's. */
export function machineIdOf(providerId: string): string | null {
  return providerId.startsWith(PROVIDER_ID_PREFIX) ? providerId.slice(PROVIDER_ID_PREFIX.length) : null;
}

export function orderNameOf(instanceId: string): string | null {
  return instanceId.startsWith(ORDER_ID_PREFIX) ? instanceId.slice(ORDER_ID_PREFIX.length) : null;
}

function toInstance({ id, name, status, createdMs }: Machine, isLeaving: boolean): Instance {
  const shared = { id: `${PROVIDER_ID_PREFIX}${id}`, name, createdMs, failure: null };
  if (isLeaving) return { ...shared, state: 'deleting' };
  if (status === 'running') return { ...shared, state: 'running' };
  const message = `machine ${name} failed to boot`;
  const failure = { kind: 'transient', code: 'boot_failed', message } as const;
  return { ...shared, state: 'creating', failure: status === 'failed' ? failure : null };
}

function toPlaceholder({ name, orderedMs, failure }: Order): Instance {
  return { id: `${ORDER_ID_PREFIX}${name}`, name, state: 'creating', createdMs: orderedMs, failure };
}

function lost({ name, poolId }: Order): CloudFailure {
  const message = `pool ${poolId}: the order of ${name} was not answered, and no such machine came`;
  return { kind: 'unknown-outcome', code: 'order_lost', message };
}
