import type { PodSpecJson } from './pod-json.js';

const NO_FEATURES: readonly string[] = [];

/** Features that a node must declare to run the pod (`scheduling` 3.13), in byte order. */
export function requiredFeaturesOf(spec: PodSpecJson): readonly string[] {
  const features: string[] = [];
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const restartsAll = containers.some(({ restartPolicyRules }) =>
    (restartPolicyRules ?? []).some(({ action }) => action === 'RestartAllContainers'),
  );
  if (restartsAll) features.push('RestartAllContainersOnContainerExits');
  if (spec.hostNetwork === true && spec.hostUsers === false)
    features.push('UserNamespacesHostNetworkSupport');
  return features.length === 0 ? NO_FEATURES : features;
}
