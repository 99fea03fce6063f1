import { effectiveRequests } from '../../../domain/kubernetes/effective-request.js';
import type { Pod, SchedulingState } from '../../../domain/kubernetes/pod.js';
import type { ConditionJson, PodObject } from './api-objects.js';
import { claimsOf, controllerOf, projectShape } from './project-pod-shape.js';
import { BrokenObjectError, identityOf, timeOf } from './projection.js';
import type { SharedRecords } from './projection.js';

/**
 * A pod as the domain knows it.
 * @throws BrokenObjectError, QuantityError
 */
export function projectPod(pod: PodObject, shared: SharedRecords): Pod {
  const identity = identityOf(pod.metadata);
  const { metadata, spec, status } = pod;
  if (metadata == null || spec == null) throw new BrokenObjectError('spec is missing');
  const labels = shared.labels(metadata.labels);
  const { incoming, charged } = effectiveRequests({ spec, status: status ?? null });
  const owner = controllerOf(metadata.ownerReferences);
  const { parts, pinnedNodeName } = projectShape(
    { metadata, spec, labels, requests: incoming, owner },
    shared,
  );
  const scheduled = (status?.conditions ?? []).find((condition) => condition.type === 'PodScheduled');
  return {
    uid: identity.uid,
    namespace: shared.text(identity.namespace),
    name: identity.name,
    labels,
    shape: shared.shapes.intern(parts),
    nodeName: shared.text(spec.nodeName),
    nominatedNodeName: shared.text(status?.nominatedNodeName),
    pinnedNodeName,
    claims: claimsOf(identity.name, spec.volumes),
    phase: shared.text(status?.phase),
    scheduling: schedulingState(scheduled),
    schedulingChangedMs: timeOf(scheduled?.lastTransitionTime),
    createdMs: timeOf(metadata.creationTimestamp) ?? 0,
    deletionMs: timeOf(metadata.deletionTimestamp),
    startedMs: timeOf(status?.startTime),
    charged,
  };
}

function schedulingState(condition: ConditionJson | undefined): SchedulingState {
  if (condition === undefined) return 'absent';
  if (condition.status === 'True') return 'scheduled';
  if (condition.status !== 'False') return 'other';
  if (condition.reason === 'Unschedulable') return 'unschedulable';
  return condition.reason == null || condition.reason === '' ? 'false-without-reason' : 'other';
}
