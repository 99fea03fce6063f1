import { resourceOf } from '../objects/kind.js';
import type { Kind } from '../objects/kind.js';
import type { KubeObject } from '../objects/object.js';
import type { Collection, Snapshot } from '../store/collection.js';
import type { ObjectStore } from '../store/object-store.js';
import type { WatchStream } from './watch-stream.js';

/** What an access rule is asked about; `resource` as in RBAC rules, with the group behind a dot. */
export interface Access {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Faults of the API server that a test or a scenario switches on. All are off at first. */
export class ApiFaults {
  /** Every request is cut without an answer. */
  down = false;
  /** Bearer tokens that are accepted; null accepts everybody. */
  acceptedTokens: ReadonlySet<string> | null = null;
  /** Requests that are refused with a 403. */
  forbids: (access: Access) => boolean = () => false;
  /** Objects that lists leave out, as if they were only half loaded. Watches show them. */
  hidesFromLists: (object: KubeObject) => boolean = () => false;
  /** Every watch event is sent so many times more. */
  duplicates = 0;
  /** The next so many watches that resume from a version are answered with a 410. */
  expiredWatches = 0;

  private readonly streams = new Set<WatchStream>();
  private readonly frozen = new Map<Kind, Snapshot>();

  constructor(private readonly store: ObjectStore) {}

  /** Open watches, by resource. */
  openWatches(kind?: Kind): number {
    return this.streamsOf(kind).length;
  }

  /** Cuts open watches off in the middle, as a lost connection does; or ends them in peace. */
  cutWatches(kind?: Kind, how: 'abruptly' | 'cleanly' = 'abruptly'): void {
    for (const stream of this.streamsOf(kind)) {
      if (how === 'abruptly') stream.cut();
      else stream.end();
    }
  }

  /** Open watches stay open and say nothing any more, as a half-open connection does. New watches are well. */
  silenceWatches(kind?: Kind): void {
    for (const stream of this.streamsOf(kind)) stream.silence();
  }

  /** History is gone; open watches get an ERROR event with code 410 and end. */
  expireWatches(kind?: Kind): void {
    this.store.compact();
    for (const stream of this.streamsOf(kind)) stream.expire();
  }

  /** Lists of the kind show this moment until {@link thawLists}. */
  freezeLists(kind: Kind): void {
    this.frozen.set(kind, this.store.collection(kind).snapshot(this.store.revision));
  }

  thawLists(): void {
    this.frozen.clear();
  }

  staleMoment(collection: Collection): Snapshot | undefined {
    return this.frozen.get(collection.kind);
  }

  hideFrom(snapshot: Snapshot): Snapshot {
    const items = snapshot.items.filter((item) => !this.hidesFromLists(item.object));
    return items.length === snapshot.items.length ? snapshot : { ...snapshot, items };
  }

  takeExpiredWatch(): boolean {
    if (this.expiredWatches === 0) return false;
    this.expiredWatches--;
    return true;
  }

  opened(stream: WatchStream): void {
    this.streams.add(stream);
  }

  closed(stream: WatchStream): void {
    this.streams.delete(stream);
  }

  private streamsOf(kind?: Kind): WatchStream[] {
    return [...this.streams].filter(
      (stream) => kind === undefined || resourceOf(stream.kind) === resourceOf(kind),
    );
  }
}
