import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../../application/ports/clock.js';
import { ExchangeError, HttpExchange, exchangeDump, headerOf } from '../../cloud-http/index.js';
import type { HttpRequest, HttpResponse } from '../../cloud-http/index.js';
import type { HetznerConfiguration } from '../configuration/hetzner-configuration.js';
import { ApiError } from './api-error.js';
import { endpointLabel, requestUrl } from './api-request.js';
import type { ApiRequest } from './api-request.js';
import type { Telemetry } from './telemetry.js';

export interface ExchangeLimits {
  readonly signal: AbortSignal;
  /** Where shorter than the configured deadline. */
  readonly timeoutMs?: number;
}

/** One HTTP exchange with its deadline, metrics and debug log. No retries here. */
export class HttpTransport {
  private readonly http: HttpExchange;
  private inFlight = 0;

  constructor(
    private readonly configuration: HetznerConfiguration,
    dispatcher: Dispatcher,
    private readonly clock: Clock,
    private readonly telemetry: Telemetry,
  ) {
    this.http = new HttpExchange(dispatcher, clock);
  }

  /** Throws {@link ApiError} where no complete answer came; an error status is an answer. */
  async exchange(request: ApiRequest, attempt: number, limits: ExchangeLimits): Promise<HttpResponse> {
    const { apiTimeoutMs, endpoint, token } = this.configuration;
    const message: HttpRequest = {
      method: request.method,
      url: requestUrl(endpoint, request),
      token: token.reveal(),
      body: request.body === undefined ? null : JSON.stringify(request.body),
    };
    const timeoutMs = Math.min(limits.timeoutMs ?? Infinity, apiTimeoutMs);
    const startMs = this.clock.now();
    this.trackInFlight(1);
    try {
      const response = await this.http.send(message, { signal: limits.signal, timeoutMs });
      this.record(message, request.path, { attempt, startMs, response });
      return response;
    } catch (error) {
      this.record(message, request.path, { attempt, startMs, response: null });
      throw error instanceof ExchangeError ? asApiError(error) : error;
    } finally {
      this.trackInFlight(-1);
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
    request: HttpRequest,
    path: string,
    exchange: {
      readonly attempt: number;
      readonly startMs: number;
      readonly response: HttpResponse | null;
    },
  ): void {
    const { attempt, startMs, response } = exchange;
    const ms = this.clock.now() - startMs;
    const method = request.method.toLowerCase();
    const code = response === null ? 'error' : String(response.status);
    const { metrics, logger } = this.telemetry;
    metrics.add('hcloud_api_requests_total', 1, { code, method, api_endpoint: endpointLabel(request.url) });
    metrics.observe('hcloud_api_request_duration_seconds', ms / 1_000, { method });
    const message = `${request.method} ${path} ${code} in ${ms} ms`;
    logger.debug('hcloud-request', message, {
      attempt,
      correlationId: response === null ? null : headerOf(response, 'x-correlation-id'),
      rateLimitRemaining: response === null ? null : headerOf(response, 'ratelimit-remaining'),
    });
    logger.debug('hcloud-exchange', message, {
      v: 5,
      exchange: exchangeDump(request, response, hideSecrets),
    });
  }
}

function asApiError(error: ExchangeError): ApiError {
  const { code, message, outcome } = error;
  return new ApiError({ status: null, code, message, outcome }, { cause: error });
}

const SECRET_KEYS = new Set(['user_data', 'root_password']);

/** Size and a hash instead of boot scripts and passwords (`hetzner` 3.12). */
function hideSecrets(key: string, value: unknown): unknown {
  if (!SECRET_KEYS.has(key) || typeof value !== 'string') return value;
  const hash = createHash('sha256').update(value).digest('hex').slice(0, 12);
  return `<${Buffer.byteLength(value)} bytes, sha256:${hash}>`;
}
