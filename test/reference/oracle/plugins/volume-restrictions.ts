import type { Maybe, PodObject, VolumeObject } from '../api-objects.js';
import { namespaceOf, podsOn } from '../cluster.js';
import type { Cluster } from '../cluster.js';
import { claimVolumes, findClaim, notFound } from '../volumes.js';
import type { Plugin } from './plugin.js';

/** `scheduling` 3.7 */
export const volumeRestrictions: Plugin = {
  name: 'VolumeRestrictions',
  preFilter({ cluster, pod }) {
    const missing = namedClaims(pod).find((name) => findClaim(cluster, namespaceOf(pod), name) === undefined);
    return missing === undefined ? null : { rejection: notFound(missing) };
  },
  filter({ cluster, pod, node }) {
    if (podsOn(cluster, node).some((other) => disksConflict(pod, other)))
      return ['node(s) had no available disk'];
    if (hasExclusiveClaimInUse(cluster, pod)) {
      return [
        'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
      ];
    }
    return [];
  },
};

function namedClaims(pod: PodObject): string[] {
  return claimVolumes(pod)
    .filter((volume) => !volume.ephemeral)
    .map((volume) => volume.claimName);
}

function hasExclusiveClaimInUse(cluster: Cluster, pod: PodObject): boolean {
  const namespace = namespaceOf(pod);
  const used = cluster.placements
    .filter(({ pod: other }) => namespaceOf(other) === namespace)
    .flatMap(({ pod: other }) => namedClaims(other));
  return namedClaims(pod).some((name) => {
    const modes = findClaim(cluster, namespace, name)?.spec?.accessModes ?? [];
    return modes.includes('ReadWriteOncePod') && used.includes(name);
  });
}

function disksConflict(pod: PodObject, other: PodObject): boolean {
  return (pod.spec?.volumes ?? []).some((mine) =>
    (other.spec?.volumes ?? []).some((theirs) => sameDisk(mine, theirs)),
  );
}

/** Whether two inline volumes are one legacy disk that can't be shared. */
function sameDisk(mine: VolumeObject, theirs: VolumeObject): boolean {
  return (
    sameGceDisk(mine, theirs) || sameAwsDisk(mine, theirs) || sameIscsi(mine, theirs) || sameRbd(mine, theirs)
  );
}

function sameGceDisk(
  { gcePersistentDisk: a }: VolumeObject,
  { gcePersistentDisk: b }: VolumeObject,
): boolean {
  return a != null && b != null && (a.pdName ?? '') === (b.pdName ?? '') && !bothReadOnly(a, b);
}

function sameAwsDisk(a: VolumeObject, b: VolumeObject): boolean {
  if (a.awsElasticBlockStore == null || b.awsElasticBlockStore == null) return false;
  return (a.awsElasticBlockStore.volumeID ?? '') === (b.awsElasticBlockStore.volumeID ?? '');
}

function sameIscsi({ iscsi: a }: VolumeObject, { iscsi: b }: VolumeObject): boolean {
  return a != null && b != null && (a.iqn ?? '') === (b.iqn ?? '') && !bothReadOnly(a, b);
}

/** The API server writes the pool where nobody names one. */
const DEFAULT_POOL = 'rbd';

function sameRbd({ rbd: a }: VolumeObject, { rbd: b }: VolumeObject): boolean {
  if (a == null || b == null || bothReadOnly(a, b)) return false;
  const common = (a.monitors ?? []).some((monitor) => (b.monitors ?? []).includes(monitor));
  return (
    common && (a.pool ?? DEFAULT_POOL) === (b.pool ?? DEFAULT_POOL) && (a.image ?? '') === (b.image ?? '')
  );
}

function bothReadOnly(a: { readOnly?: Maybe<boolean> }, b: { readOnly?: Maybe<boolean> }): boolean {
  return a.readOnly === true && b.readOnly === true;
}
