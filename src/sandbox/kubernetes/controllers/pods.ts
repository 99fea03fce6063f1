import { ApiError } from '../objects/api-error.js';
import { conditionStatus, withCondition } from '../objects/condition.js';
import { PODS } from '../objects/kinds.js';
import { controlledBy, draftOf } from '../objects/object.js';
import type { Draft, KubeObject, Manifest } from '../objects/object.js';
import type { Pod, PodTemplate } from '../objects/types.js';
import { deleteObject } from '../registry/deletion.js';
import type { DeleteOptions } from '../registry/deletion.js';
import type { ObjectRef, Registry } from '../registry/registry.js';
import type { StoreEvent } from '../store/collection.js';
import { refOf } from './reconciler.js';

/** Empty while the pod is not bound. A pod that a test planted may be without a spec. */
export function nodeNameOf(pod: Pod): string {
  return pod.spec?.nodeName ?? '';
}

/** The node that a pod was bound to by this change, or none: what a controller of nodes waits for. */
export function newlyBound({ type, current, previous }: StoreEvent<Pod>): ObjectRef[] {
  const name = nodeNameOf(current.object);
  const before = previous === null ? '' : nodeNameOf(previous.object);
  return type !== 'DELETED' && name !== '' && before === '' ? [{ namespace: '', name }] : [];
}

/** Neither finished nor on its way out: counts as a replica. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isReady(pod: Pod): boolean {
  return conditionStatus(pod.status?.conditions, 'Ready') === 'True';
}

/** A pod as the template of a workload makes it, before its name. */
export function podFromTemplate(
  owner: KubeObject,
  template: PodTemplate,
): Draft<Manifest> & { spec: Draft<Pod['spec']> } {
  return {
    metadata: {
      ...draftOf({
        labels: template.metadata?.labels ?? {},
        annotations: template.metadata?.annotations ?? {},
      }),
      ownerReferences: [controlledBy(owner)],
    },
    spec: draftOf(template.spec),
  };
}

export function createPod(registry: Registry, owner: KubeObject, pod: Manifest): void {
  registry.create(PODS, pod, owner.metadata.namespace ?? '');
}

/** Deletes the pod unless it is gone or has been replaced meanwhile. */
export function deletePod(registry: Registry, pod: Pod, options: DeleteOptions = {}): void {
  try {
    deleteObject(registry, PODS, refOf(pod), { ...options, preconditions: { uid: pod.metadata.uid } });
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 409)) throw error;
  }
}

/** Tells the pod's owner, before it is deleted, that nothing is wrong with the pod. */
export function markDisrupted(
  registry: Registry,
  pod: Pod,
  { reason, message }: { readonly reason: string; readonly message: string },
): void {
  registry.modifyStatus(PODS, refOf(pod), (draft) => {
    const condition = { type: 'DisruptionTarget', status: 'True', reason, message };
    draft.status = {
      ...draft.status,
      conditions: withCondition(draft.status?.conditions, condition, registry.now()),
    };
  });
}

/** Which replica goes first when there are too many: the one that is missed least, as upstream ranks them. */
export function byDispensability(left: Pod, right: Pod): number {
  return (
    rank(left.spec.nodeName !== undefined) - rank(right.spec.nodeName !== undefined) ||
    rank(left.status?.phase === 'Running') - rank(right.status?.phase === 'Running') ||
    rank(isReady(left)) - rank(isReady(right)) ||
    deletionCost(left) - deletionCost(right) ||
    (left.metadata.creationTimestamp > right.metadata.creationTimestamp ? -1 : 1)
  );
}

function rank(kept: boolean): number {
  return kept ? 1 : 0;
}

function deletionCost(pod: Pod): number {
  return Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
}
