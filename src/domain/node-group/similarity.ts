import { HOSTNAME_LABEL, REGION_LABEL, ZONE_LABEL } from '../kubernetes/labels.js';
import { CPU, EPHEMERAL_STORAGE, MEMORY, PODS, addResources } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import type { NodeTemplate } from './node-group.js';

/** When two groups count as alike for balancing (`scale-up` 8.1). */
export interface SimilarityPolicy {
  /** `--memory-difference-ratio`, 0.015. */
  readonly memoryDifferenceRatio: number;
  /** `--max-allocatable-difference-ratio`, 0.05. */
  readonly maxAllocatableDifferenceRatio: number;
  /** `--max-free-difference-ratio`, 0.05. */
  readonly maxFreeDifferenceRatio: number;
  /** `--balancing-ignore-label` and the labels that the provider names. */
  readonly ignoredLabels: readonly string[];
  /** `--balancing-label`: when not empty, only these labels are compared. */
  readonly comparedLabels: readonly string[];
}

export const DEFAULT_SIMILARITY_POLICY: SimilarityPolicy = {
  memoryDifferenceRatio: 0.015,
  maxAllocatableDifferenceRatio: 0.05,
  maxFreeDifferenceRatio: 0.05,
  ignoredLabels: [],
  comparedLabels: [],
};

const IGNORED_LABELS: readonly string[] = [
  HOSTNAME_LABEL,
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  ZONE_LABEL,
  REGION_LABEL,
  'beta.kubernetes.io/fluentd-ds-ready',
  'kops.k8s.io/instancegroup',
];

/**
 * Whether a growth may be spread over both groups. Taints are not compared: a similar group must accept the same pods
 * anyway.
 *
 * differs from upstream: the ratio and ignore flags are honoured for every provider.
 */
export function areSimilar(left: NodeTemplate, right: NodeTemplate, policy: SimilarityPolicy): boolean {
  if (policy.comparedLabels.length > 0) return haveEqualLabels(left, right, policy.comparedLabels);
  return (
    haveEqualCapacity(left.node.capacity, right.node.capacity, policy) &&
    areClose(left.node.allocatable, right.node.allocatable, policy.maxAllocatableDifferenceRatio) &&
    areClose(freeResources(left), freeResources(right), policy.maxFreeDifferenceRatio) &&
    haveSameLabels(left, right, new Set([...IGNORED_LABELS, ...policy.ignoredLabels]))
  );
}

/** A label that is absent on either side is not equal. */
function haveEqualLabels(left: NodeTemplate, right: NodeTemplate, keys: readonly string[]): boolean {
  return keys.every((key) => {
    const value = left.node.labels.get(key);
    return value !== undefined && value === right.node.labels.get(key);
  });
}

function haveEqualCapacity(left: Resources, right: Resources, policy: SimilarityPolicy): boolean {
  return everyPair(left, right, (name, one, other) =>
    name === MEMORY ? isWithin(one, other, policy.memoryDifferenceRatio) : one === other,
  );
}

function areClose(left: Resources, right: Resources, ratio: number): boolean {
  return everyPair(left, right, (_, one, other) => isWithin(one, other, ratio));
}

/** False where a name is on one side only. */
function everyPair(
  left: Resources,
  right: Resources,
  holds: (name: string, one: number, other: number) => boolean,
): boolean {
  if (left.size !== right.size) return false;
  return [...left].every(([name, amount]) => {
    const other = right.get(name);
    return other !== undefined && holds(name, amount, other);
  });
}

function isWithin(one: number, other: number, ratio: number): boolean {
  const larger = Math.max(one, other);
  return one === other || larger - Math.min(one, other) <= larger * ratio;
}

/** Allocatable minus what the template's own pods take; extended resources only where a pod asks for them. */
function freeResources(template: NodeTemplate): Resources {
  let used: Resources = new Map([
    [CPU, 0],
    [MEMORY, 0],
    [EPHEMERAL_STORAGE, 0],
    [PODS, template.pods.length],
  ]);
  for (const pod of template.pods) used = addResources(used, pod.charged ?? pod.shape.requests);
  return new Map(
    [...used].map(([name, amount]) => [name, (template.node.allocatable.get(name) ?? 0) - amount]),
  );
}

function haveSameLabels(left: NodeTemplate, right: NodeTemplate, ignored: ReadonlySet<string>): boolean {
  const keys = new Set([...left.node.labels.keys(), ...right.node.labels.keys()]);
  return [...keys].every(
    (key) => ignored.has(key) || left.node.labels.get(key) === right.node.labels.get(key),
  );
}
