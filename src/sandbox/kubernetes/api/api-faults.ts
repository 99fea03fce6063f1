import { resourceOf } from '../objects/kind.js';
import type { Kind } from '../objects/kind.js';
import type { KubeObject } from '../objects/object.js';
import type { Collection, Snapshot } from '../store/collection.js';
import type { ObjectStore } from '../store/object-store.js';
import { FaultPlan } from '../../world/fault-plan.js';
import type { WatchStream } from './watch-stream.js';

/** What an access rule is asked about; `resource` as in RBAC rules, with the group behind a dot. */
export interface Access {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

const FORBIDS_NOTHING = (): boolean => false;
const HIDES_NOTHING = (): boolean => false;

/** Faults of the API server that a test or a scenario switches on. All are off at first. */
export class ApiFaults {
  /** Faults of single requests: delays, cuts, error answers. */
  readonly requests: FaultPlan;
  /** Every request is cut without an answer. */
  down = false;
  /** Bearer tokens that are accepted; null accepts everybody. */
  acceptedTokens: ReadonlySet<string> | null = null;
  /** Requests that are refused with a 403. */
  forbids: (access: Access) => boolean = FORBIDS_NOTHING;
  /** Objects that lists leave out, as if they were only half loaded. Watches show them. */
  hidesFromLists: (object: KubeObject) => boolean = HIDES_NOTHING;
  /** Every watch event is sent so many times more. */
  duplicates = 0;
  /** Every watch event comes so much later. */
  eventDelayMs = 0;
  /** A watch event is overtaken by the next one of another object. */
  reorders = false;
  /** The next so many watches that resume from a version are answered with a 410. */
  expiredWatches = 0;

  private readonly streams = new Set<WatchStream>();
  private readonly frozen = new Map<Kind, Snapshot>();

  /** `chance` gives numbers in [0, 1) for rules with a probability. */
  constructor(
    private readonly store: ObjectStore,
    chance: () => number,
  ) {
    this.requests = new FaultPlan(chance);
  }

  /** All is well again. Watches that were cut, silenced or expired stay so. */
  clear(): void {
    this.down = false;
    this.acceptedTokens = null;
    this.forbids = FORBIDS_NOTHING;
    this.hidesFromLists = HIDES_NOTHING;
    this.duplicates = 0;
    this.eventDelayMs = 0;
    this.reorders = false;
    this.expiredWatches = 0;
    this.thawLists();
    this.requests.clear();
  }

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

  thawLists(kind?: Kind): void {
    if (kind === undefined) this.frozen.clear();
    else this.frozen.delete(kind);
  }

  staleMoment(collection: Collection): Snapshot | undefined {
    return this.frozen.get(collection.kind);
  }

  hideFrom(snapshot: Snapshot): Snapshot {
    if (this.hidesFromLists === HIDES_NOTHING) return snapshot;
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
