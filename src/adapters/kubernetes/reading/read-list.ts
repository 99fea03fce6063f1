import type { Clock } from '../../../application/ports/clock.js';
import { statusError } from '../connection/api-error.js';
import type { ApiTransport } from '../connection/api-transport.js';
import { ListScanner, ListSyntaxError } from './list-scanner.js';
import { metadataOf } from './parse-object.js';
import type { Json } from './parse-object.js';
import type { ResourceRow } from './resource-row.js';

/** client-go's page size. */
const PAGE_ITEMS = 500;
/** Beyond 5 million objects of one kind something else is wrong: a server that never ends its list. */
const PAGES_MAX = 10_000;
/** The API server ends requests other than watches after 60 s. */
const ANSWER_MS = 60_000;
/** Work between two yields: about 5 ms of parsing, so that leases and probes are never late (U037). */
const BYTES_BETWEEN_YIELDS = 256 * 1024;

export interface ListReading {
  readonly api: ApiTransport;
  readonly clock: Clock;
  readonly row: Pick<ResourceRow<object>, 'path' | 'fieldSelector'>;
  readonly signal: AbortSignal;
  readonly onItem: (item: Json) => void;
}

/**
 * Reads a whole collection, page by page and item by item, and gives the version from which a watch continues it.
 * @throws ApiStatusError (with `isExpired` when the pages ran out of time), ApiUnreachableError, ListSyntaxError
 */
export async function readList(reading: ListReading): Promise<string> {
  const { row } = reading;
  let version = '';
  let next = '';
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = new URLSearchParams({ limit: String(PAGE_ITEMS) });
    if (row.fieldSelector !== undefined) query.set('fieldSelector', row.fieldSelector);
    if (next !== '') query.set('continue', next);
    const metadata = await readPage(reading, `${row.path}?${query.toString()}`, page > 0);
    // All pages show the moment of the first.
    if (page === 0) version = textOf(metadata?.['resourceVersion']);
    next = textOf(metadata?.['continue']);
    if (next === '') return version;
  }
  throw new ListSyntaxError(`the list of ${row.path} has no end`);
}

/** The page's own metadata. */
async function readPage(reading: ListReading, path: string, unlimited: boolean): Promise<Json | null> {
  const { api, clock, signal } = reading;
  const stream = await api.open({ method: 'GET', path, signal, unlimited, timeoutMs: ANSWER_MS });
  await stream.expectSuccess();
  const scanner = new ListScanner();
  const deliver = (items: readonly unknown[]): void => {
    for (const item of items) if (item !== null && typeof item === 'object') reading.onItem(item as Json);
  };
  let unyielded = 0;
  for await (const chunk of stream.chunks(ANSWER_MS)) {
    deliver(scanner.push(chunk));
    unyielded += chunk.length;
    if (unyielded < BYTES_BETWEEN_YIELDS) continue;
    unyielded = 0;
    await clock.yield();
  }
  const { items, envelope } = scanner.end();
  deliver(items);
  await clock.yield();
  if (envelope['kind'] === 'Status') throw statusError(500, JSON.stringify(envelope));
  return metadataOf(envelope);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
