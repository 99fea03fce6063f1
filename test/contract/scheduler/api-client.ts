import { request } from 'undici';
import type { Dispatcher } from 'undici';
import type { ApiServerAccess } from '../kubernetes/real-api-server.js';

/** An object of the API, as it is sent and stored. */
export type Json = Record<string, any>;

export interface Answer {
  readonly status: number;
  readonly json: Json;
}

export interface Watch {
  /** Ends, or fails, when it is closed. */
  readonly lines: AsyncIterable<string>;
  close(): void;
}

export const MERGE = 'application/merge-patch+json';

/** Plain requests to an API server as its administrator. */
export class ApiClient {
  constructor(private readonly server: ApiServerAccess) {}

  async send(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Answer> {
    const { statusCode, body: answer } = await this.open(method, path, body, type);
    return { status: statusCode, json: (await answer.json()) as Json };
  }

  /** Rejects where the server does. */
  async must(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Json> {
    const { status, json } = await this.send(method, path, body, type);
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return json;
  }

  async watch(path: string): Promise<Watch> {
    const abort = new AbortController();
    const { body } = await this.open('GET', path, undefined, 'application/json', abort.signal);
    return { lines: linesOf(body), close: () => abort.abort() };
  }

  private open(
    method: Dispatcher.HttpMethod,
    path: string,
    body: unknown,
    type: string,
    signal?: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { url, token, dispatcher } = this.server;
    return request(url + path, {
      method,
      dispatcher,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        'content-type': type,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal, bodyTimeout: 0 }),
    });
  }
}

async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
