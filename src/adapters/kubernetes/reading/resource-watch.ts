import type { Clock } from '../../../application/ports/clock.js';
import type { Incidents } from '../../../application/ports/incidents.js';
import type { Logger } from '../../../application/ports/logger.js';
import type { Random } from '../../../application/ports/random.js';
import { ApiStatusError } from '../connection/api-error.js';
import type { ApiTransport } from '../connection/api-transport.js';
import { SilenceError } from '../connection/lifetime.js';
import type { SharedRecords } from '../projection/projection.js';
import { Attempts } from './attempts.js';
import { BrokenObjects } from './broken-objects.js';
import { metadataOf } from './parse-object.js';
import type { Json } from './parse-object.js';
import { readList } from './read-list.js';
import { readWatch } from './read-watch.js';
import type { WatchEventType } from './read-watch.js';
import type { RecordStore } from './record-store.js';
import type { ResourceRow } from './resource-row.js';

export interface ResourceWatchParts {
  readonly api: ApiTransport;
  readonly shared: SharedRecords;
  readonly clock: Clock;
  readonly random: Random;
  readonly incidents: Incidents;
  readonly logger: Logger;
  /** A watch without a byte for so long is dropped and opened again. */
  readonly silenceMs: number;
}

/** client-go's span: the server ends a watch after 5 to 10 minutes, at another moment for each. */
const WATCH_SECONDS_MIN = 300;
/** A watch that ends sooner and said nothing is trouble, not a time-out: client-go's rule. */
const SHORT_WATCH_MS = 1_000;
/** A watch that stood for so long ends a series of failures even if nothing happened in it. */
const LASTING_WATCH_MS = 30_000;
/** After so many refusals of a server that does answer, the version itself is under suspicion (U034). */
const REFUSALS_BEFORE_LIST = 3;
/** After so many watches in which nothing at all was said, not even a bookmark, the cache is checked by a list. */
const SILENT_WATCHES_BEFORE_LIST = 5;
/** A list whose pages expired is begun again at once so often; then it waits its turn. */
const LIST_ATTEMPTS = 3;
/** How often an optional API that is missing or forbidden is asked for again. */
const ABSENT_PAUSE_MS = 5 * 60_000;

/**
 * Keeps the records of one resource true: one list, then watches, each from the last version heard. Trouble never
 * empties the store; an expired version is answered with a list that replaces it at one stroke. One attempt at a
 * time, with growing pauses. Versions are only handed back to the server, never compared.
 */
export class ResourceWatch<T extends object> {
  /** When the server last said anything about this resource; null before the first list is complete. */
  lastHeardMs: number | null = null;
  /** What went wrong in the last attempt; null when nothing did. */
  trouble: unknown = null;
  /** An optional API that this server does not have, or does not show us. */
  absent = false;
  private version: string | null = null;
  private silentWatches = 0;
  private readonly lists: Attempts;
  private readonly watches: Attempts;
  private readonly broken: BrokenObjects;

  constructor(
    readonly row: ResourceRow<T>,
    private readonly store: RecordStore<T>,
    private readonly parts: ResourceWatchParts,
  ) {
    this.lists = new Attempts(`list-${row.name}`, parts.random, parts.incidents);
    this.watches = new Attempts(`watch-${row.name}`, parts.random, parts.incidents);
    this.broken = new BrokenObjects(row.name, parts.logger);
  }

