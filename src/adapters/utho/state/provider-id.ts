import type { Node } from '../../../domain/kubernetes/node.js';
import { TEMPLATE_NODE_LABEL } from '../../../domain/node-group/index.js';
import { NODE_ID_LABEL } from '../labels.js';

export const PROVIDER_PREFIX = 'utho://';
/** Placeholders for machines on order: `utho-order://<pool>/<number>`. No node can have such an id. */
const ORDER_PREFIX = 'utho-order://';
/** Templates, so that a made-up node can never stand for the live worker whose labels it borrows. */
export const TEMPLATE_PREFIX = 'utho-template://';

export function instanceIdOf(workerId: string): string {
  return `${PROVIDER_PREFIX}${workerId}`;
}

export function orderIdOf(poolId: string, serial: number): string {
  return `${ORDER_PREFIX}${poolId}/${serial}`;
}

export function isOrderId(instanceId: string): boolean {
  return instanceId.startsWith(ORDER_PREFIX);
}

/** Worker id in `utho://<digits>` or in bare digits; null for anything else. */
export function workerIdOf(providerId: string): string | null {
  const bare = providerId.startsWith(PROVIDER_PREFIX) ? providerId.slice(PROVIDER_PREFIX.length) : providerId;
  return /^\d+$/.test(bare) ? bare : null;
}

/** The provider id decides; the label only where that is empty or of another cloud (`utho` 4.7). */
export function workerIdOfNode(node: Node): string | null {
  if (isTemplate(node)) return null;
  const label = node.labels.get(NODE_ID_LABEL) ?? '';
  return workerIdOf(node.providerId) ?? (label === '' ? null : label);
}

export function isTemplate(node: Node): boolean {
  return node.providerId.startsWith(TEMPLATE_PREFIX) || node.labels.has(TEMPLATE_NODE_LABEL);
}
