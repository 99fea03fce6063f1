import type { CloudFailure } from '../../../domain/node-group/node-group.js';

/** Why work on an order ends before its time. */
export type OrderEnding =
  /** Nobody wants the machine any more. */
  | 'cancelled'
  /** The creation took too long. */
  | 'expired'
  /** Nothing may be written for it any more: the program ends, or a deletion took over. */
  | 'hands-off';

/** One machine on order, from the decision until it runs or has failed. */
export class Order {
  /** Null until the API has named a server. */
  serverId: number | null = null;
  failure: CloudFailure | null = null;
  failedMs: number | null = null;
  ending: OrderEnding | null = null;
  private readonly work = new AbortController();
  private markAnswered: () => void = () => undefined;
  /** Settles once a server is named or none will come. */
  readonly answered: Promise<void>;

  constructor(
    readonly poolId: string,
    /** Name of the server to be; also the key by which a lost answer is looked up. */
    public name: string,
    readonly orderedMs: number,
  ) {
    this.answered = new Promise((resolve) => {
      this.markAnswered = resolve;
    });
  }

  /** Aborted when work on the order has to end. */
  get signal(): AbortSignal {
    return this.work.signal;
  }

  accept(serverId: number): void {
    this.serverId = serverId;
    this.markAnswered();
  }

  fail(failure: CloudFailure, nowMs: number): void {
    this.failure = failure;
    this.failedMs = nowMs;
    this.markAnswered();
  }

  /** Work on it is over, however it ended. */
  settle(): void {
    this.markAnswered();
  }

  /** The first ending counts. */
  end(ending: OrderEnding): void {
    this.ending ??= ending;
    this.work.abort(new Error(`the order is ${this.ending}`));
  }
}
