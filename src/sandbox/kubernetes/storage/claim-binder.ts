import { ApiError } from '../objects/api-error.js';
import { CLAIMS, PODS, STORAGE_CLASSES, VOLUMES } from '../objects/kinds.js';
import { controlledBy, draftOf } from '../objects/object.js';
import type { Pod, Volume, VolumeClaim } from '../objects/types.js';
import { Reconciler, refOf } from '../controllers/reconciler.js';
import { deleteObject } from '../registry/deletion.js';
import type { Registry } from '../registry/registry.js';
import { bindClaim, provisionVolume } from './bind-claim.js';
import { canProvision, classOf, isBound, isDelayed } from './claims.js';
import { findStaticVolume } from './volumes.js';

/** Binds claims that wait for no consumer, and makes volumes for them. */
export function claimBinder(registry: Registry): Reconciler {
  const { store } = registry;
  return new Reconciler(registry, (ref) => {
    const claim = store.get(CLAIMS, ref.namespace, ref.name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
    const named = claim.spec.volumeName ?? '';
    const volume = named === '' ? undefined : store.get(VOLUMES, undefined, named);
    if (isBound(claim)) {
      if (volume === undefined) setPhase(registry, claim, 'Lost');
      else if (claim.status?.phase !== 'Bound') bindClaim(registry, claim, volume);
    } else if (volume !== undefined) bindClaim(registry, claim, volume);
    else if (named === '' && !isDelayed(store, claim)) bindNow(registry, claim);
  })
    .watchOwn(CLAIMS)
    .watch(VOLUMES, () =>
      store
        .list(CLAIMS)
        .filter((claim) => claim.status?.phase !== 'Bound')
        .map(refOf),
    )
    .watch(STORAGE_CLASSES, () =>
      store
        .list(CLAIMS)
        .filter((claim) => !isBound(claim))
        .map(refOf),
    );
}

function bindNow(registry: Registry, claim: VolumeClaim): void {
  const found = findStaticVolume(registry.store, claim);
  const storageClass = classOf(registry.store, claim);
  if (found !== undefined) bindClaim(registry, claim, found);
  else if (canProvision(storageClass))
    bindClaim(registry, claim, provisionVolume(registry, claim, storageClass, {}));
}

function setPhase(registry: Registry, claim: VolumeClaim, phase: string): void {
  registry.modifyStatus(CLAIMS, refOf(claim), (draft) => {
    draft.status = { ...draft.status, phase };
  });
}

/** Frees or deletes the volumes of claims that are gone, as their reclaim policy says. */
export function volumeReclaimer(registry: Registry): Reconciler {
  const { store } = registry;
  return new Reconciler(registry, ({ name }) => {
    const volume = store.get(VOLUMES, undefined, name);
    const owner = volume?.spec.claimRef;
    if (volume === undefined || owner === undefined || volume.status?.phase !== 'Bound') return;
    const claim = store.get(CLAIMS, owner.namespace, owner.name);
    if (claim?.metadata.uid === owner.uid) return;
    if (volume.spec.persistentVolumeReclaimPolicy === 'Delete') {
      deleteObject(registry, VOLUMES, refOf(volume));
    } else release(registry, volume);
  })
    .watchOwn(VOLUMES)
    .watch(CLAIMS, ({ type, current }) =>
      type === 'DELETED' ? [{ namespace: '', name: current.object.spec.volumeName ?? '' }] : [],
    );
}

function release(registry: Registry, volume: Volume): void {
  registry.modifyStatus(VOLUMES, refOf(volume), (draft) => {
    draft.status = { ...draft.status, phase: 'Released' };
  });
}

/** Makes the claims of generic ephemeral volumes; they go with their pod. */
export function ephemeralVolumeController(registry: Registry): Reconciler {
  return new Reconciler(registry, (ref) => {
    const pod = registry.store.get(PODS, ref.namespace, ref.name);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    for (const { name, ephemeral } of pod.spec.volumes ?? []) {
      const template = ephemeral?.volumeClaimTemplate;
      if (template !== undefined) createClaim(registry, pod, `${pod.metadata.name}-${name}`, template);
    }
  }).watch(PODS, ({ type, current: { object } }) =>
    type === 'ADDED' && object.spec?.volumes?.some(({ ephemeral }) => ephemeral !== undefined) === true
      ? [refOf(object)]
      : [],
  );
}

function createClaim(
  registry: Registry,
  pod: Pod,
  name: string,
  template: { readonly spec?: unknown },
): void {
  const metadata = { name, ownerReferences: [controlledBy(pod)] };
  try {
    registry.create(CLAIMS, { metadata, spec: draftOf(template.spec) }, pod.metadata.namespace ?? '');
  } catch (error) {
    // It is there already; whether it is this pod's is the scheduler's question.
    if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
  }
}
