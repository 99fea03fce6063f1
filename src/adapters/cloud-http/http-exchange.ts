import { request as send } from 'undici';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../application/ports/clock.js';
import { ExchangeError, connectionError } from './exchange-error.js';
import { headerOf } from './http-message.js';
import type { HttpRequest, HttpResponse } from './http-message.js';
import { tokenMask } from './mask-token.js';

const USER_AGENT = 'evenkeel/0.1.0';
/** 8 MiB: a list of the clouds' APIs is some hundred KiB; anything near this is no answer of theirs. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

export interface ExchangeLimits {
  readonly signal: AbortSignal;
  /** For the whole exchange, on the program's own clock. */
  readonly timeoutMs: number;
}

/**
 * One HTTP exchange with a deadline. No retries, and no knowledge of a cloud. Redirects are answers: to follow them
 * would hand the token to whoever they name.
 */
export class HttpExchange {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /** Throws {@link ExchangeError} where no complete answer came; an error status is an answer. */
  async send(request: HttpRequest, { signal, timeoutMs }: ExchangeLimits): Promise<HttpResponse> {
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
      return await this.roundTrip(request, bounded.signal);
    } catch (error) {
      if (signal.aborted) throw new ExchangeError('aborted', 'unknown', 'the request was given up');
      throw timedOut ? timeout(timeoutMs) : connectionError(error);
    } finally {
      signal.removeEventListener('abort', onAbort);
      done.abort();
    }
  }

  private async roundTrip(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const response = await send(request.url, {
      dispatcher: this.dispatcher,
      method: request.method,
      headers: {
        authorization: `Bearer ${request.token}`,
        accept: 'application/json',
        // Encoded, an answer could be much larger than what is read of it.
        'accept-encoding': 'identity',
        'user-agent': USER_AGENT,
        ...(request.body === null ? {} : { 'content-type': 'application/json' }),
      },
      body: request.body,
      signal,
      // The deadline bounds the whole exchange, on our own clock.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const { headers, body } = response;
    const encoding = headerOf({ headers }, 'content-encoding') ?? 'identity';
    const text = await readText(body);
    if (encoding !== 'identity') throw badResponse(`is encoded as ${encoding}, which was not asked for`);
    return withoutToken({ status: response.statusCode, headers, text }, request.token);
  }
}

/** The token may be repeated anywhere; what is cut out of the answer later must not hold a piece of it. */
function withoutToken({ status, headers, text }: HttpResponse, token: string): HttpResponse {
  const mask = tokenMask(token);
  const maskedHeaders = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(mask) : value === undefined ? undefined : mask(value),
  ]);
  return {
    status,
    headers: Object.fromEntries(maskedHeaders) as HttpResponse['headers'],
    text: mask(text),
  };
}

/** Leaving the loop ends the transfer. */
async function readText(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const data = chunk as Buffer;
    bytes += data.byteLength;
    if (bytes > BODY_BYTES_MAX) throw badResponse(`is larger than ${BODY_BYTES_MAX} bytes`);
    chunks.push(data);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function badResponse(what: string): ExchangeError {
  return new ExchangeError('bad_response', 'unknown', `the answer ${what}`);
}

function timeout(ms: number): ExchangeError {
  return new ExchangeError('timeout', 'unknown', `no answer within ${ms / 1_000} s`);
}
