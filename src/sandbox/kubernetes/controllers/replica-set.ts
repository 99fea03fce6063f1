import type { Kind } from '../objects/kind.js';
import { PODS, REPLICA_SETS, REPLICATION_CONTROLLERS } from '../objects/kinds.js';
import type { ReplicatedWorkload } from '../objects/types.js';
import type { Registry } from '../registry/registry.js';
import { adoptOrphans, ownersOrAdopters } from './adoption.js';
import type { OwnerIndex } from './owner-index.js';
import { byDispensability, createPod, deletePod, isActive, isReady, podFromTemplate } from './pods.js';
import { Reconciler, refOf } from './reconciler.js';

/** Pods made or deleted in one go; upstream limit. */
const BURST_MAX = 500;

/** Keeps as many pods as asked, for ReplicaSets and ReplicationControllers. */
export function replicaSetController(registry: Registry, index: OwnerIndex): Reconciler {
  return controllerOfKind(registry, index, REPLICA_SETS);
}

export function replicationControllerController(registry: Registry, index: OwnerIndex): Reconciler {
  return controllerOfKind(registry, index, REPLICATION_CONTROLLERS);
}

function controllerOfKind(registry: Registry, index: OwnerIndex, kind: Kind<ReplicatedWorkload>): Reconciler {
  const reconciler = new Reconciler(registry, (ref) => {
    const owner = registry.store.get(kind, ref.namespace, ref.name);
    if (owner?.metadata.deletionTimestamp !== undefined || owner === undefined) return;
    adoptOrphans(registry, index, owner, PODS);
    const complete = fillUp(registry, index, owner);
    if (!complete) reconciler.add(ref);
    writeStatus(registry, index, kind, owner);
  });
  return reconciler.watchOwn(kind).watch(PODS, (event) => ownersOrAdopters(registry, event, kind));
}

/** False if more must be done than one burst allows. */
function fillUp(registry: Registry, index: OwnerIndex, owner: ReplicatedWorkload): boolean {
  const active = index.controlledBy(owner, PODS).filter(isActive);
  const missing = (owner.spec.replicas ?? 1) - active.length;
  for (let count = 0; count < Math.min(missing, BURST_MAX); count++) {
    const pod = podFromTemplate(owner, owner.spec.template);
    pod.metadata!.generateName = `${owner.metadata.name}-`;
    createPod(registry, owner, pod);
  }
  if (missing < 0) {
    const doomed = active.sort(byDispensability).slice(0, Math.min(-missing, BURST_MAX));
    for (const pod of doomed) deletePod(registry, pod);
  }
  return Math.abs(missing) <= BURST_MAX;
}

function writeStatus(
  registry: Registry,
  index: OwnerIndex,
  kind: Kind<ReplicatedWorkload>,
  owner: ReplicatedWorkload,
): void {
  const active = index.controlledBy(owner, PODS).filter(isActive);
  const ready = active.filter(isReady).length;
  registry.modifyStatus(kind, refOf(owner), (draft) => {
    draft.status = {
      replicas: active.length,
      fullyLabeledReplicas: active.length,
      readyReplicas: ready,
      availableReplicas: ready,
      observedGeneration: owner.metadata.generation ?? 1,
    };
  });
}
