import { copyJson } from '../objects/json.js';
import { badRequest } from '../objects/api-error.js';
import type { Kind } from '../objects/kind.js';
import { isRecord } from '../objects/object.js';
import type { Draft, KubeObject, Manifest } from '../objects/object.js';
import { formatLabelSelector } from '../objects/selector.js';
import type { ReplicatedWorkload } from '../objects/types.js';
import type { ObjectRef, Registry, WriteOptions } from './registry.js';

/** The scale subresource of `autoscaling/v1`, read from the object. */
export function scaleOf(object: KubeObject): KubeObject {
  const { metadata, spec, status } = object as ReplicatedWorkload;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace: namespace ?? '', uid, resourceVersion, creationTimestamp },
    spec: { replicas: spec.replicas ?? 1 },
    status: { replicas: status?.replicas ?? 0, selector: formatLabelSelector(spec.selector) },
  };
}

export function updateScale(
  registry: Registry,
  kind: Kind,
  ref: ObjectRef,
  scale: Manifest,
  options: WriteOptions,
): KubeObject {
  const replicas = isRecord(scale['spec']) ? (scale['spec']['replicas'] ?? 0) : undefined;
  if (typeof replicas !== 'number') throw badRequest('spec.replicas: Required value');
  const before = registry.get(kind, ref);
  const draft = copyJson(before) as Draft<ReplicatedWorkload>;
  draft.spec.replicas = replicas;
  draft.metadata.resourceVersion = scale.metadata?.resourceVersion ?? '';
  return scaleOf(registry.update(kind, ref, draft, options));
}
