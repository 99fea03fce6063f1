import { deepFreeze } from '../objects/object.js';
import type { Draft, KubeObject } from '../objects/object.js';
import type { Kind } from '../objects/kind.js';
import { Collection } from './collection.js';
import { storeKey } from './stored-object.js';

/**
 * All objects of the cluster. Every write draws its resource version from one counter, as etcd does. Checks nothing:
 * the rules of the API are the business of the registry.
 */
export class ObjectStore {
  private readonly collections = new Map<Kind, Collection>();
  private lastRevision = 1;

  /** @param historyMax changes per kind that a watch may resume from, at least. */
  constructor(private readonly historyMax: number) {}

  get revision(): number {
    return this.lastRevision;
  }

  collection<T extends KubeObject>(kind: Kind<T>): Collection<T> {
    let collection = this.collections.get(kind) as unknown as Collection<T> | undefined;
    if (collection === undefined) {
      collection = new Collection(kind, this.historyMax);
      this.collections.set(kind, collection as unknown as Collection);
    }
    return collection;
  }

  get<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string): T | undefined {
    return this.collection(kind).get(storeKey(namespace, name))?.object;
  }

  /** In order of creation. */
  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): T[] {
    const objects: T[] = [];
    for (const { object } of this.collection(kind).values()) {
      if (namespace === undefined || object.metadata.namespace === namespace) objects.push(object);
    }
    return objects;
  }

  /** Writes a new version; the draft belongs to the store from here on. */
  put<T extends KubeObject>(kind: Kind<T>, draft: Draft<T>): T {
    const object = this.stamp<T>(draft);
    this.collection(kind).put(keyOf(object), object, this.lastRevision);
    return object;
  }

  /** Removes the object; the draft is its last state. */
  remove<T extends KubeObject>(kind: Kind<T>, draft: Draft<T>): T {
    const object = this.stamp<T>(draft);
    this.collection(kind).remove(keyOf(object), object, this.lastRevision);
    return object;
  }

  /** Forgets the history of all kinds: watches can resume from now only. */
  compact(): void {
    for (const collection of this.collections.values()) collection.compact();
  }

  private stamp<T extends KubeObject>(draft: Draft<T>): T {
    this.lastRevision++;
    (draft as Draft<KubeObject>).metadata.resourceVersion = this.lastRevision.toString();
    return deepFreeze(draft as T);
  }
}

function keyOf(object: KubeObject): string {
  return storeKey(object.metadata.namespace, object.metadata.name);
}
