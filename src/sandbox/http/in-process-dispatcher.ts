import { Dispatcher, errors } from 'undici';
import type { Front } from '../world/front.js';
import type { WorldClock } from '../world/world-clock.js';
import { InProcessExchange } from './in-process-exchange.js';
import { sinkFor } from './response-sink.js';

export interface InProcessOptions {
  readonly clock: WorldClock;
  /** World time that every request takes to arrive. Default 0. */
  readonly latencyMs?: number;
}

/**
 * HTTP without sockets: an undici dispatcher that hands requests to fronts of the world. Works below undici's
 * `request`, `stream` and `fetch` and under interceptors. Answers are streamed chunk by chunk with back-pressure;
 * aborts reach the front; time-outs (`headersTimeout`, `bodyTimeout`, each 300 s unless set) run in world time.
 * An origin without a front refuses the connection.
 */
export class InProcessDispatcher extends Dispatcher {
  private readonly fronts = new Map<string, Front>();
  private readonly exchanges = new Set<InProcessExchange>();
  private closed = false;

  constructor(private readonly options: InProcessOptions) {
    super();
  }

  /** Lets the front answer for an origin such as `https://api.hetzner.cloud`. */
  mount(origin: string, front: Front): this {
    this.fronts.set(new URL(origin).origin, front);
    return this;
  }

  /** The origin refuses connections from now on. */
  unmount(origin: string): void {
    this.fronts.delete(new URL(origin).origin);
  }

  /** Requests under way, watches included. */
  get openExchanges(): number {
    return this.exchanges.size;
  }

  /** Cuts all connections, as a restarted server or a broken network would. */
  cutConnections(): void {
    for (const exchange of [...this.exchanges]) exchange.fail(new errors.SocketError('other side closed'));
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const front = this.fronts.get(originOf(options));
    if (this.closed || front === undefined) {
      this.refuse(options, handler);
      return true;
    }
    const { clock, latencyMs = 0 } = this.options;
    const exchange = new InProcessExchange({ front, clock, latencyMs }, options, handler, () => {
      this.exchanges.delete(exchange);
    });
    this.exchanges.add(exchange);
    exchange.start();
    return true;
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | undefined {
    this.closed = true;
    return settled(callback);
  }

  override destroy(error?: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(error?: Error | null | (() => void), callback?: () => void): Promise<void> | undefined {
    this.closed = true;
    const reason = error instanceof Error ? error : new errors.ClientDestroyedError();
    for (const exchange of [...this.exchanges]) exchange.fail(reason);
    return settled(typeof error === 'function' ? error : callback);
  }

  private refuse(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const ended = { already: false };
    const fail = (error: Error): void => {
      if (!ended.already) sink.error(error);
      ended.already = true;
    };
    const sink = sinkFor(handler, {
      onAbort: (reason) => fail(reason ?? new errors.RequestAbortedError()),
      onResume: () => undefined,
    });
    sink.start();
    const refusal = this.closed ? new errors.ClientClosedError() : connectionRefused(originOf(options));
    queueMicrotask(() => fail(refusal));
  }
}

function originOf(options: Dispatcher.DispatchOptions): string {
  return options.origin === undefined ? '' : new URL(options.origin).origin;
}

/** As Node.js reports a port where nobody listens. */
function connectionRefused(origin: string): Error {
  return Object.assign(new Error(`connect ECONNREFUSED ${origin}`), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
}

function settled(callback: (() => void) | undefined): Promise<void> | undefined {
  if (callback === undefined) return Promise.resolve();
  queueMicrotask(callback);
  return undefined;
}
