import type { DrainRule } from './rule.js';
import { block, DRAIN } from './rule.js';

/** A system pod without budget blocks while it is young: nobody has said that it may be interrupted. */
export const system: DrainRule = (pod, { nowMs, policy, budgets }) => {
  if (!policy.skipNodesWithSystemPods || pod.namespace !== 'kube-system') return undefined;
  if (budgets.matching(pod).length > 0) return undefined;
  const isOld = pod.createdMs > 0 && nowMs > pod.createdMs + policy.systemPodBlocksForMs;
  return isOld ? DRAIN : block('UnmovableKubeSystemPod');
};
