import type {
  ClaimObject,
  ContainerObject,
  CsiDriverObject,
  CsiNodeObject,
  NodeObject,
  PersistentVolumeObject,
  PodObject,
  Quantities,
  SpreadConstraintObject,
  StorageCapacityObject,
  StorageClassObject,
  TolerationObject,
  VolumeAttachmentObject,
  VolumeObject,
} from '../../reference/oracle/api-objects.js';
import type { Json } from './api-client.js';

/**
 * Generated objects as manifests: what an API server requires is added where it is missing (an image, the source of a
 * volume, the limit of an extended resource), and what it would often refuse is made acceptable (a skew of 0). The rest
 * is left to its own judgement.
 */

const SOME_SIZE = { storage: '1Gi' };

export function namespaceManifest(name: string): Json {
  return { ...core('Namespace'), metadata: { name } };
}

export function nodeManifest({ metadata, spec, status }: NodeObject): Json {
  return { ...core('Node'), metadata: named(metadata), spec, status };
}

/** Without resource claims: the program does not simulate them (`scheduling` 3.12). */
export function podManifest({ metadata, spec }: PodObject): Json {
  const kept = without(spec ?? {}, 'resourceClaims', 'overhead');
  return {
    ...core('Pod'),
    metadata: named(metadata),
    spec: {
      ...kept,
      ...(spec?.containers != null && { containers: spec.containers.map(containerManifest) }),
      ...(spec?.initContainers != null && { initContainers: spec.initContainers.map(containerManifest) }),
      ...(spec?.resources != null && { resources: withLimits(spec.resources) }),
      ...(spec?.volumes != null && { volumes: spec.volumes.map(volumeSource) }),
      ...(spec?.tolerations != null && { tolerations: spec.tolerations.map(tolerationManifest) }),
      ...(spec?.topologySpreadConstraints != null && {
        topologySpreadConstraints: spec.topologySpreadConstraints.map(constraintManifest),
      }),
      terminationGracePeriodSeconds: 3_600,
    },
  };
}

/** A pod's overhead comes from the runtime class that it names. */
export function runtimeClassManifest(name: string, overhead: Quantities): Json {
  return {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name },
    handler: 'any',
    overhead: { podFixed: overhead },
  };
}

/** With the owner's real UID in place of the generated one. */
export function claimManifest({ metadata, spec }: ClaimObject, owner?: Json): Json {
  const { ownerReferences, ...rest } = named(metadata);
  return {
    ...core('PersistentVolumeClaim'),
    metadata: {
      ...rest,
      ...(ownerReferences != null && { ownerReferences: owners(ownerReferences, owner) }),
    },
    spec: {
      ...spec,
      accessModes: accessModesOf(spec?.accessModes),
      resources: { requests: sizeOf(spec?.resources?.requests) },
    },
  };
}

/** At least one, and nothing beside this one. */
function accessModesOf(modes: readonly string[] | null | undefined): readonly string[] {
  if (modes == null || modes.length === 0) return ['ReadWriteOnce'];
  return modes.includes('ReadWriteOncePod') ? ['ReadWriteOncePod'] : modes;
}

function sizeOf(amounts: Quantities | null | undefined): Quantities {
  return (amounts?.['storage'] ?? '0') === '0' ? SOME_SIZE : { ...amounts };
}

export function owners(references: readonly Json[], owner?: Json): Json[] {
  return references.map(({ uid, controller }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name: owner?.['metadata'].name ?? 'unknown',
    uid: uid === owner?.['generatedUid'] ? owner?.['metadata'].uid : uid,
    controller,
  }));
}

/** `uids`: real ones of claims by generated ones. */
export function volumeManifest(volume: PersistentVolumeObject, uids: ReadonlyMap<string, string>): Json {
  const { csi, claimRef, nodeAffinity, volumeAttributesClassName, ...spec } = volume.spec ?? {};
  const reference = claimRef && { ...claimRef, uid: uids.get(claimRef.uid ?? '') ?? claimRef.uid };
  return {
    ...core('PersistentVolume'),
    metadata: named(volume.metadata),
    spec: {
      ...spec,
      accessModes: accessModesOf(spec.accessModes),
      capacity: sizeOf(spec.capacity),
      ...(nodeAffinity?.required != null && { nodeAffinity }),
      ...(csi == null ? { nfs: { server: 'nowhere', path: '/' } } : { csi, volumeAttributesClassName }),
      ...(reference != null && { claimRef: reference }),
    },
  };
}

export function storageClassManifest({ metadata, ...rest }: StorageClassObject): Json {
  return { ...storage('StorageClass'), ...rest, metadata: named(metadata) };
}

export function csiNodeManifest({ metadata, spec }: CsiNodeObject): Json {
  const drivers = (spec?.drivers ?? []).map((driver) => ({ nodeID: 'any', topologyKeys: [], ...driver }));
  return { ...storage('CSINode'), metadata: named(metadata), spec: { drivers } };
}

export function csiDriverManifest({ metadata, spec }: CsiDriverObject): Json {
  return { ...storage('CSIDriver'), metadata: named(metadata), spec };
}

export function capacityManifest({ metadata, ...rest }: StorageCapacityObject): Json {
  return { ...storage('CSIStorageCapacity'), ...rest, metadata: named(metadata) };
}

export function attachmentManifest({ metadata, spec }: VolumeAttachmentObject): Json {
  return { ...storage('VolumeAttachment'), metadata: named(metadata), spec };
}

function core(kind: string) {
  return { apiVersion: 'v1', kind };
}

function storage(kind: string) {
  return { apiVersion: 'storage.k8s.io/v1', kind };
}

/** The server gives UIDs, and deletes. */
function named(metadata: unknown): Json {
  return without(metadata ?? {}, 'uid', 'deletionTimestamp');
}

function without(object: object, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function containerManifest(container: ContainerObject): Json {
  const { resources, restartPolicy, ...rest } = container;
  return {
    ...rest,
    image: 'any',
    ...(resources != null && { resources: withLimits(resources) }),
    // Only sidecars have one.
    ...(restartPolicy === 'Always' && { restartPolicy }),
  };
}

/** Extended resources and huge pages must be limited to what is asked for. */
function withLimits(resources: NonNullable<ContainerObject['resources']>): Json {
  const asked = Object.entries(resources.requests ?? {});
  const limited = asked.filter(([name]) => name.includes('/') || name.startsWith('hugepages-'));
  return { ...resources, ...(limited.length > 0 && { limits: Object.fromEntries(limited) }) };
}

/** `Exists` has no value, and nothing else has no key. */
function tolerationManifest({ value, ...toleration }: TolerationObject): Json {
  return toleration.operator === 'Exists' ? toleration : { ...toleration, value };
}

/** At least one of each; a number of domains is for hard constraints only. */
function constraintManifest({ maxSkew, minDomains, ...constraint }: SpreadConstraintObject): Json {
  const hasMinimum = constraint.whenUnsatisfiable === 'DoNotSchedule' && (minDomains ?? 0) > 0;
  return { ...constraint, maxSkew: Math.max(maxSkew ?? 1, 1), ...(hasMinimum && { minDomains }) };
}

function volumeSource(volume: VolumeObject): Json {
  if (volume.iscsi != null) {
    const iqn = `iqn.2026-01.example:${volume.iscsi.iqn ?? ''}`;
    return { ...volume, iscsi: { targetPortal: 'nowhere', lun: 0, ...volume.iscsi, iqn } };
  }
  if (volume.ephemeral == null) return volume;
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  return { ...volume, ephemeral: { volumeClaimTemplate: { spec } } };
}
