import { STORAGE_CLASSES } from '../objects/kinds.js';
import type { Pod, StorageClass, VolumeClaim } from '../objects/types.js';
import type { ObjectStore } from '../store/object-store.js';

export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
/** A class that only takes volumes which somebody made by hand. */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/** A claim that a pod names, or that is made for it. */
export interface ClaimUse {
  readonly name: string;
  /** Of a generic ephemeral volume. */
  readonly ephemeral: boolean;
}

export function claimsOf({ metadata, spec }: Pod): readonly ClaimUse[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }): ClaimUse[] => {
    const named = persistentVolumeClaim?.claimName;
    if (named !== undefined) return [{ name: named, ephemeral: false }];
    return ephemeral === undefined ? [] : [{ name: `${metadata.name}-${name}`, ephemeral: true }];
  });
}

export function classNameOf({ metadata, spec }: VolumeClaim): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? '';
}

export function classOf(store: ObjectStore, claim: VolumeClaim): StorageClass | undefined {
  return store.get(STORAGE_CLASSES, undefined, classNameOf(claim));
}

export function isBound({ metadata, spec }: VolumeClaim): boolean {
  return (spec.volumeName ?? '') !== '' && metadata.annotations?.[BIND_COMPLETED] !== undefined;
}

/** Bound only once a pod that uses it has found its node. */
export function isDelayed(store: ObjectStore, claim: VolumeClaim): boolean {
  return (
    !isBound(claim) &&
    (claim.spec.volumeName ?? '') === '' &&
    classOf(store, claim)?.volumeBindingMode === 'WaitForFirstConsumer'
  );
}

export function canProvision(storageClass: StorageClass | undefined): storageClass is StorageClass {
  const provisioner = storageClass?.provisioner ?? '';
  return provisioner !== '' && provisioner !== NO_PROVISIONER;
}
