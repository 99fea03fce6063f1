import { inject, injectable } from 'inversify';
import type { Dispatcher } from 'undici';
import { Clock } from '../../../application/ports/clock.js';
import { Random } from '../../../application/ports/random.js';
import { HetznerConfiguration } from '../configuration/hetzner-configuration.js';
import { ApiError } from './api-error.js';
import type { ApiRequest } from './api-request.js';
import { HetznerDispatcher } from './dispatcher.js';
import { classify } from './error-class.js';
import { HttpTransport } from './http-transport.js';
import { parseResponse } from './parse-response.js';
import { RateBudget } from './rate-budget.js';
import { Telemetry } from './telemetry.js';

/** Numbers of the Go client: 5 retries, full jitter from 1 s, doubling, at most 60 s. */
const RETRIES_MAX = 5;
const BACKOFF_MS_BASE = 1_000;
const BACKOFF_MS_MAX = 60_000;
/** Refusals for lack of budget: paced at least a second apart, so bounded by the caller's deadline before this. */
const THROTTLES_MAX = 600;

export interface CallOptions {
  readonly signal: AbortSignal;
  /** No retry is begun that would start after this time. */
  readonly deadlineMs?: number;
  /** Instead of the usual number. */
  readonly retriesMax?: number;
  /** Deadline of one exchange, where it is shorter than the configured one. */
  readonly timeoutMs?: number;
  /** Ends waiting between attempts, but lets an exchange under way finish. */
  readonly patience?: AbortSignal;
  /** Told of each failure after which the call is made again. */
  readonly onRetry?: (failure: ApiError) => void;
}

export type ResponseBody = Readonly<Record<string, unknown>>;

/** Calls with retries, backoff and request budget. Throws {@link ApiError} only. */
@injectable()
export class HetznerClient {
  readonly budget: RateBudget;
  private readonly transport: HttpTransport;

  constructor(
    @inject(HetznerConfiguration) configuration: HetznerConfiguration,
    @inject(HetznerDispatcher) dispatcher: Dispatcher,
    @inject(Clock) private readonly clock: Clock,
    @inject(Random) private readonly random: Random,
    @inject(Telemetry) private readonly telemetry: Telemetry,
  ) {
    this.budget = new RateBudget(clock, random, configuration.rateLimitReserve);
    this.transport = new HttpTransport(configuration, dispatcher, clock, telemetry);
  }

  async call(request: ApiRequest, options: CallOptions): Promise<ResponseBody> {
    const patience = options.patience ?? options.signal;
    let retries = 0;
    let throttles = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.wait(patience, () => this.budget.admit(patience));
        return await this.attempt(request, attempt, options);
      } catch (error) {
        const failure = asApiError(error, options.signal);
        const throttled = classify(failure) === 'throttle';
        if (throttled ? ++throttles > THROTTLES_MAX : !isRetried(request, failure)) throw failure;
        if (!throttled && ++retries > (options.retriesMax ?? RETRIES_MAX)) throw failure;
        const leftMs = (options.deadlineMs ?? Infinity) - this.clock.now();
        if (leftMs <= 0 || (throttled && this.budget.turnInMs() >= leftMs)) throw failure;
        options.onRetry?.(failure);
        // The last attempt is made at the deadline rather than not at all.
        const waitMs = Math.min(leftMs, this.backoffMs(retries));
        if (!throttled) await this.wait(patience, () => this.clock.sleep(waitMs, patience));
      }
    }
  }

  private async attempt(request: ApiRequest, attempt: number, options: CallOptions): Promise<ResponseBody> {
    const response = await this.transport.exchange(request, attempt, options);
    this.budget.observe(response);
    const remaining = this.budget.remainingNow();
    if (remaining !== null) this.telemetry.metrics.set('hcloud_api_rate_limit_remaining', remaining);
    try {
      return parseResponse(response);
    } catch (error) {
      if (error instanceof ApiError && classify(error) === 'throttle')
        this.budget.exhausted(error.retryAfterMs);
      throw error;
    }
  }

  private backoffMs(retry: number): number {
    return this.random.next() * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_BASE * 2 ** (retry - 1));
  }

  private async wait(patience: AbortSignal, pause: () => Promise<void>): Promise<void> {
    try {
      patience.throwIfAborted();
      await pause();
    } catch (error) {
      throw asApiError(error, patience);
    }
  }
}

function isRetried(request: ApiRequest, error: ApiError): boolean {
  if (classify(error) !== 'retry') return false;
  return request.idempotent || error.outcome !== 'unknown';
}

/** A wait that the caller aborted rejects with the signal's reason; anything else that is no ApiError is a bug. */
function asApiError(error: unknown, signal: AbortSignal): ApiError {
  if (error instanceof ApiError) return error;
  if (!signal.aborted) throw error;
  return new ApiError(
    { status: null, code: 'aborted', message: 'the request was given up', outcome: 'unsent' },
    { cause: error },
  );
}
