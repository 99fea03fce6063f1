import type { PodObject } from '../api-objects.js';
import type { Plugin } from './plugin.js';

/** `scheduling` 3.13 */
export const nodeDeclaredFeatures: Plugin = {
  name: 'NodeDeclaredFeatures',
  filter({ pod, node }) {
    const declared = node.status?.declaredFeatures ?? [];
    const complete = requiredFeatures(pod).every((feature) => declared.includes(feature));
    return complete ? [] : ["node(s) didn't match Pod's required features"];
  },
};

function requiredFeatures({ spec }: PodObject): string[] {
  const features: string[] = [];
  const rules = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].flatMap(
    (container) => container.restartPolicyRules ?? [],
  );
  if (rules.some((rule) => rule.action === 'RestartAllContainers')) {
    features.push('RestartAllContainersOnContainerExits');
  }
  if (spec?.hostNetwork === true && spec.hostUsers === false)
    features.push('UserNamespacesHostNetworkSupport');
  return features;
}