  /** Runs until the signal aborts; `onTurn` is called after each list, watch or failure. */
  async run(signal: AbortSignal, onTurn: () => void): Promise<void> {
    while (!signal.aborted) {
      const pauseMs =
        this.version === null ? await this.list(signal) : await this.watch(this.version, signal);
      if (signal.aborted) return;
      onTurn();
      if (pauseMs > 0) await this.parts.clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }

  /** One complete list; gives the pause before the next attempt. */
  private async list(signal: AbortSignal): Promise<number> {
    try {
      this.version = await this.readWholeList(signal);
    } catch (error) {
      if (signal.aborted) return 0;
      this.trouble = error;
      return this.row.optional === true && isAbsent(error)
        ? this.noteAbsence(error)
        : this.lists.failed(error);
    }
    this.trouble = null;
    this.absent = false;
    this.heard();
    this.lists.succeeded();
    return 0;
  }

  private async readWholeList(signal: AbortSignal): Promise<string> {
    const { api, clock } = this.parts;
    for (let attempt = 1; ; attempt++) {
      const records = new Map<string, T>();
      const onItem = (item: Json): void => this.collect(item, records);
      try {
        const version = await readList({ api, clock, row: this.row, signal, onItem });
        this.store.replace(records);
        return version;
      } catch (error) {
        if (!isExpired(error) || attempt === LIST_ATTEMPTS) throw error;
      }
    }
  }

  /** One watch up to its end; gives the pause before the next attempt. */
  private async watch(version: string, signal: AbortSignal): Promise<number> {
    const { clock } = this.parts;
    const startMs = clock.now();
    try {
      const events = await this.readEvents(version, signal);
      if (events === 0 && clock.now() - startMs < SHORT_WATCH_MS) throw new ShortWatchError();
    } catch (error) {
      if (signal.aborted) return 0;
      if (error instanceof SilenceError) return this.silent(error);
      this.trouble = error;
      if (clock.now() - startMs >= LASTING_WATCH_MS) this.watches.lasted();
      const pauseMs = this.watches.failed(error);
      if (isExpired(error) || this.watches.refusals >= REFUSALS_BEFORE_LIST) this.version = null;
      return pauseMs;
    }
    this.worked();
    return 0;
  }

  private async readEvents(version: string, signal: AbortSignal): Promise<number> {
    const { api, clock, random, silenceMs } = this.parts;
    let events = 0;
    await readWatch({
      api,
      clock,
      row: this.row,
      version,
      timeoutSeconds: Math.round(WATCH_SECONDS_MIN * (1 + random.next())),
      silenceMs,
      signal,
      onBytes: () => this.heard(),
      onEvent: (type, object) => {
        events++;
        this.apply(type, object);
      },
    });
    return events;
  }

  private apply(type: WatchEventType, object: Json): void {
    const metadata = metadataOf(object);
    const version = metadata?.['resourceVersion'];
    if (typeof version === 'string' && version !== '') this.version = version;
    this.worked();
    if (type === 'BOOKMARK') return;
    const uid = uidOf(metadata);
    if (type === 'DELETED') {
      this.store.remove(uid);
      return;
    }
    const record = this.project(object);
    if (record !== null) this.store.put(uid, record);
  }

  private collect(item: Json, records: Map<string, T>): void {
    const uid = uidOf(metadataOf(item));
    const record = this.project(item);
    // A broken object that was whole before is kept as it was: a pod must not vanish for a value that can't be read.
    const kept = record === null ? this.store.get(uid) : this.store.preferHeld(uid, record);
    if (kept !== undefined) records.set(uid, kept);
  }

  private project(object: Json): T | null {
    try {
      return this.row.project(object, this.parts.shared);
    } catch (error) {
      this.broken.report(object, error);
      return null;
    }
  }

  private heard(): void {
    this.lastHeardMs = this.parts.clock.now();
    this.watches.answered();
  }

  private worked(): void {
    this.trouble = null;
    this.silentWatches = 0;
    this.watches.succeeded();
  }

  /** Nothing is lost: the watch goes on from the last version, on a fresh connection (U009). */
  private silent(error: SilenceError): number {
    this.parts.logger.debug('watch-silent', error.message, { resource: this.row.name });
    if (++this.silentWatches < SILENT_WATCHES_BEFORE_LIST) return 0;
    this.silentWatches = 0;
    this.version = null;
    return 0;
  }

  private noteAbsence(error: unknown): number {
    if (!this.absent) {
      const detail = error instanceof Error ? error.message : '';
      this.parts.logger.info('resource-absent', `${this.row.name} can't be read and count as none`, {
        detail,
      });
    }
    this.absent = true;
    this.store.replace(new Map());
    this.heard();
    return ABSENT_PAUSE_MS;
  }
}

/** The server took the watch and ended it at once. */
class ShortWatchError extends Error {
  constructor() {
    super('the watch was ended as soon as it began');
    this.name = 'ShortWatchError';
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof ApiStatusError && error.isExpired;
}

function isAbsent(error: unknown): boolean {
  return error instanceof ApiStatusError && (error.status === 403 || error.status === 404);
}

function uidOf(metadata: Json | null): string {
  const uid = metadata?.['uid'];
  return typeof uid === 'string' ? uid : '';
}
