import { HOSTNAME_LABEL } from '../../kubernetes/labels.js';
import type { LabelSelector } from '../../kubernetes/selectors.js';
import type { PersistentVolume } from '../../kubernetes/storage.js';
import type { PodVolumes } from './pod-volumes.js';
import type { DelayedClaim } from './static-volumes.js';
import type { StorageIndex } from './storage-index.js';
import { ZONE_KEYS } from './volume-zones.js';

/** Label keys of nodes that decide whether a pod's volumes can be had there. */
export function keysReadForVolumes({ needs, index }: PodVolumes): ReadonlySet<string> {
  const { bound, delayed, zones } = needs;
  return new Set([
    ...bound.flatMap(({ volume }) => (volume === null ? [] : affinityKeys(volume))),
    ...delayed.flatMap((claim) => keysOfDelayed(claim, index)),
    ...(zones.length > 0 ? ZONE_KEYS : []),
  ]);
}

/** Whether nodes of different names but equal labels may be judged differently. */
export function volumesNameNodes(volumes: PodVolumes): boolean {
  return (
    volumes.needs.delayed.some(({ claim }) => claim.selectedNode !== null) ||
    keysReadForVolumes(volumes).has(HOSTNAME_LABEL)
  );
}

function keysOfDelayed({ storageClass, reserved, open }: DelayedClaim, index: StorageIndex): string[] {
  const { name, provisioner, allowedTopologies } = storageClass;
  const capacities = index.publishesCapacity(provisioner) ? index.capacitiesOf(name) : [];
  return [
    ...[...reserved, ...open].flatMap(affinityKeys),
    ...allowedTopologies.flat().map(({ key }) => key),
    ...capacities.flatMap(({ nodeTopology }) => (nodeTopology === null ? [] : selectorKeys(nodeTopology))),
  ];
}

function affinityKeys({ nodeAffinity }: PersistentVolume): string[] {
  return (nodeAffinity?.terms ?? []).flatMap(({ matchExpressions }) =>
    matchExpressions.map(({ key }) => key),
  );
}

function selectorKeys({ matchLabels, matchExpressions }: LabelSelector): string[] {
  return [...matchLabels.keys(), ...matchExpressions.map(({ key }) => key)];
}
