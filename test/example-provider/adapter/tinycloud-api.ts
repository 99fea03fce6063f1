import { inject, injectable } from 'inversify';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { TinycloudConfiguration } from './tinycloud-configuration.js';
import { TinycloudError } from './tinycloud-error.js';

/** In place of own sockets; tests put the fake behind it. */
export const TinycloudDispatcher = Symbol('TinycloudDispatcher');

export interface Machine {
  readonly id: string;
  readonly name: string;
  /** The tag with which it was ordered; null on machines that are not the autoscaler's. */
  readonly pool: string | null;
  readonly status: 'booting' | 'running' | 'failed';
  readonly createdMs: number;
}

export interface Size {
  readonly name: string;
  readonly cpus: number;
  readonly memoryMib: number;
  readonly diskGib: number;
  readonly pricePerHour: number;
}

/** Shorter than the loop's interval of 10 s: one slow answer must not cost a whole iteration. */
const ANSWER_MS_MAX = 5_000;

/** Tinycloud's five requests. Throws {@link TinycloudError} only. */
@injectable()
export class TinycloudApi {
  constructor(
    @inject(TinycloudConfiguration) private readonly configuration: TinycloudConfiguration,
    @inject(TinycloudDispatcher) private readonly dispatcher: Dispatcher,
  ) {}

  async sizes(signal: AbortSignal): Promise<readonly Size[]> {
    return (await this.call<{ sizes: readonly Size[] }>('GET', '/v1/sizes', signal)).sizes;
  }

  /** All machines of the account, those of others included. */
  async machines(signal: AbortSignal): Promise<readonly Machine[]> {
    return (await this.call<{ machines: readonly Machine[] }>('GET', '/v1/machines', signal)).machines;
  }

  async machine(id: string, signal: AbortSignal): Promise<Machine | null> {
    return orNullIfMissing(this.call<Machine>('GET', `/v1/machines/${encodeURIComponent(id)}`, signal));
  }

  /** Names are unique in an account. */
  order(order: { name: string; size: string; pool: string }, signal: AbortSignal): Promise<Machine> {
    return this.call<Machine>('POST', '/v1/machines', signal, order);
  }

  /** A machine that is gone already counts as deleted. */
  async delete(id: string, signal: AbortSignal): Promise<void> {
    await orNullIfMissing(this.call('DELETE', `/v1/machines/${encodeURIComponent(id)}`, signal));
  }

  private async call<Body>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<Body> {
    const { status, text } = await this.exchange(method, path, signal, body);
    if (status < 300) return readJson(text) as Body;
    const { error } = readJson(text) as { error?: { code?: string; message?: string } };
    // A server error may have come after the work was done.
    const outcome = status >= 500 && method === 'POST' ? 'unknown' : 'refused';
    throw new TinycloudError(error?.code ?? `http_${status}`, outcome, error?.message ?? `answer ${status}`);
  }

  private async exchange(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ) {
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
      return { status: response.statusCode, text: await response.body.text() };
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

function readJson(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch (error) {
    throw new TinycloudError('bad_answer', 'unknown', 'the answer is no JSON', { cause: error });
  }
}

/** Only a connection that was never made proves that nothing was done. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function connectionError(error: unknown): TinycloudError {
  const code = (error as { code?: string }).code ?? '';
  return UNSENT.has(code)
    ? new TinycloudError('unreachable', 'unsent', 'the API cannot be reached', { cause: error })
    : new TinycloudError('no_answer', 'unknown', 'the answer did not come', { cause: error });
}
