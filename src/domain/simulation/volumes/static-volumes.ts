import { labelSelectorMatches, nodeSelectorMatches } from '../../kubernetes/match-selector.js';
import type { Labels } from '../../kubernetes/labels.js';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../kubernetes/storage.js';
import type { StorageIndex } from './storage-index.js';

/** Whether nodes with these labels reach the volume; requirements on fields of nodes are not looked at. */
export function reachesVolume(labels: Labels, { nodeAffinity }: PersistentVolume): boolean {
  return nodeAffinity === null || nodeSelectorMatches(nodeAffinity, { name: '', labels });
}

/** A claim that waits for its pod to be placed, with the existing volumes that it may be bound to on some node. */
export interface DelayedClaim {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  /** Volumes that name the claim; if there is one, it is this or none. */
  readonly reserved: readonly PersistentVolume[];
  readonly open: readonly PersistentVolume[];
}

export function delayedClaim(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  index: StorageIndex,
): DelayedClaim {
  return {
    claim,
    storageClass,
    reserved: index
      .volumesReservedFor(claim)
      .filter((volume) => volume.className === claim.className && isLargeAndAlike(volume, claim)),
    open: index
      .openVolumes(claim.className)
      .filter(
        (volume) =>
          isLargeAndAlike(volume, claim) &&
          (claim.selector === null || labelSelectorMatches(claim.selector, volume.labels)) &&
          claim.accessModes.every((mode) => volume.accessModes.includes(mode)),
      ),
  };
}

function isLargeAndAlike(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    volume.capacityBytes >= (claim.requestBytes ?? 0) &&
    volume.volumeMode === claim.volumeMode &&
    volume.attributesClassName === claim.attributesClassName
  );
}

/** The claims that get no existing volume on a node with these labels (`scheduling` 3.8); small claims choose first. */
export function claimsWithoutVolume(
  claims: readonly DelayedClaim[],
  labels: Labels,
): readonly DelayedClaim[] {
  const taken = new Set<PersistentVolume>();
  const left: DelayedClaim[] = [];
  for (const delayed of smallestFirst(claims)) {
    const volume = choose(delayed, labels, taken);
    if (volume === null) left.push(delayed);
    else taken.add(volume);
  }
  return left;
}

function choose(
  { reserved, open }: DelayedClaim,
  labels: Labels,
  taken: ReadonlySet<PersistentVolume>,
): PersistentVolume | null {
  const named = reserved.find((volume) => !taken.has(volume));
  if (named !== undefined) return reachesVolume(labels, named) ? named : null;
  let smallest: PersistentVolume | null = null;
  for (const volume of open) {
    if (smallest !== null && volume.capacityBytes >= smallest.capacityBytes) continue;
    if (!taken.has(volume) && reachesVolume(labels, volume)) smallest = volume;
  }
  return smallest;
}

function smallestFirst(claims: readonly DelayedClaim[]): readonly DelayedClaim[] {
  if (claims.length < 2) return claims;
  return [...claims].sort(
    ({ claim: left }, { claim: right }) => (left.requestBytes ?? 0) - (right.requestBytes ?? 0),
  );
}
