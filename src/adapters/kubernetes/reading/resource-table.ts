import type { Node } from '../../../domain/kubernetes/node.js';
import type { Pod } from '../../../domain/kubernetes/pod.js';
import type { DisruptionBudget, Workload } from '../../../domain/kubernetes/workload.js';
import { projectDaemonSet } from '../projection/project-daemon-set.js';
import type { DaemonSetRecord } from '../projection/project-daemon-set.js';
import { projectNode } from '../projection/project-node.js';
import { projectPod } from '../projection/project-pod.js';
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

function workloads(kind: Workload['kind'], name: string, group: string): ResourceRow<Workload> {
  return {
    name,
    path: `${group}/${name}`,
    project: (object, shared) => projectWorkload(kind, object, shared),
  };
}
