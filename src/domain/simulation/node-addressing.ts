import { HOSTNAME_LABEL } from '../kubernetes/labels.js';
import type { NodeSelector } from '../kubernetes/selectors.js';
import type { Demand } from './demand.js';
import { volumesNameNodes } from './volumes/node-keys.js';

/** Whether the demand can tell apart nodes that differ in nothing but their names (`scheduling` 5.4). */
export function isNodeAddressing({ nodeName, pod, volumes }: Demand): boolean {
  const { nodeSelector, nodeAffinity } = pod.shape;
  return (
    nodeName !== '' ||
    pod.pinnedNodeName !== '' ||
    nodeSelector.has(HOSTNAME_LABEL) ||
    (nodeAffinity !== null && namesNodes(nodeAffinity)) ||
    (volumes !== null && volumesNameNodes(volumes.volumes))
  );
}

export function namesNodes({ terms }: NodeSelector): boolean {
  return terms.some(
    (term) => term.matchFields.length > 0 || term.matchExpressions.some(({ key }) => key === HOSTNAME_LABEL),
  );
}

/** Label keys that a node selector reads. */
export function keysOf({ terms }: NodeSelector): string[] {
  return terms.flatMap((term) => term.matchExpressions.map(({ key }) => key));
}
