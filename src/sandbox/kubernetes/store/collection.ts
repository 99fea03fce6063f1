import type { Kind } from '../objects/kind.js';
import type { KubeObject } from '../objects/object.js';
import { StoredObject } from './stored-object.js';

export interface StoreEvent<T extends KubeObject = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** For a deletion: the last state, with the version of the deletion. */
  readonly current: StoredObject<T>;
  readonly previous: StoredObject<T> | null;
}

type Listener<T extends KubeObject> = (event: StoreEvent<T>) => void;

/** A moment of a collection, as the pages of one list see it. */
export interface Snapshot<T extends KubeObject = KubeObject> {
  readonly revision: number;
  /** In order of their keys. */
  readonly items: readonly StoredObject<T>[];
}

/** Moments kept for further pages; the pages of more lists than these at one time expire, as after a compaction. */
const SNAPSHOTS_MAX = 16;

/** Objects of one kind, their recent history, and those who listen to it. */
export class Collection<T extends KubeObject = KubeObject> {
  private readonly objects = new Map<string, StoredObject<T>>();
  private readonly history: StoreEvent<T>[] = [];
  private readonly listeners = new Set<Listener<T>>();
  private readonly snapshots = new Map<number, Snapshot<T>>();
  private sorted: readonly StoredObject<T>[] | null = null;
  private changedAt = 0;
  /** Changes up to this revision are forgotten. */
  private forgottenUpTo = 0;

  constructor(
    readonly kind: Kind<T>,
    private readonly historyMax: number,
  ) {}

  get size(): number {
    return this.objects.size;
  }

  get(key: string): StoredObject<T> | undefined {
    return this.objects.get(key);
  }

  /** In order of insertion. */
  values(): IterableIterator<StoredObject<T>> {
    return this.objects.values();
  }

  /** All objects in order of their keys. The array is never changed afterwards. */
  ordered(): readonly StoredObject<T>[] {
    this.sorted ??= [...this.objects.values()].sort(byKey);
    return this.sorted;
  }

  put(key: string, object: T, revision: number): StoredObject<T> {
    const current = new StoredObject(key, this.kind, object, revision);
    const previous = this.objects.get(key) ?? null;
    this.objects.set(key, current);
    this.record({ type: previous === null ? 'ADDED' : 'MODIFIED', current, previous });
    return current;
  }

  remove(key: string, lastState: T, revision: number): void {
    const previous = this.objects.get(key) ?? null;
    if (!this.objects.delete(key)) return;
    this.record({
      type: 'DELETED',
      current: new StoredObject(key, this.kind, lastState, revision),
      previous,
    });
  }

  /** How things stand now. */
  snapshot(revision: number): Snapshot<T> {
    return { revision, items: this.ordered() };
  }

  /** Further pages of a list will ask for this moment, by its revision. */
  keep(snapshot: Snapshot<T>): void {
    this.snapshots.set(snapshot.revision, snapshot);
    if (this.snapshots.size > SNAPSHOTS_MAX) this.snapshots.delete(this.snapshots.keys().next().value!);
  }

  /** Undefined once it is forgotten. */
  snapshotAt(revision: number): Snapshot<T> | undefined {
    return this.snapshots.get(revision);
  }

  /** Changes after the revision, or null where some of them are forgotten. */
  since(revision: number): readonly StoreEvent<T>[] | null {
    if (revision < this.forgottenUpTo) return null;
    const first = this.history.findIndex((event) => event.current.revision > revision);
    return first === -1 ? [] : this.history.slice(first);
  }

  /** Forgets all history and all pages, as a compaction does. */
  compact(): void {
    this.forgottenUpTo = this.changedAt;
    this.history.length = 0;
    this.snapshots.clear();
  }

  listen(listener: Listener<T>): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private record(event: StoreEvent<T>): void {
    this.sorted = null;
    this.changedAt = event.current.revision;
    this.history.push(event);
    // Dropped by halves, so that the ring costs no shift per event.
    if (this.history.length > 2 * this.historyMax) {
      const dropped = this.history.splice(0, this.historyMax);
      this.forgottenUpTo = dropped.at(-1)!.current.revision;
    }
    for (const listener of [...this.listeners]) listener(event);
    event.current.release();
  }
}

function byKey(left: StoredObject, right: StoredObject): number {
  return left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
}
