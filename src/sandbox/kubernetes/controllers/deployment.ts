import { withCondition } from '../objects/condition.js';
import { DEPLOYMENTS, REPLICA_SETS } from '../objects/kinds.js';
import { controlledBy, draftOf } from '../objects/object.js';
import type { ReplicatedWorkload } from '../objects/types.js';
import { deleteObject } from '../registry/deletion.js';
import type { Registry } from '../registry/registry.js';
import { scaledValue } from './int-or-percent.js';
import { adoptOrphans, ownersOrAdopters } from './adoption.js';
import type { OwnerIndex } from './owner-index.js';
import { Reconciler, refOf } from './reconciler.js';
import { templateHash } from './template-hash.js';

const HASH_LABEL = 'pod-template-hash';
const REVISION = 'deployment.kubernetes.io/revision';
/** `revisionHistoryLimit`, upstream default. */
const OLD_SETS_MAX = 10;

/** Rolls from the ReplicaSets of old templates to that of the present one. */
export function deploymentController(registry: Registry, index: OwnerIndex): Reconciler {
  return new Reconciler(registry, (ref) => {
    const deployment = registry.store.get(DEPLOYMENTS, ref.namespace, ref.name);
    if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return;
    adoptOrphans(registry, index, deployment, REPLICA_SETS);
    const sets = index.controlledBy(deployment, REPLICA_SETS);
    const hash = templateHash(deployment.spec.template);
    const current = sets.find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
    const old = sets.filter((set) => set !== current);
    roll(registry, deployment, current ?? createSet(registry, deployment, old, hash), old);
    writeStatus(registry, index, deployment, hash);
    forgetOldSets(registry, old);
  })
    .watchOwn(DEPLOYMENTS)
    .watch(REPLICA_SETS, (event) => ownersOrAdopters(registry, event, DEPLOYMENTS));
}

function createSet(
  registry: Registry,
  deployment: ReplicatedWorkload,
  old: readonly ReplicatedWorkload[],
  hash: string,
): ReplicatedWorkload {
  const { metadata, spec } = deployment;
  const template = draftOf(spec.template);
  template.metadata = { ...template.metadata, labels: { ...template.metadata?.labels, [HASH_LABEL]: hash } };
  const revision = 1 + Math.max(0, ...old.map((set) => Number(set.metadata.annotations?.[REVISION] ?? 0)));
  registry.modify(DEPLOYMENTS, refOf(deployment), (draft) => {
    draft.metadata.annotations = { ...draft.metadata.annotations, [REVISION]: revision.toString() };
  });
  const selector = draftOf(spec.selector ?? {});
  return registry.create(
    REPLICA_SETS,
    {
      metadata: {
        name: `${metadata.name}-${hash}`,
        labels: template.metadata.labels ?? {},
        annotations: { [REVISION]: revision.toString() },
        ownerReferences: [controlledBy(deployment)],
      },
      spec: {
        replicas: old.some(isScaled) ? 0 : (spec.replicas ?? 1),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
        template,
      },
    },
    metadata.namespace ?? '',
  );
}

function isScaled(set: ReplicatedWorkload): boolean {
  return (set.spec.replicas ?? 1) > 0 || (set.status?.replicas ?? 0) > 0;
}

function sizeOf(sets: readonly ReplicatedWorkload[]): number {
  return sets.reduce((sum, set) => sum + (set.spec.replicas ?? 1), 0);
}

/** One step: grow the new set as far as the surge allows, shrink the old ones as far as availability allows. */
function roll(
  registry: Registry,
  deployment: ReplicatedWorkload,
  current: ReplicatedWorkload,
  old: readonly ReplicatedWorkload[],
): void {
  const desired = deployment.spec.replicas ?? 1;
  const busy = old.filter(isScaled);
  if (busy.length === 0) return scaleSet(registry, current, desired);
  if (deployment.spec.strategy?.type === 'Recreate') {
    for (const set of busy) scaleSet(registry, set, 0);
    return;
  }
  const { maxSurge, maxUnavailable } = limitsOf(deployment);
  const size = current.spec.replicas ?? 1;
  const total = sizeOf([current, ...busy]);
  const grown = Math.max(size, Math.min(desired, size + desired + maxSurge - total));
  scaleSet(registry, current, size > desired ? desired : grown);
  const unavailable = Math.max(0, size - (current.status?.availableReplicas ?? 0));
  let spare = total - (desired - maxUnavailable) - unavailable;
  for (const set of busy) {
    const replicas = set.spec.replicas ?? 1;
    const removed = Math.max(0, Math.min(replicas, spare));
    scaleSet(registry, set, replicas - removed);
    spare -= removed;
  }
}

function limitsOf({ spec }: ReplicatedWorkload): { maxSurge: number; maxUnavailable: number } {
  const desired = spec.replicas ?? 1;
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge, desired, 'up');
  const unavailable = scaledValue(maxUnavailable, desired, 'down');
  return { maxSurge: surge, maxUnavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function scaleSet(registry: Registry, set: ReplicatedWorkload, replicas: number): void {
  registry.modify(REPLICA_SETS, refOf(set), (draft) => {
    draft.spec.replicas = replicas;
  });
}

function writeStatus(
  registry: Registry,
  index: OwnerIndex,
  deployment: ReplicatedWorkload,
  hash: string,
): void {
  const sets = index.controlledBy(deployment, REPLICA_SETS);
  const desired = deployment.spec.replicas ?? 1;
  const sum = (field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number =>
    sets.reduce((total, set) => total + (set.status?.[field] ?? 0), 0);
  const current = sets.find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
  const available = sum('availableReplicas');
  const updated = current?.status?.replicas ?? 0;
  const enough = available >= desired - limitsOf(deployment).maxUnavailable;
  const done = updated >= desired && available >= desired && sum('replicas') === updated;
  registry.modifyStatus(DEPLOYMENTS, refOf(deployment), (draft) => {
    const now = registry.now();
    const conditions = withCondition(
      draft.status?.conditions,
      enough
        ? { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }
        : { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable' },
      now,
    );
    const reason = done ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated';
    draft.status = {
      observedGeneration: deployment.metadata.generation ?? 1,
      replicas: sum('replicas'),
      updatedReplicas: updated,
      readyReplicas: sum('readyReplicas'),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, desired - available),
      conditions: withCondition(conditions, { type: 'Progressing', status: 'True', reason }, now),
    };
  });
}

function forgetOldSets(registry: Registry, old: readonly ReplicatedWorkload[]): void {
  const idle = old.filter((set) => !isScaled(set));
  for (const set of idle.slice(0, Math.max(0, idle.length - OLD_SETS_MAX))) {
    deleteObject(registry, REPLICA_SETS, refOf(set));
  }
}
