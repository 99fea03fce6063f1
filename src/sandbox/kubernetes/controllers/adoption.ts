import type { Kind } from '../objects/kind.js';
import { controlledBy, controllerOf } from '../objects/object.js';
import type { KubeObject } from '../objects/object.js';
import { selectorMatches } from '../objects/selector.js';
import type { ReplicatedWorkload } from '../objects/types.js';
import type { ObjectRef, Registry } from '../registry/registry.js';
import type { StoreEvent } from '../store/collection.js';
import type { OwnerIndex } from './owner-index.js';
import { ownersOf } from './owner-index.js';
import { refOf } from './reconciler.js';

/** Takes over what a controller's selector matches and nobody controls, as after a deletion with `--cascade=orphan`. */
export function adoptOrphans(
  registry: Registry,
  index: OwnerIndex,
  owner: ReplicatedWorkload,
  kind: Kind,
): void {
  for (const orphan of index.orphansIn(kind, owner.metadata.namespace ?? '')) {
    const { metadata } = orphan;
    if (metadata.deletionTimestamp !== undefined || !selects(owner, orphan)) continue;
    registry.modify(kind, refOf(orphan), (draft) => {
      draft.metadata.ownerReferences = [...(draft.metadata.ownerReferences ?? []), controlledBy(owner)];
    });
  }
}

/** The controllers of a kind that a change concerns: owners, and for an orphan those that may adopt it. */
export function ownersOrAdopters(
  registry: Registry,
  event: StoreEvent,
  ownerKind: Kind<ReplicatedWorkload>,
): readonly ObjectRef[] {
  const { object } = event.current;
  if (event.type === 'DELETED' || controllerOf(object) !== undefined) return ownersOf(event, ownerKind.kind);
  const adopters = registry.store.list(ownerKind, object.metadata.namespace);
  return [
    ...ownersOf(event, ownerKind.kind),
    ...adopters.filter((owner) => selects(owner, object)).map(refOf),
  ];
}

function selects(owner: ReplicatedWorkload, object: KubeObject): boolean {
  const { selector } = owner.spec;
  const isEmpty =
    Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions ?? []).length === 0;
  return !isEmpty && selectorMatches(selector, object.metadata.labels);
}
