import { ExchangeError, HttpExchange, exchangeDump } from '../../cloud-http/index.js';
import type { HttpRequest, HttpResponse } from '../../cloud-http/index.js';
import type { AnswerReader } from './answers.js';
import type { ClientParts } from './client-parts.js';
import { REQUESTS_MAX } from './dispatcher.js';
import { RequestQueue } from './request-queue.js';
import { TOKEN_INCIDENT } from './telemetry.js';
import { UthoError } from './utho-error.js';
import type { UthoErrorClass } from './utho-error.js';
import { callUrl } from './utho-request.js';
import type { UthoCall, UthoWrite } from './utho-request.js';

export type UthoRequest = UthoWrite | (UthoCall & { readonly method: 'GET'; readonly body?: undefined });

export interface ExchangeOptions {
  readonly signal: AbortSignal;
  /** From 1. */
  readonly attempt: number;
}

/** One request and its answer, with metrics and debug log. No retries here. Throws {@link UthoError} only. */
export class UthoTransport {
  private readonly http: HttpExchange;
  private readonly queue = new RequestQueue(REQUESTS_MAX);
  private inFlight = 0;

  constructor(private readonly parts: ClientParts) {
    this.http = new HttpExchange(parts.dispatcher, parts.clock);
  }

  /** `read` judges and decodes the answer. */
  async exchange<T>(call: UthoRequest, read: AnswerReader<T>, options: ExchangeOptions): Promise<T> {
    const url = callUrl(this.parts.configuration.apiUrl, call);
    return this.queue.run(options.signal, () => this.send(url, call, read, options));
  }

  private async send<T>(
    url: string,
    call: UthoRequest,
    read: AnswerReader<T>,
    options: ExchangeOptions,
  ): Promise<T> {
    const request = httpRequest(url, call, this.token());
    const record = this.begin(call.endpoint, request, options.attempt);
    const what = `${call.method} ${url}`;
    let response: HttpResponse | null = null;
    let result: UthoErrorClass | 'success' = 'api';
    try {
      response = await this.http.send(request, { signal: options.signal, timeoutMs: this.timeoutMs(call) });
      const answer = read(response, what);
      result = 'success';
      return answer;
    } catch (error) {
      const failure = asUthoError(error, what);
      result = failure.class;
      throw failure;
    } finally {
      record(response, result);
    }
  }

  private token(): string {
    const { configuration, telemetry } = this.parts;
    const value = configuration.token.reveal();
    const { problem } = configuration.token;
    if (problem === null) telemetry.incidents.over(TOKEN_INCIDENT);
    else telemetry.incidents.happened(TOKEN_INCIDENT, problem);
    return value;
  }

  private timeoutMs(call: UthoRequest): number {
    const { read, write } = this.parts.configuration.requestTimeoutMs;
    return call.method === 'GET' ? read : write;
  }

  /** Gives what is to be called at the end of the exchange, with the answer if one came. */
  private begin(
    endpoint: string,
    request: HttpRequest,
    attempt: number,
  ): (response: HttpResponse | null, errorClass: UthoErrorClass | 'success') => void {
    const { clock, telemetry } = this.parts;
    const { metrics, logger } = telemetry;
    const startMs = clock.now();
    this.trackInFlight(1);
    return (response, errorClass) => {
      const ms = clock.now() - startMs;
      this.trackInFlight(-1);
      metrics.add('utho_api_requests_total', 1, { endpoint, class: errorClass });
      metrics.observe('utho_api_request_duration_seconds', ms / 1_000, { endpoint });
      const status = response === null ? 'no answer' : String(response.status);
      const message = `${request.method} ${request.url} ${status} in ${ms} ms: ${errorClass}`;
      logger.debug('utho-request', message, { attempt });
      logger.debug('utho-exchange', message, { v: 5, exchange: exchangeDump(request, response) });
    };
  }

  private trackInFlight(change: number): void {
    this.inFlight += change;
    this.parts.telemetry.metrics.set('utho_api_in_flight_requests', this.inFlight);
  }
}

function httpRequest(url: string, call: UthoRequest, token: string): HttpRequest {
  return {
    method: call.method,
    url,
    token,
    body: call.body === undefined ? null : JSON.stringify(call.body),
  };
}

function asUthoError(error: unknown, what: string): UthoError {
  if (error instanceof UthoError) return error;
  if (!(error instanceof ExchangeError)) throw error;
  const { code, outcome } = error;
  const message = `${what}: ${error.message}`;
  return new UthoError({ class: 'transient', code, message, outcome, status: null }, { cause: error });
}
