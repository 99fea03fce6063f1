import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../kubernetes/storage.js';
import type { StorageIndex } from './storage-index.js';

/** A volume of a pod that stands for a claim, with what the claim names; null where that does not exist. */
export interface ClaimVolume {
  readonly name: string;
  /** A generic ephemeral volume: the claim is made for the pod and goes with it. */
  readonly isEphemeral: boolean;
  readonly claim: PersistentVolumeClaim | null;
  readonly volume: PersistentVolume | null;
  readonly storageClass: StorageClass | null;
}

export function resolveClaim(
  index: StorageIndex,
  namespace: string,
  name: string,
  isEphemeral: boolean,
): ClaimVolume {
  const claim = index.claim(namespace, name);
  return {
    name,
    isEphemeral,
    claim,
    volume: claim === null || claim.volumeName === '' ? null : index.volume(claim.volumeName),
    storageClass: claim === null ? null : index.storageClass(claim.className),
  };
}

/** The claim and its volume belong to each other for good. */
export function isBound({ volumeName, bindCompleted }: PersistentVolumeClaim): boolean {
  return volumeName !== '' && bindCompleted;
}
