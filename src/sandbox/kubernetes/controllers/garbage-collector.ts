import { KINDS } from '../objects/kinds.js';
import type { KubeObject } from '../objects/object.js';
import type { Kind } from '../objects/kind.js';
import { deleteObject, FOREGROUND, ORPHAN } from '../registry/deletion.js';
import type { Registry } from '../registry/registry.js';
import type { StoredObject } from '../store/stored-object.js';
import type { OwnerIndex } from './owner-index.js';
import { refOf } from './reconciler.js';

/**
 * Deletes what an owner leaves behind. Acts on deletions that it sees; an object whose owner never existed is left
 * alone, unlike in a real cluster, so that tests may invent owners.
 */
export class GarbageCollector {
  private readonly unsubscribe: (() => void)[] = [];

  constructor(
    private readonly registry: Registry,
    private readonly index: OwnerIndex,
  ) {}

  start(): void {
    for (const kind of KINDS) {
      const stop = this.registry.store.collection(kind).listen(({ type, current }) => {
        const { uid, deletionTimestamp, ownerReferences } = current.object.metadata;
        if (type === 'DELETED') {
          this.soon(() => this.collect(uid));
          // Its owner may have waited for this.
          for (const owner of ownerReferences ?? []) this.soon(() => this.releaseOwner(owner.uid));
        } else if (deletionTimestamp !== undefined) {
          this.soon(() => this.finalize(kind, current.object));
        }
      });
      this.unsubscribe.push(stop);
    }
  }

  stop(): void {
    for (const stop of this.unsubscribe.splice(0)) stop();
  }

  private soon(task: () => void): void {
    this.registry.clock.schedule(0, task);
  }

  /** Deletes dependents that have no other owner left. */
  private collect(ownerUid: string): void {
    for (const dependent of this.index.dependentsOf(ownerUid)) {
      const others = dependent.object.metadata.ownerReferences!.filter(
        (owner) => owner.uid !== ownerUid && this.index.find(owner.uid) !== undefined,
      );
      if (others.length === 0) this.delete(dependent);
    }
  }

  private delete({ kind, object }: StoredObject): void {
    const current = this.registry.store.get(kind, object.metadata.namespace, object.metadata.name);
    if (current?.metadata.uid !== object.metadata.uid) return;
    if (current.metadata.deletionTimestamp !== undefined) return;
    deleteObject(this.registry, kind, refOf(object), { propagationPolicy: 'Background' });
  }

  /** What the finalizers of an owner that is being deleted ask for. */
  private finalize(kind: Kind, owner: KubeObject): void {
    const finalizers = owner.metadata.finalizers ?? [];
    const { uid } = owner.metadata;
    if (finalizers.includes(ORPHAN)) {
      for (const dependent of this.index.dependentsOf(uid)) this.orphan(dependent, uid);
      this.removeFinalizer(kind, owner, ORPHAN);
    } else if (finalizers.includes(FOREGROUND)) {
      for (const dependent of this.index.dependentsOf(uid)) this.delete(dependent);
      if (this.index.dependentsOf(uid).length === 0) this.removeFinalizer(kind, owner, FOREGROUND);
    }
  }

  private orphan({ kind, object }: StoredObject, ownerUid: string): void {
    this.registry.modify(kind, refOf(object), (draft) => {
      draft.metadata.ownerReferences = (draft.metadata.ownerReferences ?? []).filter(
        ({ uid }) => uid !== ownerUid,
      );
    });
  }

  private removeFinalizer(kind: Kind, object: KubeObject, finalizer: string): void {
    this.registry.modify(kind, refOf(object), (draft) => {
      draft.metadata.finalizers = (draft.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    });
  }

  private releaseOwner(uid: string): void {
    const owner = this.index.find(uid);
    if (owner?.object.metadata.deletionTimestamp !== undefined) this.finalize(owner.kind, owner.object);
  }
}
