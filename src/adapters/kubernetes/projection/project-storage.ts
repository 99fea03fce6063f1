import type {
  CsiDriver,
  CsiNode,
  CsiStorageCapacity,
  StorageClass,
  VolumeAttachment,
} from '../../../domain/kubernetes/storage.js';
import { bytesOf } from './project-volume.js';
import { identityOf } from './projection.js';
import type { SharedRecords } from './projection.js';
import type {
  CsiDriverObject,
  CsiNodeObject,
  CsiStorageCapacityObject,
  StorageClassObject,
  VolumeAttachmentObject,
} from './storage-objects.js';

/** @throws BrokenObjectError */
export function projectStorageClass(object: StorageClassObject): StorageClass {
  return {
    name: identityOf(object.metadata).name,
    provisioner: object.provisioner ?? '',
    bindingMode: object.volumeBindingMode ?? null,
    allowedTopologies: (object.allowedTopologies ?? []).map(({ matchLabelExpressions }) =>
      (matchLabelExpressions ?? []).map(({ key, values }) => ({ key: key ?? '', values: values ?? [] })),
    ),
  };
}

/** @throws BrokenObjectError */
export function projectCsiNode(object: CsiNodeObject, shared: SharedRecords): CsiNode {
  const drivers = object.spec?.drivers ?? [];
  return {
    nodeName: shared.text(identityOf(object.metadata).name),
    limits: new Map(drivers.map(({ name, allocatable }) => [name ?? '', allocatable?.count ?? Infinity])),
  };
}

/** @throws BrokenObjectError */
export function projectCsiDriver(object: CsiDriverObject): CsiDriver {
  return {
    name: identityOf(object.metadata).name,
    storageCapacity: object.spec?.storageCapacity === true,
  };
}

/** @throws BrokenObjectError, QuantityError */
export function projectCsiStorageCapacity(
  object: CsiStorageCapacityObject,
  shared: SharedRecords,
): CsiStorageCapacity {
  identityOf(object.metadata);
  return {
    className: shared.text(object.storageClassName),
    nodeTopology: shared.labelSelector(object.nodeTopology),
    largestBytes: bytesOf(object.maximumVolumeSize ?? object.capacity),
  };
}

/** @throws BrokenObjectError */
export function projectVolumeAttachment(
  object: VolumeAttachmentObject,
  shared: SharedRecords,
): VolumeAttachment {
  identityOf(object.metadata);
  return {
    nodeName: shared.text(object.spec?.nodeName),
    attacher: shared.text(object.spec?.attacher),
    volumeName: object.spec?.source?.persistentVolumeName ?? '',
  };
}
