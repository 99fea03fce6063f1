import { badRequest, conflict } from '../objects/api-error.js';
import { withCondition } from '../objects/condition.js';
import { PODS } from '../objects/kinds.js';
import { draftOf, isRecord } from '../objects/object.js';
import type { Manifest } from '../objects/object.js';
import type { ObjectRef, Registry } from './registry.js';

/** The binding subresource: gives the pod its node, once and for good. */
export function bindPod(registry: Registry, ref: ObjectRef, binding: Manifest): void {
  const target = binding['target'];
  const nodeName = isRecord(target) && typeof target['name'] === 'string' ? target['name'] : '';
  if (nodeName === '') throw badRequest('Binding target.name: Required value');
  const pod = registry.get(PODS, ref);
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflict(PODS, ref.name, `pod ${ref.name} is being deleted, cannot be assigned to a host`);
  }
  const assigned = pod.spec.nodeName ?? '';
  if (assigned !== '') {
    throw conflict(PODS, ref.name, `pod ${ref.name} is already assigned to node "${assigned}"`);
  }
  const draft = draftOf(pod);
  draft.spec.nodeName = nodeName;
  draft.status ??= {};
  draft.status.conditions = withCondition(
    draft.status.conditions?.filter((condition) => condition.type !== 'PodScheduled'),
    { type: 'PodScheduled', status: 'True', lastProbeTime: null },
    registry.now(),
  );
  // Past the update rules of pods, which forbid just this.
  registry.store.put(PODS, draft);
}
