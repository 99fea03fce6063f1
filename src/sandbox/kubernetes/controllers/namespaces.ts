import { KINDS, NAMESPACES, SERVICE_ACCOUNTS } from '../objects/kinds.js';
import { draftOf } from '../objects/object.js';
import { deleteObject } from '../registry/deletion.js';
import type { Registry } from '../registry/registry.js';
import { Reconciler, refOf } from './reconciler.js';

/** How often a namespace that is going looks whether it is empty. */
const EMPTY_CHECK_MS = 1_000;

/** Gives every namespace its service account, and empties those that are being deleted. */
export function namespaceController(registry: Registry): Reconciler {
  return new Reconciler(registry, (ref, reconciler) => {
    const namespace = registry.store.get(NAMESPACES, undefined, ref.name);
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) {
      if (registry.store.get(SERVICE_ACCOUNTS, ref.name, 'default') === undefined) {
        registry.create(SERVICE_ACCOUNTS, { metadata: { name: 'default' } }, ref.name);
      }
      return;
    }
    const content = KINDS.filter((kind) => kind.namespaced).flatMap((kind) =>
      registry.store.list(kind, ref.name).map((object) => ({ kind, object })),
    );
    for (const { kind, object } of content) {
      if (object.metadata.deletionTimestamp === undefined) deleteObject(registry, kind, refOf(object));
    }
    if (content.length === 0) registry.store.remove(NAMESPACES, draftOf(namespace));
    else reconciler.addAfter(ref, EMPTY_CHECK_MS);
  }).watchOwn(NAMESPACES);
}
