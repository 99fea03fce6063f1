import type { Clock } from '../../../application/ports/clock.js';
import { ApiStatusError } from '../connection/api-error.js';
import type { ApiTransport } from '../connection/api-transport.js';
import { LineSplitter } from './line-splitter.js';
import { parseObject } from './parse-object.js';
import type { Json } from './parse-object.js';
import type { ResourceRow } from './resource-row.js';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

export interface WatchReading {
  readonly api: ApiTransport;
  readonly clock: Clock;
  readonly row: Pick<ResourceRow<object>, 'path' | 'fieldSelector'>;
  readonly version: string;
  /** The server ends the watch in peace after this time. */
  readonly timeoutSeconds: number;
  /** Without a byte for so long, the connection counts as dead. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** A sign of life: the answer's head, then each piece of its body. */
  readonly onBytes: () => void;
  readonly onEvent: (type: WatchEventType, object: Json) => void;
}

const OPEN_MS = 30_000;
const BYTES_BETWEEN_YIELDS = 256 * 1024;

/**
 * Watches from a version on until the server ends the stream.
 * @throws ApiStatusError (`isExpired` when the version is too old, also as an event), SilenceError,
 *   ApiUnreachableError, WatchSyntaxError
 */
export async function readWatch(reading: WatchReading): Promise<void> {
  const { api, clock, row, signal, onBytes } = reading;
  const query = new URLSearchParams({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: reading.version,
    timeoutSeconds: String(reading.timeoutSeconds),
  });
  if (row.fieldSelector !== undefined) query.set('fieldSelector', row.fieldSelector);
  const path = `${row.path}?${query.toString()}`;
  const stream = await api.open({ method: 'GET', path, signal, timeoutMs: OPEN_MS });
  await stream.expectSuccess();
  onBytes();
  const splitter = new LineSplitter();
  let unyielded = 0;
  for await (const chunk of stream.chunks(reading.silenceMs)) {
    onBytes();
    for (const line of splitter.push(chunk)) deliver(line, reading);
    unyielded += chunk.length;
    if (unyielded < BYTES_BETWEEN_YIELDS) continue;
    unyielded = 0;
    await clock.yield();
  }
}

/** A line that is no JSON. The parser's own message would quote it. */
export class WatchSyntaxError extends Error {
  constructor() {
    super('a line of the watch is not JSON');
    this.name = 'WatchSyntaxError';
  }
}

function deliver(line: Buffer, reading: WatchReading): void {
  const { type, object } = parseLine(line);
  if (object === null || typeof object !== 'object') return;
  if (type === 'ERROR') throw eventError(object as Json);
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK') {
    reading.onEvent(type, object as Json);
  }
}

function parseLine(line: Buffer): { readonly type?: unknown; readonly object?: unknown } {
  try {
    return parseObject(line) as { readonly type?: unknown; readonly object?: unknown };
  } catch {
    throw new WatchSyntaxError();
  }
}

function eventError({ code, reason, message }: Json): ApiStatusError {
  return new ApiStatusError(typeof code === 'number' ? code : 500, {
    reason: typeof reason === 'string' ? reason : '',
    detail: typeof message === 'string' ? message : 'an error within a watch',
  });
}
