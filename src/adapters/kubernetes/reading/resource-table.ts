import type { GroupPriorities } from '../../../domain/expansion/index.js';
import type { Namespace } from '../../../domain/kubernetes/namespace.js';
import type { Node } from '../../../domain/kubernetes/node.js';
import type { Pod } from '../../../domain/kubernetes/pod.js';
import type {
  CsiDriver,
  CsiNode,
  CsiStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from '../../../domain/kubernetes/storage.js';
import type { DisruptionBudget, Workload } from '../../../domain/kubernetes/workload.js';
import { projectDaemonSet } from '../projection/project-daemon-set.js';
import type { DaemonSetRecord } from '../projection/project-daemon-set.js';
import { projectGroupPriorities } from '../projection/project-group-priorities.js';
import { projectNamespace } from '../projection/project-namespace.js';
import { projectNode } from '../projection/project-node.js';
import { projectPod } from '../projection/project-pod.js';
import {
  projectCsiDriver,
  projectCsiNode,
  projectCsiStorageCapacity,
  projectStorageClass,
  projectVolumeAttachment,
} from '../projection/project-storage.js';
import { projectClaim, projectVolume } from '../projection/project-volume.js';
import { projectDisruptionBudget, projectWorkload } from '../projection/project-workload.js';
import type { ResourceRow } from './resource-row.js';

/** All that is watched. A further resource is one row here, one projection, and its place in the state. */

export const NODES: ResourceRow<Node> = {
  name: 'nodes',
  path: '/api/v1/nodes',
  project: projectNode,
};

export const PODS: ResourceRow<Pod> = {
  name: 'pods',
  path: '/api/v1/pods',
  // Finished pods are seen by nobody; the server leaves them out.
  fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
  project: projectPod,
};

/** Their labels only matter to namespace selectors: an older role without the right to list them still works. */
export const NAMESPACES: ResourceRow<Namespace> = {
  name: 'namespaces',
  path: '/api/v1/namespaces',
  project: projectNamespace,
  optional: true,
};

/** One ConfigMap: what the priority expander goes by. */
export function groupPriorities(place: {
  readonly namespace: string;
  readonly name: string;
}): ResourceRow<GroupPriorities> {
  return {
    name: 'configmaps',
    path: `/api/v1/namespaces/${encodeURIComponent(place.namespace)}/configmaps`,
    fieldSelector: `metadata.name=${place.name}`,
    project: projectGroupPriorities,
  };
}

export const DAEMON_SETS: ResourceRow<DaemonSetRecord> = {
  name: 'daemonsets',
  path: '/apis/apps/v1/daemonsets',
  project: projectDaemonSet,
};

export const DISRUPTION_BUDGETS: ResourceRow<DisruptionBudget> = {
  name: 'poddisruptionbudgets',
  path: '/apis/policy/v1/poddisruptionbudgets',
  project: projectDisruptionBudget,
};

/** Controllers besides DaemonSets. */
export const WORKLOADS: readonly ResourceRow<Workload>[] = [
  workloads('ReplicationController', 'replicationcontrollers', '/api/v1'),
  workloads('ReplicaSet', 'replicasets', '/apis/apps/v1'),
  workloads('StatefulSet', 'statefulsets', '/apis/apps/v1'),
  workloads('Job', 'jobs', '/apis/batch/v1'),
];

export const VOLUMES: ResourceRow<PersistentVolume> = {
  name: 'persistentvolumes',
  path: '/api/v1/persistentvolumes',
  project: projectVolume,
};

export const CLAIMS: ResourceRow<PersistentVolumeClaim> = {
  name: 'persistentvolumeclaims',
  path: '/api/v1/persistentvolumeclaims',
  project: projectClaim,
};

export const STORAGE_CLASSES: ResourceRow<StorageClass> = {
  name: 'storageclasses',
  path: '/apis/storage.k8s.io/v1/storageclasses',
  project: projectStorageClass,
};

// Without the following the limits of nodes or the room of a storage system are not known, and nothing else.

export const CSI_NODES: ResourceRow<CsiNode> = {
  name: 'csinodes',
  path: '/apis/storage.k8s.io/v1/csinodes',
  project: projectCsiNode,
  optional: true,
};

export const CSI_DRIVERS: ResourceRow<CsiDriver> = {
  name: 'csidrivers',
  path: '/apis/storage.k8s.io/v1/csidrivers',
  project: projectCsiDriver,
  optional: true,
};

export const CSI_STORAGE_CAPACITIES: ResourceRow<CsiStorageCapacity> = {
  name: 'csistoragecapacities',
  path: '/apis/storage.k8s.io/v1/csistoragecapacities',
  project: projectCsiStorageCapacity,
  optional: true,
};

export const VOLUME_ATTACHMENTS: ResourceRow<VolumeAttachment> = {
  name: 'volumeattachments',
  path: '/apis/storage.k8s.io/v1/volumeattachments',
  project: projectVolumeAttachment,
  optional: true,
};

function workloads(kind: Workload['kind'], name: string, group: string): ResourceRow<Workload> {
  return {
    name,
    path: `${group}/${name}`,
    project: (object, shared) => projectWorkload(kind, object, shared),
  };
}
