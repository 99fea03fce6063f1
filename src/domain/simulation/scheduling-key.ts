import type { Pod, PodAffinityTerm, PodShape, TopologySpreadConstraint } from '../kubernetes/pod.js';
import { asTextSet, requirementParts, selectorText } from '../kubernetes/selector-text.js';

/**
 * Text that is equal for shapes that no filter can tell apart (`scheduling` 5.3, as far as the filters in
 * `filters/filter-chain.ts` read). Namespace, labels and claims are kept beside the shape, and so is the pin to a node.
 */
export function schedulingKey(shape: PodShape): string {
  let key = keys.get(shape);
  if (key === undefined) {
    key = textOf(shape);
    keys.set(shape, key);
  }
  return key;
}

/** Shapes are immutable and live as long as their pods: the text is computed once for all loops. */
const keys = new WeakMap<PodShape, string>();

/** The key of a pod without a node: pods of a DaemonSet differ from each other in the node they are pinned to. */
export function podSchedulingKey(pod: Pick<Pod, 'shape' | 'pinnedNodeName'>): string {
  const key = schedulingKey(pod.shape);
  return pod.pinnedNodeName === '' ? key : JSON.stringify([key, pod.pinnedNodeName]);
}

/** Equal for pods whose required node affinity admits the same nodes. */
export function nodeAffinityText(pod: Pick<Pod, 'shape' | 'pinnedNodeName'>): string {
  return JSON.stringify([pod.pinnedNodeName, ...nodeAffinityParts(pod.shape)]);
}

/** Equal for shapes that tolerate the same blocking taints. */
export function tolerationsText(shape: PodShape): string {
  return JSON.stringify(tolerationParts(shape));
}

function textOf(shape: PodShape): string {
  return JSON.stringify([
    sorted([...shape.requests].filter(([, amount]) => amount > 0)),
    asTextSet(shape.hostPorts.map(({ hostIp, protocol, port }) => [hostIp, protocol, port])),
    tolerationParts(shape),
    ...nodeAffinityParts(shape),
    shape.topologySpread.map(constraintParts),
    asTextSet(shape.podAffinity.map(termParts)),
    asTextSet(shape.podAntiAffinity.map(termParts)),
    shape.requiredFeatures,
    shape.hasResourceClaims,
  ]);
}

function tolerationParts(shape: PodShape): string[] {
  return asTextSet(
    shape.tolerations
      .filter((toleration) => toleration.effect !== 'PreferNoSchedule')
      .map(({ key, operator, value, effect }) => [key, operator || 'Equal', value, effect]),
  );
}

function nodeAffinityParts({ nodeSelector, nodeAffinity }: PodShape): unknown[] {
  return [
    sorted([...nodeSelector]),
    nodeAffinity === null
      ? null
      : asTextSet(
          nodeAffinity.terms.map((term) => [
            asTextSet(term.matchExpressions.map(requirementParts)),
            asTextSet(term.matchFields.map(requirementParts)),
          ]),
        ),
  ];
}

function constraintParts(constraint: TopologySpreadConstraint): unknown {
  const { topologyKey, maxSkew, minDomains, selector, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
  const policies = [nodeAffinityPolicy, nodeTaintsPolicy].map((policy) => policy === 'Honor');
  return [topologyKey, maxSkew, minDomains ?? 1, selectorText(selector), policies];
}

function termParts({ topologyKey, selector, namespaces, namespaceSelector }: PodAffinityTerm): unknown {
  return [topologyKey, selectorText(selector), [...namespaces].sort(), selectorText(namespaceSelector)];
}

function sorted(entries: readonly (readonly [string, unknown])[]): unknown {
  return [...entries].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
}
