import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { GrowthResult } from '../../../application/ports/cloud-provider.js';
import type { Clock } from '../../../application/ports/clock.js';
import type { Random } from '../../../application/ports/random.js';
import type { CloudFailure } from '../../../domain/node-group/node-group.js';
import type { Pool } from '../pool.js';
import { newServerName } from './creation.js';
import type { Batch, Fulfilment } from './fulfilment.js';
import type { OrderBook } from './order-book.js';
import { Order } from './order.js';

/**
 * How long a growth waits for the API's answers to its orders. Long enough for a refusal (stock-out, quota) to come
 * back as the result, so that the engine tries the next pool in the same loop; short against the loop's interval.
 */
const ANSWER_WAIT_MS = 5_000;
/** In the blocking mode; the creation timeout ends each order long before. */
const MACHINE_WAIT_MS = 60 * 60_000;
/** At exit, for creations on the wire: they are the only requests that can't be repeated. */
const FINISH_WAIT_MS = 5_000;

const ABANDONED: CloudFailure = { kind: 'transient', code: 'aborted', message: 'the growth was given up' };

/** Grows pools in the background: orders are placeholders until the API names their servers (`hetzner` 3.7b). */
export class Growth {
  private readonly running = new Map<Order, Promise<void>>();

  constructor(
    private readonly orders: OrderBook,
    private readonly fulfilment: Fulfilment,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly options: { readonly waitsForMachines: boolean; readonly hardStop: AbortController },
  ) {}

  /**
   * Orders `count` machines and waits a short while for the API's answers. What was refused by then is in the result
   * and leaves no placeholder; what fails later shows as a failed instance. Reserves before it waits for anything.
   * `signal` counts until this settles; after that the work ends with {@link cleanup}.
   */
  async increase(pool: Pool, count: number, signal: AbortSignal): Promise<GrowthResult> {
    const placed = Array.from({ length: count }, () => this.place(pool));
    const work = this.fulfil(placed, pool);
    const answers = Promise.all(placed.map((order) => order.answered));
    await this.waitFor(this.options.waitsForMachines ? work : answers, signal);
    if (signal.aborted) this.abandon(placed);
    return this.collect(placed);
  }

  /** Nothing new is sent from here on; creations on the wire get a few seconds to be answered. */
  async cleanup(): Promise<void> {
    // Those behind a scout are in the book, but not at work yet.
    for (const order of [...this.running.keys(), ...this.orders.all()]) order.end('hands-off');
    const stop = new AbortController();
    const patience = this.clock.sleep(FINISH_WAIT_MS, stop.signal).catch(() => undefined);
    await Promise.race([Promise.all(this.running.values()), patience]);
    stop.abort();
    this.options.hardStop.abort(new Error('the program ends'));
    await Promise.all(this.running.values());
  }

  private place(pool: Pool): Order {
    const { id } = pool.configuration;
    const order = new Order(id, newServerName(id, this.random), this.clock.now());
    this.orders.add(order);
    return order;
  }

  /** One scout first: a refusal costs one request and not as many as machines are wanted. Never rejects. */
  private async fulfil(placed: readonly Order[], pool: Pool): Promise<void> {
    const batch: Batch = { refusal: null };
    const [scout, ...rest] = placed;
    if (scout === undefined) return;
    const scouting = this.run(scout, pool, batch);
    await scout.answered;
    await Promise.all([scouting, ...rest.map((order) => this.run(order, pool, batch))]);
  }

  private run(order: Order, pool: Pool, batch: Batch): Promise<void> {
    const work = this.fulfilment.run(order, pool, batch).finally(() => {
      const neverSent = order.ending === 'hands-off' && order.serverId === null;
      if (neverSent && order.failure === null) order.fail(ABANDONED, this.clock.now());
      order.settle();
      this.running.delete(order);
    });
    this.running.set(order, work);
    return work;
  }

  /** Until the work is done, the time is over, or the caller gives up. */
  private async waitFor(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const onAbort = (): void => stop.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const waitMs = this.options.waitsForMachines ? MACHINE_WAIT_MS : ANSWER_WAIT_MS;
    await Promise.race([work, this.clock.sleep(waitMs, stop.signal).catch(() => undefined)]);
    signal.removeEventListener('abort', onAbort);
    stop.abort();
  }

  /** The caller may not write any more: what no server is known for is left to the next owner. */
  private abandon(placed: readonly Order[]): void {
    for (const order of placed) {
      if (order.serverId !== null) continue;
      order.end('hands-off');
      if (order.failure === null) order.fail(ABANDONED, this.clock.now());
    }
  }

  private collect(placed: readonly Order[]): GrowthResult {
    const failed = placed.filter((order) => order.failure !== null);
    for (const order of failed) this.orders.remove(order);
    const failure = failed[0]?.failure ?? null;
    if (failure !== null && failed.length === placed.length) throw new CloudError(failure);
    return { accepted: placed.length - failed.length, failure };
  }
}
