import { request as send } from 'undici';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../../application/ports/clock.js';
import type { HetznerConfiguration } from '../configuration/hetzner-configuration.js';
import { ApiError } from './api-error.js';
import { endpointLabel, requestUrl } from './api-request.js';
import type { ApiRequest } from './api-request.js';
import { exchangeDump } from './exchange-log.js';
import { headerOf } from './parse-response.js';
import type { RawResponse } from './parse-response.js';
import type { Telemetry } from './telemetry.js';

const USER_AGENT = 'evenkeel/0.1.0';
/** A page of 50 servers is about 150 KiB; anything near this is no answer of the API. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

/** Node.js and undici codes of a connection that was never made: the request can't have been carried out. */
const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

export interface ExchangeLimits {
  readonly signal: AbortSignal;
  /** Where shorter than the configured deadline. */
  readonly timeoutMs?: number;
}

/** One HTTP exchange with its deadline, metrics and debug log. No retries here. */
export class HttpTransport {
  private inFlight = 0;

  constructor(
    private readonly configuration: HetznerConfiguration,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {}

  /** Throws {@link ApiError} where no complete answer came; an error status is an answer. */
  async exchange(request: ApiRequest, attempt: number, limits: ExchangeLimits): Promise<RawResponse> {
    const url = requestUrl(this.configuration.endpoint, request);
    const startMs = this.clock.now();
    this.trackInFlight(1);
    try {
      const response = await this.withDeadline(limits, (bounded) => this.roundTrip(url, request, bounded));
      this.record(url, request, { attempt, startMs, response });
      return response;
    } catch (error) {
      this.record(url, request, { attempt, startMs, response: null });
      throw error;
    } finally {
      this.trackInFlight(-1);
    }
  }

  private async roundTrip(url: string, request: ApiRequest, signal: AbortSignal): Promise<RawResponse> {
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const response = await send(url, {
      dispatcher: this.dispatcher,
      method: request.method,
      headers: {
        authorization: `Bearer ${this.configuration.token.reveal()}`,
        accept: 'application/json',
        'user-agent': USER_AGENT,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      body,
      signal,
      // The deadline bounds the whole exchange, on our own clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { status: response.statusCode, headers: response.headers, text: await readText(response.body) };
  }

  private async withDeadline<T>(
    limits: ExchangeLimits,
    work: (bounded: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { signal } = limits;
    const timeoutMs = Math.min(limits.timeoutMs ?? Infinity, this.configuration.apiTimeoutMs);
    const bounded = new AbortController();
    const done = new AbortController();
    let timedOut = false;
    const onAbort = (): void => bounded.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    this.clock.sleep(timeoutMs, done.signal).then(
      () => {
        timedOut = true;
        bounded.abort(new Error('deadline'));
      },
      () => undefined,
    );
    try {
      return await work(bounded.signal);
    } catch (error) {
      if (signal.aborted) throw aborted(error);
      throw timedOut ? timeout(timeoutMs, error) : connectionError(error);
    } finally {
      signal.removeEventListener('abort', onAbort);
      done.abort();
    }
  }

  private trackInFlight(change: number): void {
    this.inFlight += change;
    this.telemetry.metrics.set('hcloud_api_in_flight_requests', this.inFlight);
  }

  /**
   * differs from upstream: exchanges without an answer are counted too, with code `error`, so that an outage shows
   * in the metrics (B30).
   */
  private record(
    url: string,
    request: ApiRequest,
    exchange: {
      readonly attempt: number;
      readonly startMs: number;
      readonly response: RawResponse | null;
    },
  ): void {
    const { attempt, startMs, response } = exchange;
    const ms = this.clock.now() - startMs;
    const method = request.method.toLowerCase();
    const status = response === null ? 'error' : String(response.status);
    const { metrics, logger } = this.telemetry;
    metrics.add('hcloud_api_requests_total', 1, { code: status, method, api_endpoint: endpointLabel(url) });
    metrics.observe('hcloud_api_request_duration_seconds', ms / 1_000, { method });
    logger.debug('hcloud-request', `${request.method} ${request.path} ${status} in ${ms} ms`, {
      attempt,
      correlationId: response === null ? null : headerOf(response, 'x-correlation-id'),
      rateLimitRemaining: response === null ? null : headerOf(response, 'ratelimit-remaining'),
      exchange: exchangeDump(url, request, response),
    });
  }
}

async function readText(body: AsyncIterable<unknown> & { destroy(error?: Error): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const data = chunk as Buffer;
    bytes += data.byteLength;
    if (bytes > BODY_BYTES_MAX) {
      body.destroy();
      const message = `the answer is larger than ${BODY_BYTES_MAX} bytes`;
      throw new ApiError({ status: null, code: 'bad_response', message, outcome: 'unknown' });
    }
    chunks.push(data);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function connectionError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const code = (error as { code?: unknown }).code;
  const cause = error instanceof Error ? error.message : 'unknown cause';
  if (typeof code === 'string' && CONNECT_CODES.has(code)) {
    const message = `the API cannot be reached: ${cause}`;
    return new ApiError(
      { status: null, code: 'connect_failed', message, outcome: 'unsent' },
      { cause: error },
    );
  }
  const message = `the connection was lost before the answer: ${cause}`;
  return new ApiError(
    { status: null, code: 'connection_lost', message, outcome: 'unknown' },
    { cause: error },
  );
}

function timeout(ms: number, cause: unknown): ApiError {
  const message = `no answer within ${ms / 1_000} s`;
  return new ApiError({ status: null, code: 'timeout', message, outcome: 'unknown' }, { cause });
}

function aborted(cause: unknown): ApiError {
  return new ApiError(
    { status: null, code: 'aborted', message: 'the request was given up', outcome: 'unknown' },
    { cause },
  );
}
