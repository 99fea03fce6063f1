import type { DisruptionBudget, Workload } from '../../../domain/kubernetes/workload.js';
import type { DisruptionBudgetObject, WorkloadObject } from './api-objects.js';
import { projectLabelSelector } from './project-selector.js';
import { identityOf } from './projection.js';
import type { SharedRecords } from './projection.js';

/** @throws BrokenObjectError */
export function projectWorkload(
  kind: Workload['kind'],
  object: WorkloadObject,
  shared: SharedRecords,
): Workload {
  const { uid, namespace, name } = identityOf(object.metadata);
  return {
    kind,
    uid,
    namespace: shared.text(namespace),
    name,
    replicas: replicasOf(kind, object),
    terminating: object.metadata?.deletionTimestamp != null,
  };
}

function replicasOf(kind: Workload['kind'], workload: WorkloadObject): number {
  if (kind === 'DaemonSet') return 0;
  return kind === 'Job' ? podsOfJob(workload) : (workload.spec?.replicas ?? 1);
}

/** A Job makes no more pods than are still to succeed. */
function podsOfJob({ spec, status }: WorkloadObject): number {
  const parallelism = spec?.parallelism ?? 1;
  const completions = spec?.completions ?? Infinity;
  return Math.max(0, Math.min(parallelism, completions - (status?.succeeded ?? 0)));
}

/** @throws BrokenObjectError */
export function projectDisruptionBudget(
  budget: DisruptionBudgetObject,
  shared: SharedRecords,
): DisruptionBudget {
  const { namespace, name } = identityOf(budget.metadata);
  return {
    namespace: shared.text(namespace),
    name,
    selector: projectLabelSelector(budget.spec?.selector),
    disruptionsAllowed: budget.status?.disruptionsAllowed ?? 0,
    disruptedPods: Object.keys(budget.status?.disruptedPods ?? {}),
    unhealthyPodEvictionPolicy: budget.spec?.unhealthyPodEvictionPolicy ?? null,
  };
}
