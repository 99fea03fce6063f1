import type { Dispatcher } from 'undici';
import type { Clock } from '../../../application/ports/clock.js';
import { ApiUnreachableError, statusError } from './api-error.js';
import type { Credentials } from './credentials.js';
import { Lifetime } from './lifetime.js';
import type { TokenBucket } from './token-bucket.js';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** Longest wait for the answer; default 30 s. */
  readonly timeoutMs?: number;
  /** Not counted by the rate limit: the next page of a list that was. */
  readonly unlimited?: boolean;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One finished request, for metrics. `code` is the status, or `<error>` without one. */
export interface Exchange {
  readonly method: string;
  readonly code: string;
  readonly durationMs: number;
}

export interface ApiTransportOptions {
  readonly server: URL;
  readonly dispatcher: Dispatcher;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly limit: TokenBucket;
  readonly userAgent: string;
  readonly onExchange?: (exchange: Exchange) => void;
}

const TIMEOUT_MS = 30_000;
/** Answers read as a whole are single objects, of 1.5 MiB at most by default of etcd, and the pods of one node. */
const BODY_BYTES_MAX = 16 * 1024 * 1024;

/** HTTP to one API server: credentials, one retry after a 401, rate limit, time limits on the injected clock. */
export class ApiTransport {
  constructor(private readonly options: ApiTransportOptions) {}

  get host(): string {
    return this.options.server.host;
  }

  /**
   * Sends, and reads the whole answer, whatever its status.
   * @throws ApiUnreachableError, or the signal's reason
   */
  async send(request: ApiRequest): Promise<ApiAnswer> {
    const stream = await this.open(request);
    return { status: stream.status, headers: stream.headers, body: await stream.text() };
  }

  /**
   * Sends, and gives the answer as a stream. The caller must read it, to its end or until it
   * has had enough: leaving the loop drops the connection.
   * @throws ApiUnreachableError, or the signal's reason
   */
  async open(request: ApiRequest): Promise<ApiStream> {
    const { credentials, limit } = this.options;
    if (request.unlimited !== true) await limit.take(request.signal);
    const first = await this.exchange(request, (await credentials.current()).headers);
    if (first.status !== 401) return first;
    await first.text();
    return this.exchange(request, (await credentials.renew()).headers);
  }

  private async exchange(
    request: ApiRequest,
    authentication: Readonly<Record<string, string>>,
  ): Promise<ApiStream> {
    const { server, dispatcher, clock, userAgent } = this.options;
    const lifetime = new Lifetime(clock, request.signal);
    lifetime.limitSilence(request.timeoutMs ?? TIMEOUT_MS);
    const startMs = clock.now();
    try {
      const response = await dispatcher.request({
        origin: server.origin,
        path: `${server.pathname.replace(/\/+$/, '')}${request.path}`,
        method: request.method,
        headers: {
          Accept: 'application/json',
          'User-Agent': userAgent,
          ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
          ...request.headers,
          ...authentication,
        },
        body: request.body ?? null,
        signal: lifetime.signal,
        // Limits run on the injected clock, in the lifetime.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      this.report(request, String(response.statusCode), startMs);
      return new ApiStream(response, lifetime);
    } catch (error) {
      lifetime.end();
      this.report(request, '<error>', startMs);
      throw unreachable(error, request.signal);
    }
  }

  private report({ method }: ApiRequest, code: string, startMs: number): void {
    this.options.onExchange?.({ method, code, durationMs: this.options.clock.now() - startMs });
  }
}

/** An answer under way. */
export class ApiStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    private readonly response: Dispatcher.ResponseData,
    private readonly lifetime: Lifetime,
  ) {
    this.status = response.statusCode;
    this.headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    );
    // Errors reach whoever reads; a body that nobody reads to its end must not end the process.
    response.body.on('error', () => undefined);
  }

  /** The body, piece by piece; silence of `silenceMs` ends it with a SilenceError. */
  async *chunks(silenceMs: number): AsyncGenerator<Uint8Array> {
    this.lifetime.limitSilence(silenceMs);
    try {
      for await (const chunk of this.response.body) {
        this.lifetime.heard();
        yield chunk as Uint8Array;
      }
    } catch (error) {
      throw unreachable(error, this.lifetime.parent);
    } finally {
      this.lifetime.end();
    }
  }

  /** The whole body as text, within the time limit of the request. */
  async text(): Promise<string> {
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.chunks(TIMEOUT_MS)) {
      length += chunk.length;
      if (length > BODY_BYTES_MAX) throw new ApiUnreachableError('the answer is too long for one object');
      parts.push(chunk);
    }
    return Buffer.concat(parts).toString('utf8');
  }

  /** @throws ApiStatusError unless the status is one of success */
  async expectSuccess(): Promise<this> {
    if (this.status >= 200 && this.status < 300) return this;
    throw statusError(this.status, await this.text(), this.headers);
  }
}

/** Our own aborts keep their reason; all else that breaks a connection is one kind of trouble. */
function unreachable(error: unknown, signal: AbortSignal | undefined): Error {
  if (signal?.aborted === true) return signal.reason as Error;
  if (error instanceof ApiUnreachableError) return error;
  const code = (error as { readonly code?: unknown }).code;
  const detail = typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown error';
  return new ApiUnreachableError(`the Kubernetes API can't be reached (${detail})`, { cause: error });
}
