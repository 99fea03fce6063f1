import type { Cluster } from '../../reference/oracle/cluster.js';
import type { Json } from './api-client.js';

const STORAGE = '/apis/storage.k8s.io/v1';

/** Resources by kind: group and version, and the plural. */
const NAMESPACED: Record<string, readonly [string, string]> = {
  Pod: ['/api/v1', 'pods'],
  PersistentVolumeClaim: ['/api/v1', 'persistentvolumeclaims'],
  CSIStorageCapacity: [STORAGE, 'csistoragecapacities'],
};
const CLUSTER_WIDE: Record<string, readonly [string, string]> = {
  Namespace: ['/api/v1', 'namespaces'],
  Node: ['/api/v1', 'nodes'],
  PersistentVolume: ['/api/v1', 'persistentvolumes'],
  StorageClass: [STORAGE, 'storageclasses'],
  CSINode: [STORAGE, 'csinodes'],
  CSIDriver: [STORAGE, 'csidrivers'],
  VolumeAttachment: [STORAGE, 'volumeattachments'],
  RuntimeClass: ['/apis/node.k8s.io/v1', 'runtimeclasses'],
};

/** Kinds of the lists that filters look at. */
export const KINDS: Record<Exclude<keyof Cluster, 'placements'>, string> = {
  namespaces: 'Namespace',
  nodes: 'Node',
  claims: 'PersistentVolumeClaim',
  persistentVolumes: 'PersistentVolume',
  storageClasses: 'StorageClass',
  csiNodes: 'CSINode',
  csiDrivers: 'CSIDriver',
  storageCapacities: 'CSIStorageCapacity',
  volumeAttachments: 'VolumeAttachment',
};

/** Where an object of this kind and namespace is created. */
export function collectionOf({ kind, metadata }: Json): string {
  const namespaced = NAMESPACED[kind as string];
  if (namespaced !== undefined) {
    const [group, plural] = namespaced;
    return `${group}/namespaces/${metadata.namespace as string}/${plural}`;
  }
  const clusterWide = CLUSTER_WIDE[kind as string];
  if (clusterWide === undefined) throw new Error(`no path for ${String(kind)}`);
  return clusterWide.join('/');
}

export function pathOf(object: Json): string {
  return `${collectionOf(object)}/${object['metadata'].name as string}`;
}
