import { NO_LABELS } from '../../src/domain/kubernetes/labels.js';
import type { NodeSelector } from '../../src/domain/kubernetes/selectors.js';
import { NO_STORAGE, WAIT_FOR_FIRST_CONSUMER } from '../../src/domain/kubernetes/storage.js';
import type {
  ClusterStorage,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from '../../src/domain/kubernetes/storage.js';
import { GIB } from './builders.js';

/** Storage records for tests: say what matters, the rest is a healthy default. */

export const HCLOUD_DRIVER = 'csi.hetzner.cloud';
export const HCLOUD_CLASS = 'hcloud-volumes';
export const HCLOUD_LOCATION = 'csi.hetzner.cloud/location';

export function buildStorage(parts: Partial<ClusterStorage>): ClusterStorage {
  return { ...NO_STORAGE, ...parts };
}

/** A class of the cloud's driver that waits for the first consumer. */
export function buildClass(fields: Partial<StorageClass> = {}): StorageClass {
  return {
    name: HCLOUD_CLASS,
    provisioner: HCLOUD_DRIVER,
    bindingMode: WAIT_FOR_FIRST_CONSUMER,
    allowedTopologies: [],
    ...fields,
  };
}

/** A claim of 10 GiB of the cloud's class that is not bound. */
export function buildClaim(name: string, fields: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  return {
    uid: `uid-claim-${name}`,
    namespace: 'default',
    name,
    className: HCLOUD_CLASS,
    volumeName: '',
    bindCompleted: false,
    phase: 'Pending',
    terminating: false,
    controllerUid: '',
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    attributesClassName: '',
    selector: null,
    requestBytes: 10 * GIB,
    selectedNode: null,
    ...fields,
  };
}

/** A claim that is bound to the volume `pv-<name>`. */
export function buildBoundClaim(
  name: string,
  fields: Partial<PersistentVolumeClaim> = {},
): PersistentVolumeClaim {
  return buildClaim(name, { volumeName: `pv-${name}`, bindCompleted: true, phase: 'Bound', ...fields });
}

/** An available volume of 10 GiB of the cloud's driver that every node reaches. */
export function buildVolume(name: string, fields: Partial<PersistentVolume> = {}): PersistentVolume {
  return {
    name,
    labels: NO_LABELS,
    className: HCLOUD_CLASS,
    capacityBytes: 10 * GIB,
    accessModes: ['ReadWriteOnce'],
    volumeMode: 'Filesystem',
    attributesClassName: '',
    phase: 'Available',
    terminating: false,
    claimRef: null,
    nodeAffinity: null,
    csi: { driver: HCLOUD_DRIVER, volumeHandle: name },
    ...fields,
  };
}

/** Nodes that have one of the values. */
export function nodesWith(key: string, ...values: string[]): NodeSelector {
  return { terms: [{ matchExpressions: [{ key, operator: 'In', values }], matchFields: [] }] };
}
