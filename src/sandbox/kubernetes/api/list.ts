import { ApiError, badRequest, expired } from '../objects/api-error.js';
import { apiVersionOf } from '../objects/kind.js';
import type { Collection, Snapshot } from '../store/collection.js';
import type { StoredObject } from '../store/stored-object.js';
import type { ApiFaults } from './api-faults.js';
import type { Selection } from './selection.js';

/** One page of a list. */
export interface Page {
  readonly revision: number;
  readonly items: readonly StoredObject[];
  readonly continueToken: string;
  /** Null where the server cannot know it: with a selector, or on the last page. */
  readonly remaining: number | null;
}

interface ContinueToken {
  readonly revision: number;
  /** Key of the last object that was served. */
  readonly after: string;
}

/** Answers a list request: a page of one consistent moment. */
export function listPage(
  collection: Collection,
  query: URLSearchParams,
  selection: Selection,
  revision: number,
  faults: ApiFaults,
): Page {
  const limit = positiveInteger(query, 'limit');
  const token = query.get('continue') ?? '';
  if (token !== '') {
    if ((query.get('resourceVersion') ?? '') !== '') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const { revision: at, after } = parseToken(token);
    return pageOf(momentAt(collection, at, CONTINUE_EXPIRED), selection, limit, after);
  }
  const moment = faults.staleMoment(collection) ?? momentAsked(collection, query, revision);
  const snapshot = faults.hideFrom(moment);
  const page = pageOf(snapshot, selection, limit, '');
  if (page.continueToken !== '') collection.keep(snapshot);
  return page;
}

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
  'without the continue parameter, or use the continue token in this response to retrieve the remainder of the ' +
  'results.';

function momentAsked(collection: Collection, query: URLSearchParams, revision: number): Snapshot {
  const asked = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  if (match !== '' && asked === '') {
    throw badRequest('resourceVersionMatch is forbidden unless resourceVersion is provided');
  }
  const version = asked === '' ? 0 : parseRevision(asked);
  if (version > revision) throw tooLarge(version, revision);
  if (match === 'Exact' && version !== revision) {
    return momentAt(collection, version, `The provided resource version ${version} is too old`);
  }
  return collection.snapshot(revision);
}

function momentAt(collection: Collection, revision: number, why: string): Snapshot {
  const snapshot = collection.snapshotAt(revision);
  if (snapshot === undefined) throw expired(why);
  return snapshot;
}

/** The store is behind: the client has seen a later version elsewhere. */
export function tooLarge(version: number, revision: number): ApiError {
  const message = `Too large resource version: ${version}, current: ${revision}`;
  return new ApiError(504, 'Timeout', message, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

function pageOf(snapshot: Snapshot, selection: Selection, limit: number, after: string): Page {
  const start = after === '' ? 0 : firstAfter(snapshot.items, after);
  const items: StoredObject[] = [];
  let next = start;
  while (next < snapshot.items.length && (limit === 0 || items.length < limit)) {
    const item = snapshot.items[next++]!;
    if (selection.matches(item.object)) items.push(item);
  }
  const more = next < snapshot.items.length;
  const last = items.at(-1);
  return {
    revision: snapshot.revision,
    items,
    continueToken:
      more && last !== undefined ? formatToken({ revision: snapshot.revision, after: last.key }) : '',
    remaining: more && selection.all ? snapshot.items.length - next : null,
  };
}

function firstAfter(items: readonly StoredObject[], key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (items[middle]!.key <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Objects in one piece of text; the text of a longer list is sent in pieces, for no string could hold it. */
const CHUNK_ITEMS = 500;

/** The answer's body. */
export function listBody(collection: Collection, page: Page): string | AsyncIterable<string> {
  const { kind } = collection;
  const metadata = {
    resourceVersion: page.revision.toString(),
    ...(page.continueToken === '' ? {} : { continue: page.continueToken }),
    ...(page.remaining === null ? {} : { remainingItemCount: page.remaining }),
  };
  const head =
    `{"kind":"${kind.kind}List","apiVersion":"${apiVersionOf(kind)}",` +
    `"metadata":${JSON.stringify(metadata)},"items":[`;
  if (page.items.length > CHUNK_ITEMS) return listChunks(head, page.items);
  return `${head}${page.items.map((item) => item.itemJson()).join(',')}]}`;
}

// Asynchronous without a wait of its own: the transport pauses it while the client reads.
// eslint-disable-next-line @typescript-eslint/require-await
async function* listChunks(head: string, items: readonly StoredObject[]): AsyncGenerator<string> {
  yield head;
  for (let start = 0; start < items.length; start += CHUNK_ITEMS) {
    const texts = items.slice(start, start + CHUNK_ITEMS).map((item) => item.itemJson());
    yield (start === 0 ? '' : ',') + texts.join(',');
  }
  yield ']}';
}

function formatToken(token: ContinueToken): string {
  return Buffer.from(
    JSON.stringify({ v: 'meta.k8s.io/v1', rv: token.revision, start: token.after }),
  ).toString('base64url');
}

function parseToken(text: string): ContinueToken {
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString()) as { rv: number; start: string };
    if (typeof token.rv === 'number' && typeof token.start === 'string') {
      return { revision: token.rv, after: token.start };
    }
  } catch {
    // Whatever it is, it is none of our tokens.
  }
  throw badRequest('continue key is not valid');
}

export function parseRevision(text: string): number {
  const version = /^\d+$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(version)) throw badRequest(`Invalid value: "${text}": invalid resource version`);
  return version;
}

export function positiveInteger(query: URLSearchParams, name: string): number {
  const text = query.get(name) ?? '';
  if (text === '') return 0;
  if (!/^\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  return Number(text);
}
