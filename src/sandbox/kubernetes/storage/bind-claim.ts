import { CLAIMS, VOLUMES } from '../objects/kinds.js';
import type { StorageClass, Volume, VolumeClaim } from '../objects/types.js';
import type { ObjectRef, Registry } from '../registry/registry.js';
import { BIND_COMPLETED, classNameOf } from './claims.js';

/** Where a new volume can be used: labels that a node must have. Empty: anywhere. */
export type Topology = Readonly<Record<string, string>>;

function refOf({ metadata }: VolumeClaim | Volume): ObjectRef {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

/** Makes a volume for the claim, as a CSI provisioner does. */
export function provisionVolume(
  registry: Registry,
  claim: VolumeClaim,
  { provisioner, reclaimPolicy = 'Delete' }: StorageClass,
  topology: Topology,
): Volume {
  const { metadata, spec } = claim;
  const matchExpressions = Object.entries(topology).map(([key, value]) => ({
    key,
    operator: 'In',
    values: [value],
  }));
  return registry.create(
    VOLUMES,
    {
      metadata: {
        name: `pvc-${metadata.uid}`,
        annotations: { 'pv.kubernetes.io/provisioned-by': provisioner },
      },
      spec: {
        capacity: { storage: spec.resources?.requests?.['storage'] ?? '1Gi' },
        accessModes: spec.accessModes ?? ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: reclaimPolicy,
        storageClassName: classNameOf(claim),
        volumeMode: spec.volumeMode ?? 'Filesystem',
        csi: { driver: provisioner, volumeHandle: `vol-${metadata.uid}` },
        ...(matchExpressions.length === 0
          ? {}
          : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } }),
      },
    },
    '',
  );
}

/** Ties claim and volume together, for good. */
export function bindClaim(registry: Registry, claim: VolumeClaim, volume: Volume): void {
  const { name, namespace = '', uid } = claim.metadata;
  registry.modify(VOLUMES, refOf(volume), (draft) => {
    draft.spec.claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid };
  });
  registry.modifyStatus(VOLUMES, refOf(volume), (draft) => {
    draft.status = { ...draft.status, phase: 'Bound' };
  });
  registry.modify(CLAIMS, refOf(claim), (draft) => {
    draft.spec.volumeName = volume.metadata.name;
    draft.metadata.annotations = { ...draft.metadata.annotations, [BIND_COMPLETED]: 'yes' };
  });
  registry.modifyStatus(CLAIMS, refOf(claim), (draft) => {
    const { accessModes, capacity } = volume.spec;
    draft.status = {
      phase: 'Bound',
      ...(accessModes === undefined ? {} : { accessModes: [...accessModes] }),
      ...(capacity === undefined ? {} : { capacity: { ...capacity } }),
    };
  });
}
