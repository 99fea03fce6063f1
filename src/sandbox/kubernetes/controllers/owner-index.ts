import type { Kind } from '../objects/kind.js';
import { KINDS, PODS, REPLICA_SETS } from '../objects/kinds.js';
import { controllerOf } from '../objects/object.js';
import type { KubeObject } from '../objects/object.js';
import type { Pod } from '../objects/types.js';
import { nodeNameOf } from './pods.js';
import type { ObjectRef } from '../registry/registry.js';
import type { StoreEvent } from '../store/collection.js';
import type { ObjectStore } from '../store/object-store.js';
import type { StoredObject } from '../store/stored-object.js';

/** Who belongs to whom, and which pods run where, without a walk over all objects. Always up to date. */
export class OwnerIndex {
  private readonly byUid = new Map<string, StoredObject>();
  private readonly byOwner = new Map<string, Map<string, StoredObject>>();
  private readonly byNode = new Map<string, Map<string, StoredObject<Pod>>>();
  /** Objects without a controller that one may adopt, by resource and namespace. */
  private readonly orphans = new Map<string, Map<string, StoredObject>>();
  private readonly unsubscribe: (() => void)[] = [];

  constructor(store: ObjectStore) {
    for (const kind of KINDS) {
      const collection = store.collection(kind);
      for (const current of collection.values()) this.add(current);
      this.unsubscribe.push(collection.listen((event) => this.update(event)));
    }
  }

  stop(): void {
    for (const stop of this.unsubscribe.splice(0)) stop();
  }

  find(uid: string): StoredObject | undefined {
    return this.byUid.get(uid);
  }

  /** Objects with an owner reference to this one, in order of creation. */
  dependentsOf(uid: string): StoredObject[] {
    return [...(this.byOwner.get(uid)?.values() ?? [])];
  }

  /** Objects of one kind that the owner controls. */
  controlledBy<T extends KubeObject>(owner: KubeObject, kind: Kind<T>): T[] {
    const { uid } = owner.metadata;
    return this.dependentsOf(uid)
      .filter(({ kind: own, object }) => own === (kind as Kind) && controllerOf(object)?.uid === uid)
      .map(({ object }) => object as T);
  }

  /** Objects of one kind in a namespace that nobody controls. */
  orphansIn<T extends KubeObject>(kind: Kind<T>, namespace: string): T[] {
    const orphans = this.orphans.get(`${kind.plural}/${namespace}`)?.values() ?? [];
    return [...orphans].map(({ object }) => object as T);
  }

  podsOn(nodeName: string): Pod[] {
    return [...(this.byNode.get(nodeName)?.values() ?? [])].map(({ object }) => object);
  }

  private update({ type, current, previous }: StoreEvent): void {
    if (previous !== null) this.remove(previous);
    if (type !== 'DELETED') this.add(current);
  }

  private add(item: StoredObject): void {
    const key = `${item.kind.plural}/${item.key}`;
    this.byUid.set(item.object.metadata.uid, item);
    for (const { uid } of item.object.metadata.ownerReferences ?? []) put(this.byOwner, uid, key, item);
    if (isPod(item)) put(this.byNode, nodeNameOf(item.object), key, item);
    if (isOrphan(item)) put(this.orphans, homeOf(item), key, item);
  }

  private remove(item: StoredObject): void {
    const key = `${item.kind.plural}/${item.key}`;
    this.byUid.delete(item.object.metadata.uid);
    for (const { uid } of item.object.metadata.ownerReferences ?? []) drop(this.byOwner, uid, key);
    if (isPod(item)) drop(this.byNode, nodeNameOf(item.object), key);
    if (isOrphan(item)) drop(this.orphans, homeOf(item), key);
  }
}

function isPod(item: StoredObject): item is StoredObject<Pod> {
  return item.kind === PODS;
}

const ADOPTABLE: ReadonlySet<Kind> = new Set<Kind>([PODS, REPLICA_SETS]);

function isOrphan({ kind, object }: StoredObject): boolean {
  return ADOPTABLE.has(kind) && controllerOf(object) === undefined;
}

function homeOf({ kind, object }: StoredObject): string {
  return `${kind.plural}/${object.metadata.namespace ?? ''}`;
}

function put<T>(index: Map<string, Map<string, T>>, group: string, key: string, value: T): void {
  const members = index.get(group) ?? new Map<string, T>();
  members.set(key, value);
  index.set(group, members);
}

function drop<T>(index: Map<string, Map<string, T>>, group: string, key: string): void {
  const members = index.get(group);
  members?.delete(key);
  if (members?.size === 0) index.delete(group);
}

/** The controllers of one kind that a change of an owned object concerns: the owner before and the owner now. */
export function ownersOf(event: StoreEvent, ownerKind: string): ObjectRef[] {
  const refs: ObjectRef[] = [];
  for (const state of [event.previous, event.current]) {
    const owner = state === null ? undefined : controllerOf(state.object);
    if (owner?.kind !== ownerKind || refs.some((ref) => ref.name === owner.name)) continue;
    refs.push({ namespace: state!.object.metadata.namespace ?? '', name: owner.name });
  }
  return refs;
}
