import type { ApiError } from '../objects/api-error.js';
import { badRequest, expired } from '../objects/api-error.js';
import { apiVersionOf } from '../objects/kind.js';
import type { Kind } from '../objects/kind.js';
import type { Collection, StoreEvent } from '../store/collection.js';
import type { ObjectStore } from '../store/object-store.js';
import type { StoredObject } from '../store/stored-object.js';
import type { SeededRandom } from '../../world/seeded-random.js';
import type { WorldClock } from '../../world/world-clock.js';
import type { ApiFaults } from './api-faults.js';
import { EventCourier } from './event-courier.js';
import { parseRevision, positiveInteger, tooLarge } from './list.js';
import type { Selection } from './selection.js';
import { watchLine, WatchStream } from './watch-stream.js';

/** About once a minute, as the API server's watch cache does. */
const BOOKMARK_MS = 60_000;
/** `--min-request-timeout` of the API server; the end lies between this and twice this. */
const TIMEOUT_MS_MIN = 30 * 60_000;

export interface WatchContext {
  readonly store: ObjectStore;
  readonly clock: WorldClock;
  readonly random: SeededRandom;
  readonly faults: ApiFaults;
}

export interface WatchRequest {
  readonly kind: Kind;
  readonly query: URLSearchParams;
  readonly selection: Selection;
  readonly signal: AbortSignal;
  /** How one object is written: itself, or as a table. `shared`: other watches will ask for the same. */
  readonly render: (item: StoredObject, shared: boolean) => string;
}

/** Opens a watch. Throws what is refused before the stream begins; an expired version is told in the stream. */
export function openWatch(context: WatchContext, request: WatchRequest): WatchStream {
  const { store, faults } = context;
  const plan = planOf(request.query, store.revision);
  const collection = store.collection(request.kind);
  const stream = new WatchStream(request.kind, request.signal);
  const missed = plan.from === null ? [] : collection.since(plan.from);
  if (missed === null || (plan.from !== null && faults.takeExpiredWatch())) {
    stream.send('ERROR', JSON.stringify(tooOld(plan.from!, store.revision).status()));
    stream.end();
    return stream;
  }
  if (plan.from === null) stream.begin(stateLines(collection.ordered(), request));
  if (plan.marksEndOfState) {
    stream.send('BOOKMARK', bookmark(request.kind, store.revision, { 'k8s.io/initial-events-end': 'true' }));
  }
  for (const event of missed) sendEvent(event, request, stream, 0);
  follow(context, request, stream, collection);
  return stream;
}

interface WatchPlan {
  /** Version to resume from; null: begin with the state as it is. */
  readonly from: number | null;
  readonly marksEndOfState: boolean;
}

function planOf(query: URLSearchParams, revision: number): WatchPlan {
  const asked = query.get('resourceVersion') ?? '';
  const version = asked === '' ? 0 : parseRevision(asked);
  if (version > revision) throw tooLarge(version, revision);
  const initial = query.get('sendInitialEvents');
  if (initial === null) {
    if ((query.get('resourceVersionMatch') ?? '') !== '') {
      throw badRequest('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
    }
    return { from: version === 0 ? null : version, marksEndOfState: false };
  }
  if (query.get('resourceVersionMatch') !== 'NotOlderThan') {
    throw badRequest('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (initial !== 'true') return { from: version === 0 ? revision : version, marksEndOfState: false };
  return { from: null, marksEndOfState: query.get('allowWatchBookmarks') === 'true' };
}

function tooOld(version: number, revision: number): ApiError {
  return expired(`too old resource version: ${version} (${revision})`);
}

function* stateLines(items: readonly StoredObject[], request: WatchRequest): Generator<string> {
  for (const item of items) {
    if (request.selection.matches(item.object)) yield watchLine('ADDED', request.render(item, false));
  }
}

/** An object that begins or ceases to match is added or deleted in the eyes of this watch. */
function sendEvent(event: StoreEvent, request: WatchRequest, stream: WatchStream, duplicates: number): void {
  const { current, previous } = event;
  const before = previous !== null && request.selection.matches(previous.object);
  const after = event.type !== 'DELETED' && request.selection.matches(current.object);
  const type = after ? (before ? 'MODIFIED' : 'ADDED') : before ? 'DELETED' : null;
  if (type === null) return;
  for (let times = 0; times <= duplicates; times++) stream.send(type, request.render(current, true));
}

function follow(
  { store, clock, random, faults }: WatchContext,
  request: WatchRequest,
  stream: WatchStream,
  collection: Collection,
): void {
  const courier = new EventCourier(clock, faults, (event) =>
    sendEvent(event, request, stream, faults.duplicates),
  );
  const stopListening = collection.listen((event) => courier.take(event));
  const askedSeconds = positiveInteger(request.query, 'timeoutSeconds');
  const timeoutMs = askedSeconds > 0 ? askedSeconds * 1_000 : TIMEOUT_MS_MIN * (1 + random.next());
  const timeout = clock.schedule(timeoutMs, () => stream.end());
  let bookmarks =
    request.query.get('allowWatchBookmarks') === 'true' ? clock.schedule(BOOKMARK_MS, mark) : null;
  function mark(): void {
    // A client resumes from a bookmark, and would never hear of what is still on its way.
    if (!courier.isBusy) stream.send('BOOKMARK', bookmark(request.kind, store.revision));
    bookmarks = clock.schedule(BOOKMARK_MS, mark);
  }
  faults.opened(stream);
  stream.onClose(() => {
    stopListening();
    courier.stop();
    timeout.cancel();
    bookmarks?.cancel();
    faults.closed(stream);
  });
}

function bookmark(kind: Kind, revision: number, annotations?: Record<string, string>): string {
  return JSON.stringify({
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata: {
      resourceVersion: revision.toString(),
      creationTimestamp: null,
      ...(annotations === undefined ? {} : { annotations }),
    },
  });
}
