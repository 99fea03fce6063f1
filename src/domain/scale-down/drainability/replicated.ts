import type { DrainRule } from './rule.js';
import { block } from './rule.js';

const KNOWN_CONTROLLERS: readonly string[] = ['ReplicationController', 'Job', 'ReplicaSet', 'StatefulSet'];

/** A pod that nobody would start again is not moved. */
export const replicated: DrainRule = (pod, { policy }) => {
  const owner = pod.shape.owner;
  if (owner === null) return block('NotReplicated', 'no controller');
  if (policy.skipNodesWithCustomControllerPods && !KNOWN_CONTROLLERS.includes(owner.kind)) {
    return block('NotReplicated', `controller of kind ${owner.kind}`);
  }
  return undefined;
};
