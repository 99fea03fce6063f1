import type { Dispatcher } from 'undici';
import { addHeader } from './front-request.js';
import type { RequestHead } from './front-request.js';

export function requestHead(options: Dispatcher.DispatchOptions): RequestHead {
  const headers = plainHeaders(options);
  if (options.origin !== undefined) headers['host'] ??= new URL(options.origin).host;
  return { method: options.method.toUpperCase(), target: target(options), headers };
}

/** `query` of the options is added by the dispatcher, as undici's own ones do. */
function target(options: Dispatcher.DispatchOptions): string {
  if (options.query === undefined) return options.path;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query as Record<string, HeaderValue>)) {
    for (const one of asList(value)) query.append(name, `${one}`);
  }
  return query.size === 0 ? options.path : `${options.path}?${query.toString()}`;
}

/** undici takes a flat list, pairs, or an object. */
function plainHeaders(options: Dispatcher.DispatchOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  const source: unknown = options.headers ?? [];
  if (Array.isArray(source)) {
    const flat = source as readonly string[];
    for (let index = 0; index + 1 < flat.length; index += 2)
      addHeader(headers, flat[index]!, flat[index + 1]!);
    return headers;
  }
  const pairs = isIterable(source) ? source : Object.entries(source as Record<string, HeaderValue>);
  for (const [name, value] of pairs) for (const one of asList(value)) addHeader(headers, name, `${one}`);
  return headers;
}

type Scalar = string | number | boolean;
type HeaderValue = Scalar | null | undefined | readonly Scalar[];

function asList(value: HeaderValue): readonly Scalar[] {
  if (value === null || value === undefined) return [];
  return typeof value === 'object' ? value : [value];
}

function isIterable(source: unknown): source is Iterable<[string, HeaderValue]> {
  return typeof (source as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function';
}

/** Text of a request body: text, bytes, or a stream of both (`fetch` sends an async generator). */
export async function requestBody(body: unknown): Promise<string> {
  if (body === null || body === undefined) return '';
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body))
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  if (typeof (body as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] !== 'function') {
    throw new TypeError('the in-process transport takes text, bytes and streams as request bodies');
  }
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<string | Uint8Array>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
