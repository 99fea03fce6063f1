import type { Node } from '../../../domain/kubernetes/node.js';
import { POOL_ID_LABEL } from '../labels.js';
import type { Pools } from './pools.js';
import { isTemplate, workerIdOfNode } from './provider-id.js';

export type NodeMatch =
  | { readonly kind: 'worker'; readonly poolId: string }
  /** The worker was listed and no longer is; its node lingers. */
  | { readonly kind: 'vanished'; readonly poolId: string }
  /** An id of this cloud that the last read does not show. */
  | { readonly kind: 'unlisted' }
  /** A worker of a pool that is not autoscaled, the control plane, or nothing of this cluster. */
  | { readonly kind: 'foreign' }
  /** Nothing on the node says what it runs on. */
  | { readonly kind: 'nameless' };

/** Which worker a node runs on: by id, else by host name within the pool that its label names (`utho` 4.7). */
export function matchNode(node: Node, pools: Pools): NodeMatch {
  if (isTemplate(node)) return { kind: 'foreign' };
  const workerId = workerIdOfNode(node);
  if (workerId !== null) return matchById(workerId, pools);
  const poolLabel = node.labels.get(POOL_ID_LABEL) ?? '';
  if (poolLabel !== '' && pools.workerNamed(poolLabel, node.name) !== undefined) {
    return matchPool(poolLabel, pools);
  }
  return { kind: node.providerId === '' ? 'nameless' : 'foreign' };
}

function matchById(workerId: string, pools: Pools): NodeMatch {
  const poolId = pools.poolIdOfWorker(workerId);
  if (poolId !== undefined) return matchPool(poolId, pools);
  if (pools.lastRead?.record.masterId === workerId) return { kind: 'foreign' };
  const lastPoolId = pools.poolIdOfVanished(workerId);
  if (lastPoolId !== undefined && pools.find(lastPoolId) !== undefined) {
    return { kind: 'vanished', poolId: lastPoolId };
  }
  return { kind: 'unlisted' };
}

function matchPool(poolId: string, pools: Pools): NodeMatch {
  return pools.find(poolId) === undefined ? { kind: 'foreign' } : { kind: 'worker', poolId };
}
