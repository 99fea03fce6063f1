import type { ClaimObject, PersistentVolumeObject, PodObject, Texts } from '../api-objects.js';
import { findNamed, labelsOf, namespaceOf } from '../cluster.js';
import type { Cluster } from '../cluster.js';
import { claimVolumes, classNameOf, findClaim, notFound } from '../volumes.js';
import type { Plugin } from './plugin.js';

const GENERAL_KEY: Record<string, string | null> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone': null,
  'topology.kubernetes.io/region': null,
};

/** `scheduling` 3.9 */
export const volumeZone: Plugin = {
  name: 'VolumeZone',
  preFilter({ cluster, pod }) {
    for (const name of namedClaims(pod)) {
      const problem = claimProblem(cluster, namespaceOf(pod), name);
      if (problem !== null) return { rejection: problem };
    }
    return null;
  },
  filter({ cluster, pod, node }) {
    const labels = labelsOf(node);
    if (!Object.keys(GENERAL_KEY).some((key) => labels[key] !== undefined)) return [];
    const reached = volumesOf(cluster, pod)
      .flatMap(topologyOf)
      .every(({ key, values }) => {
        const value = labels[key] ?? valueUnderGeneralKey(labels, key);
        return value !== undefined && values.includes(value);
      });
    return reached ? [] : ['node(s) had no available volume zone'];
  },
};

function valueUnderGeneralKey(labels: Texts, key: string): string | undefined {
  const general = GENERAL_KEY[key];
  return general == null ? undefined : labels[general];
}

function namedClaims(pod: PodObject): string[] {
  return claimVolumes(pod)
    .filter((volume) => !volume.ephemeral)
    .map((volume) => volume.claimName);
}

function claimProblem(cluster: Cluster, namespace: string, name: string): string | null {
  if (name === '') return 'PersistentVolumeClaim had no name';
  const claim = findClaim(cluster, namespace, name);
  if (claim === undefined) return notFound(name);
  const volumeName = claim.spec?.volumeName ?? '';
  if (volumeName === '') return unboundProblem(cluster, claim);
  if (findNamed(cluster.persistentVolumes, volumeName) === undefined) {
    return `persistentvolume "${volumeName}" not found`;
  }
  return null;
}

function unboundProblem(cluster: Cluster, claim: ClaimObject): string | null {
  const className = classNameOf(claim);
  if (className === '') return 'PersistentVolumeClaim had no pv name and storageClass name';
  const storageClass = findNamed(cluster.storageClasses, className);
  if (storageClass === undefined) return `storageclass.storage.k8s.io "${className}" not found`;
  if (storageClass.volumeBindingMode == null)
    return `VolumeBindingMode not set for StorageClass "${className}"`;
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer' ? null : 'PersistentVolume had no name';
}

function volumesOf(cluster: Cluster, pod: PodObject): PersistentVolumeObject[] {
  return namedClaims(pod).flatMap((name) => {
    const claim = findClaim(cluster, namespaceOf(pod), name);
    return findNamed(cluster.persistentVolumes, claim?.spec?.volumeName ?? '') ?? [];
  });
}

/** Zones and regions by the volume's labels; a value with an empty part is ignored. */
function topologyOf(volume: PersistentVolumeObject): { key: string; values: string[] }[] {
  const labels = labelsOf(volume);
  return Object.keys(GENERAL_KEY).flatMap((key) => {
    const value = labels[key];
    if (value === undefined) return [];
    const values = value.split('__').map((part) => part.trim());
    return values.includes('') ? [] : [{ key, values }];
  });
}
