import { NODES, PODS } from '../objects/kinds.js';
import type { Registry } from '../registry/registry.js';
import type { OwnerIndex } from './owner-index.js';
import { deletePod, newlyBound } from './pods.js';
import { Reconciler } from './reconciler.js';

/** How long a node must be gone before its pods are taken as lost; upstream value. */
const QUARANTINE_MS = 40_000;

/** Removes the pods of nodes that are gone. */
export function podCollector(registry: Registry, index: OwnerIndex): Reconciler {
  const goneSince = new Map<string, number>();
  return new Reconciler(registry, ({ name }, reconciler) => {
    const pods = index.podsOn(name);
    if (pods.length === 0 || registry.store.get(NODES, undefined, name) !== undefined) {
      goneSince.delete(name);
      return;
    }
    const since = goneSince.get(name) ?? registry.clock.now();
    goneSince.set(name, since);
    const leftMs = since + QUARANTINE_MS - registry.clock.now();
    if (leftMs > 0) return reconciler.addAfter({ namespace: '', name }, leftMs);
    for (const pod of pods) deletePod(registry, pod, { gracePeriodSeconds: 0 });
    goneSince.delete(name);
  })
    .watch(NODES, ({ type, current }) =>
      type === 'DELETED' ? [{ namespace: '', name: current.object.metadata.name }] : [],
    )
    .watch(PODS, newlyBound);
}
