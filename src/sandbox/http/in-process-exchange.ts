import { errors } from 'undici';
import type { Dispatcher } from 'undici';
import type { Front, FrontResponse } from '../world/front.js';
import type { ScheduledTask, WorldClock } from '../world/world-clock.js';
import { frontRequest } from './front-request.js';
import { requestHead, requestBody } from './dispatch-request.js';
import { sinkFor } from './response-sink.js';
import type { ResponseSink } from './response-sink.js';
import { untilAborted } from './until-aborted.js';

/** undici's own default for the time to the first header and between two chunks. */
const TIMEOUT_MS = 300_000;

export interface ExchangeOptions {
  readonly front: Front;
  readonly clock: WorldClock;
  readonly latencyMs: number;
}

/** One request and its answer, without a socket. Time-outs and latency run on the clock of the world. */
export class InProcessExchange {
  private readonly sink: ResponseSink;
  private readonly gone = new AbortController();
  private finished = false;
  private resume: (() => void) | null = null;
  private timeout: ScheduledTask | null = null;
  private lastProgressMs: number;

  constructor(
    private readonly options: ExchangeOptions,
    private readonly request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    private readonly onFinished: () => void,
  ) {
    this.lastProgressMs = options.clock.now();
    this.sink = sinkFor(handler, {
      onAbort: (reason) => this.fail(reason ?? new errors.RequestAbortedError()),
      onResume: () => this.wakeUp(),
    });
  }

  start(): void {
    this.sink.start();
    if (this.finished) return;
    this.watchSilence(this.request.headersTimeout ?? TIMEOUT_MS, () => new errors.HeadersTimeoutError());
    this.run().catch((error: unknown) => this.fail(asError(error)));
  }

  /** Ends the exchange with an error, unless it is over. */
  fail(error: Error): void {
    if (this.finished) return;
    this.finish();
    this.gone.abort(error);
    this.wakeUp();
    this.sink.error(error);
  }

  private async run(): Promise<void> {
    const { front, clock, latencyMs } = this.options;
    const body = await requestBody(this.request.body);
    if (latencyMs > 0) await clock.sleep(latencyMs, this.gone.signal);
    const response = await front.handle(frontRequest(requestHead(this.request), body, this.gone.signal));
    if (this.finished) return;
    if (response.cut === true) {
      this.fail(new errors.SocketError('other side closed'));
      return;
    }
    await this.answer(response);
  }

  private async answer(response: FrontResponse): Promise<void> {
    this.timeout?.cancel();
    this.watchSilence(this.request.bodyTimeout ?? TIMEOUT_MS, () => new errors.BodyTimeoutError());
    await this.untilTaken(this.sink.head(response.status, response.headers));
    if (typeof response.body === 'string') {
      if (response.body !== '' && this.request.method !== 'HEAD')
        await this.untilTaken(this.sink.data(response.body));
    } else {
      await this.stream(response.body);
    }
    if (!this.finished) this.end();
  }

  private end(): void {
    this.finish();
    try {
      this.sink.end();
    } catch (error) {
      // Interceptors say in this way that they do not like the answer; undici hands it back to them as a failure.
      this.sink.error(asError(error));
    }
  }

  private async stream(body: AsyncIterable<string>): Promise<void> {
    try {
      for await (const chunk of untilAborted(body, this.gone.signal)) {
        this.lastProgressMs = this.options.clock.now();
        await this.untilTaken(this.sink.data(chunk));
      }
    } catch (error) {
      // The service broke off in the middle: to the client that is a connection that ended too early.
      this.fail(Object.assign(new errors.SocketError('other side closed'), { cause: error }));
    }
  }

  /** Back-pressure: waits until the client reads on, or is gone. */
  private async untilTaken(takesMore: boolean): Promise<void> {
    if (takesMore || this.finished) return;
    await new Promise<void>((resolve) => {
      this.resume = resolve;
    });
  }

  private wakeUp(): void {
    const resume = this.resume;
    this.resume = null;
    resume?.();
  }

  /**
   * One timer for many chunks: when it rings it looks how long the silence really was. Zero means never. While the
   * client takes nothing, the silence is its own, and undici does not count it.
   */
  private watchSilence(limitMs: number, failure: () => Error): void {
    if (limitMs <= 0 || this.finished) return;
    this.lastProgressMs = this.options.clock.now();
    const check = (): void => {
      if (this.resume !== null) this.lastProgressMs = this.options.clock.now();
      const leftMs = this.lastProgressMs + limitMs - this.options.clock.now();
      if (leftMs <= 0) this.fail(failure());
      else this.timeout = this.options.clock.schedule(leftMs, check);
    };
    this.timeout = this.options.clock.schedule(limitMs, check);
  }

  private finish(): void {
    this.finished = true;
    this.timeout?.cancel();
    this.onFinished();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
