import { nodeResources } from '../../../domain/kubernetes/effective-request.js';
import { NO_CONDITIONS } from '../../../domain/kubernetes/node.js';
import type { Node as DomainNode } from '../../../domain/kubernetes/node.js';
import type { Taint as DomainTaint } from '../../../domain/kubernetes/taint.js';
import type { Node } from '../objects/types.js';

/** What the scheduler needs of a node, as the record that the filters read. */
export function projectNode(node: Node): DomainNode {
  const { metadata, spec, status } = node;
  return {
    uid: metadata.uid,
    name: metadata.name,
    providerId: spec?.providerID ?? '',
    labels: new Map(Object.entries(metadata.labels ?? {})),
    taints: (spec?.taints ?? []).map(({ key, value = '', effect }) => ({
      key,
      value,
      effect: effect as DomainTaint['effect'],
    })),
    unschedulable: spec?.unschedulable === true,
    allocatable: nodeResources(status?.allocatable),
    capacity: nodeResources(status?.capacity),
    conditions: NO_CONDITIONS,
    createdMs: 0,
    scaleDownDisabled: null,
    declaredFeatures: declaredFeaturesOf(node),
    delayDeletion: [],
    resourceVersion: metadata.resourceVersion,
  };
}

/** Equal texts: nothing changed that a filter looks at. */
export function schedulingFaceOf({ metadata, spec, status }: Node): string {
  return JSON.stringify([
    metadata.labels,
    spec?.taints,
    spec?.unschedulable,
    status?.allocatable,
    status?.['declaredFeatures'],
  ]);
}

function declaredFeaturesOf({ status }: Node): readonly string[] {
  return (status?.['declaredFeatures'] ?? []) as readonly string[];
}
