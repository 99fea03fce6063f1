import type {
  ClaimReference,
  PersistentVolume,
  PersistentVolumeClaim,
} from '../../../domain/kubernetes/storage.js';
import { readQuantity, toUnits } from '../../../domain/kubernetes/quantity.js';
import type { Maybe, MetadataJson } from './api-objects.js';
import { controllerOf } from './project-pod-shape.js';
import { identityOf } from './projection.js';
import type { SharedRecords } from './projection.js';
import type { ClaimObject, VolumeObject } from './storage-objects.js';

/** Older than the field `spec.storageClassName`, and stronger. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const BIND_COMPLETED_ANNOTATION = 'pv.kubernetes.io/bind-completed';
const SELECTED_NODE_ANNOTATION = 'volume.kubernetes.io/selected-node';
const FILESYSTEM = 'Filesystem';

/** @throws BrokenObjectError, QuantityError */
export function projectVolume(object: VolumeObject, shared: SharedRecords): PersistentVolume {
  const { name } = identityOf(object.metadata);
  const { metadata, spec, status } = object;
  const affinity = spec?.nodeAffinity?.required;
  return {
    name,
    labels: shared.labels(metadata?.labels),
    className: classNameOf(metadata, spec?.storageClassName, shared),
    capacityBytes: bytesOf(spec?.capacity?.['storage']) ?? 0,
    accessModes: shared.texts(spec?.accessModes),
    volumeMode: shared.text(spec?.volumeMode ?? FILESYSTEM),
    attributesClassName: shared.text(spec?.volumeAttributesClassName),
    phase: shared.text(status?.phase),
    terminating: metadata?.deletionTimestamp != null,
    claimRef: spec?.claimRef == null ? null : projectReference(spec.claimRef, shared),
    nodeAffinity: affinity == null ? null : shared.nodeSelector(affinity.nodeSelectorTerms),
    csi:
      spec?.csi == null
        ? null
        : { driver: shared.text(spec.csi.driver), volumeHandle: spec.csi.volumeHandle ?? '' },
  };
}

/** @throws BrokenObjectError, QuantityError */
export function projectClaim(object: ClaimObject, shared: SharedRecords): PersistentVolumeClaim {
  const { uid, namespace, name } = identityOf(object.metadata);
  const { metadata, spec, status } = object;
  const annotations = metadata?.annotations ?? {};
  return {
    uid,
    namespace: shared.text(namespace),
    name,
    className: classNameOf(metadata, spec?.storageClassName, shared),
    volumeName: spec?.volumeName ?? '',
    bindCompleted: annotations[BIND_COMPLETED_ANNOTATION] !== undefined,
    phase: shared.text(status?.phase),
    terminating: metadata?.deletionTimestamp != null,
    controllerUid: controllerOf(metadata?.ownerReferences)?.uid ?? '',
    accessModes: shared.texts(spec?.accessModes),
    volumeMode: shared.text(spec?.volumeMode ?? FILESYSTEM),
    attributesClassName: shared.text(spec?.volumeAttributesClassName),
    selector: shared.labelSelector(spec?.selector),
    requestBytes: bytesOf(spec?.resources?.requests?.['storage']),
    selectedNode: annotations[SELECTED_NODE_ANNOTATION] ?? null,
  };
}

function classNameOf(metadata: Maybe<MetadataJson>, className: Maybe<string>, shared: SharedRecords): string {
  return shared.text(metadata?.annotations?.[CLASS_ANNOTATION] ?? className);
}

function projectReference(
  { namespace, name, uid }: NonNullable<NonNullable<VolumeObject['spec']>['claimRef']>,
  shared: SharedRecords,
): ClaimReference {
  return { namespace: shared.text(namespace), name: name ?? '', uid: uid ?? '' };
}

/** Null where nothing is stated. @throws QuantityError */
export function bytesOf(written: unknown): number | null {
  return written == null ? null : toUnits(readQuantity(written).nano);
}
