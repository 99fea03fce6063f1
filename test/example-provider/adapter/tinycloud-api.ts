import { inject, injectable } from 'inversify';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { readBody, readJson } from './read-answer.js';
import { isMachine, isSize, listOf, readRefusal } from './records.js';
import type { Machine, Size } from './records.js';
import { TinycloudConfiguration } from './tinycloud-configuration.js';
import { TinycloudError } from './tinycloud-error.js';

/** In place of own sockets; tests put the fake behind it. */
export const TinycloudDispatcher = Symbol('TinycloudDispatcher');

/** Shorter than the loop's interval of 10 s: one slow answer must not cost a whole iteration. */
const ANSWER_MS_MAX = 5_000;
/** Of 50 machines each: far above the largest account. */
const PAGES_MAX = 200;

type Method = 'GET' | 'POST' | 'DELETE';

/** Tinycloud's five requests. Throws {@link TinycloudError} only. */
@injectable()
export class TinycloudApi {
  constructor(
    @inject(TinycloudConfiguration) private readonly configuration: TinycloudConfiguration,
    @inject(TinycloudDispatcher) private readonly dispatcher: Dispatcher,
  ) {}

  async sizes(signal: AbortSignal): Promise<readonly Size[]> {
    return listOf('sizes', await this.call('GET', '/v1/sizes', signal), isSize);
  }

  /** All machines of the account, those of others included. Pages begin behind an id, so none is lost between two. */
  async machines(signal: AbortSignal): Promise<readonly Machine[]> {
    const machines: Machine[] = [];
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const last = machines.at(-1);
      const query = last === undefined ? '' : `?after=${encodeURIComponent(last.id)}`;
      const page = await this.call('GET', `/v1/machines${query}`, signal);
      machines.push(...listOf('machines', page, isMachine));
      if ((page as { more?: unknown }).more !== true) return machines;
    }
    throw new TinycloudError('bad_answer', 'refused', `the list has more than ${PAGES_MAX} pages`);
  }

  async machine(id: string, signal: AbortSignal): Promise<Machine | null> {
    return orNullIfMissing(
      this.call('GET', `/v1/machines/${encodeURIComponent(id)}`, signal).then(asMachine),
    );
  }

  /** Names are unique in an account. */
  async order(order: { name: string; size: string; pool: string }, signal: AbortSignal): Promise<Machine> {
    return asMachine(await this.call('POST', '/v1/machines', signal, order));
  }

  /** A machine that is gone already counts as deleted. Its volumes stay. */
  async delete(id: string, signal: AbortSignal): Promise<void> {
    await orNullIfMissing(this.call('DELETE', `/v1/machines/${encodeURIComponent(id)}?volumes=keep`, signal));
  }

  private async call(method: Method, path: string, signal: AbortSignal, body?: object): Promise<unknown> {
    const { status, headers, text } = await this.exchange(method, path, signal, body);
    if (status < 300) return readJson(text);
    const { code = `http_${status}`, message = `answer ${status}` } = readRefusal(text);
    // A server error may have come after the work was done.
    const outcome = status >= 500 && method === 'POST' ? 'unknown' : 'refused';
    const retryAfterMs = retryAfter(headers['retry-after']);
    throw new TinycloudError(code, outcome, message, { retryAfterMs });
  }

  private async exchange(method: Method, path: string, signal: AbortSignal, body?: object) {
    try {
      const response = await request(`${this.configuration.url}${path}`, {
        dispatcher: this.dispatcher,
        method,
        headers: { authorization: `Bearer ${this.configuration.token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
        signal,
        headersTimeout: ANSWER_MS_MAX,
        bodyTimeout: ANSWER_MS_MAX,
      });
      const text = await readBody(response.body);
      return { status: response.statusCode, headers: response.headers, text };
    } catch (error) {
      throw connectionError(error);
    }
  }
}

async function orNullIfMissing<Body>(answer: Promise<Body>): Promise<Body | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof TinycloudError && error.code === 'not_found') return null;
    throw error;
  }
}

function asMachine(answer: unknown): Machine {
  if (isMachine(answer)) return answer;
  throw new TinycloudError('bad_answer', 'unknown', 'the answer is no machine');
}

/** Seconds, or nothing that can be used. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

/** Only a connection that was never made proves that nothing was done. */
const UNSENT: Readonly<Record<string, readonly [code: string, message: string]>> = {
  ECONNREFUSED: ['unreachable', 'the API cannot be reached'],
  ENOTFOUND: ['unreachable', 'the API cannot be reached'],
  EAI_AGAIN: ['unreachable', 'the API cannot be reached'],
  UND_ERR_CONNECT_TIMEOUT: ['unreachable', 'the API cannot be reached'],
  CERT_HAS_EXPIRED: ['bad_certificate', 'the certificate of the API has expired'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['bad_certificate', 'the certificate of the API is that of another host'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['bad_certificate', 'the certificate of the API cannot be verified'],
};

function connectionError(error: unknown): TinycloudError {
  if (error instanceof TinycloudError) return error;
  const [code, message] = UNSENT[(error as { code?: string }).code ?? ''] ?? [];
  return code === undefined || message === undefined
    ? new TinycloudError('no_answer', 'unknown', 'the answer did not come', { cause: error })
    : new TinycloudError(code, 'unsent', message, { cause: error });
}
