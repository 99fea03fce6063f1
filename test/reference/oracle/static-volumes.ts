import type { ClaimObject, PersistentVolumeObject } from './api-objects.js';
import { isTerminating, labelsOf, nameOf, namespaceOf } from './cluster.js';
import type { Question } from './cluster.js';
import { parseQuantity } from './quantity.js';
import { selectsLeniently } from './requirements.js';
import { classNameOf, volumeReaches } from './volumes.js';

/** What a claim asks for, or null where it states no size. */
export function requestedSize(claim: ClaimObject): bigint | null {
  const text = claim.spec?.resources?.requests?.['storage'];
  return text === undefined ? null : parseQuantity(text);
}

/** The existing volume that a delayed claim would get on this node (`scheduling` 3.8), or undefined. */
export function chooseStaticVolume(
  { cluster, node }: Question,
  claim: ClaimObject,
  taken: ReadonlySet<PersistentVolumeObject>,
): PersistentVolumeObject | undefined {
  const usable = cluster.persistentVolumes.filter((volume) => !taken.has(volume) && isUsable(volume, claim));
  const reserved = usable.find((volume) => isReservedFor(volume, claim));
  if (reserved !== undefined) return volumeReaches(reserved, node) ? reserved : undefined;
  let smallest: PersistentVolumeObject | undefined;
  for (const volume of usable) {
    if (!isOpenFor(volume, claim) || !volumeReaches(volume, node)) continue;
    if (smallest === undefined || capacityOf(volume) < capacityOf(smallest)) smallest = volume;
  }
  return smallest;
}

function isUsable(volume: PersistentVolumeObject, claim: ClaimObject): boolean {
  return (
    classNameOf(volume) === classNameOf(claim) &&
    (volume.spec?.claimRef == null || isReservedFor(volume, claim)) &&
    capacityOf(volume) >= (requestedSize(claim) ?? 0n) &&
    (volume.spec?.volumeMode ?? 'Filesystem') === (claim.spec?.volumeMode ?? 'Filesystem') &&
    (volume.spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '') &&
    !isTerminating(volume)
  );
}

function isReservedFor(volume: PersistentVolumeObject, claim: ClaimObject): boolean {
  const reference = volume.spec?.claimRef;
  if (reference == null) return false;
  if ((reference.name ?? '') !== nameOf(claim) || (reference.namespace ?? '') !== namespaceOf(claim))
    return false;
  const uid = reference.uid ?? '';
  return uid === '' || uid === (claim.metadata?.uid ?? '');
}

function isOpenFor(volume: PersistentVolumeObject, claim: ClaimObject): boolean {
  const selector = claim.spec?.selector;
  const modes = volume.spec?.accessModes ?? [];
  return (
    volume.status?.phase === 'Available' &&
    (selector == null || selectsLeniently(selector, labelsOf(volume))) &&
    (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode))
  );
}

function capacityOf(volume: PersistentVolumeObject): bigint {
  return parseQuantity(volume.spec?.capacity?.['storage'] ?? null) ?? 0n;
}
