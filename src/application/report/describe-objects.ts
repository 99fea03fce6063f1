import type { Node } from '../../domain/kubernetes/node.js';
import type { Pod } from '../../domain/kubernetes/pod.js';
import { CPU } from '../../domain/kubernetes/resources.js';
import type { Resources } from '../../domain/kubernetes/resources.js';
import { renderRfc3339 } from './utc-time.js';

/**
 * Records in the shape of Kubernetes objects, for people who debug. Only what decisions are made on is there: full
 * objects are not kept in memory.
 */

export function describeNode(node: Node): object {
  return {
    metadata: {
      name: node.name,
      uid: node.uid,
      labels: Object.fromEntries(node.labels),
      creationTimestamp: renderRfc3339(node.createdMs),
    },
    spec: {
      providerID: node.providerId,
      unschedulable: node.unschedulable,
      taints: node.taints,
    },
    status: {
      allocatable: describeResources(node.allocatable),
      capacity: describeResources(node.capacity),
      conditions: node.conditions,
    },
  };
}

export function describePod(pod: Pod): object {
  const { shape } = pod;
  return {
    metadata: {
      namespace: pod.namespace,
      name: pod.name,
      uid: pod.uid,
      labels: Object.fromEntries(pod.labels),
      ownerReferences: shape.owner === null ? [] : [shape.owner],
      creationTimestamp: renderRfc3339(pod.createdMs),
    },
    spec: {
      nodeName: pod.nodeName,
      schedulerName: shape.schedulerName,
      priority: shape.priority,
      nodeSelector: Object.fromEntries(shape.nodeSelector),
      tolerations: shape.tolerations,
      // The effective request of the whole pod: requests by container are not kept.
      resources: { requests: describeResources(shape.requests) },
    },
    status: { phase: pod.phase, scheduling: pod.scheduling },
  };
}

/** Kubernetes quantities: millicores for cpu, whole units for the rest. */
function describeResources(resources: Resources): object {
  return Object.fromEntries(
    [...resources].map(([name, amount]) => [name, name === CPU ? `${amount}m` : amount.toString()]),
  );
}
