import type { OwnerReference, Pod } from '../../kubernetes/pod.js';
import { isDaemonSetPod } from '../../kubernetes/pod-kinds.js';
import type { Workload } from '../../kubernetes/workload.js';
import type { DrainContext, DrainRule, DrainVerdict } from './rule.js';
import { block } from './rule.js';

/** A pod whose controller is missing or too small is not moved (`scale-down` 5.3.1). */
export const replicaCount: DrainRule = (pod, context) => {
  const { policy, workloads } = context;
  const owner = pod.shape.owner;
  if (!policy.skipNodesWithCustomControllerPods || workloads === null || owner === null) return undefined;
  const group = apiGroup(owner.apiVersion);
  if (group === null) return undefined;
  const kind = checkedKind(pod, owner, group);
  if (kind === null) return undefined;
  return judge(pod, owner, kind, context);
};

/** Kinds that have a minimum of replicas. */
const COUNTED: readonly string[] = ['ReplicationController', 'ReplicaSet'];

function judge(pod: Pod, owner: OwnerReference, kind: Workload['kind'], context: DrainContext): DrainVerdict {
  const workload = context.workloads?.find(kind, pod.namespace, owner.name);
  if (workload === undefined) return block('ControllerNotFound', `${owner.kind} ${owner.name}`);
  const minimum = context.policy.minReplicaCount;
  if (COUNTED.includes(kind) && workload.replicas < minimum) {
    return block('MinReplicasReached', `${kind} ${owner.name}: ${workload.replicas} of at least ${minimum}`);
  }
  return undefined;
}

/** The kind to look for, or null where there is nothing to look up. */
function checkedKind(pod: Pod, owner: OwnerReference, group: string): Workload['kind'] | null {
  if (owner.kind === 'ReplicationController') return 'ReplicationController';
  if (isDaemonSetPod(pod)) return group === 'apps' && owner.kind === 'DaemonSet' ? 'DaemonSet' : null;
  if (owner.kind === 'Job' || owner.kind === 'ReplicaSet') return owner.kind;
  if (owner.kind === 'StatefulSet') return group === 'apps' ? 'StatefulSet' : null;
  return null;
}

/** Group of an `apiVersion`; null when it can't be parsed. */
function apiGroup(apiVersion: string): string | null {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return '';
  return apiVersion.includes('/', slash + 1) ? null : apiVersion.slice(0, slash);
}
