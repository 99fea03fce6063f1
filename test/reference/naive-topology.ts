import type { Labels } from '../../src/domain/kubernetes/labels.js';
import { labelSelectorMatches } from '../../src/domain/kubernetes/match-selector.js';
import { requiredNodeAffinityMatches } from '../../src/domain/kubernetes/node-affinity.js';
import type { Node } from '../../src/domain/kubernetes/node.js';
import type { Pod, PodAffinityTerm, TopologySpreadConstraint } from '../../src/domain/kubernetes/pod.js';
import { firstUntoleratedTaint } from '../../src/domain/kubernetes/tolerations.js';

interface Question {
  readonly pod: Pod;
  readonly node: Node;
  readonly entries: readonly { readonly node: Node; readonly pods: readonly Pod[] }[];
  readonly namespaces: ReadonlyMap<string, Labels>;
}

const SPREAD = "node(s) didn't match pod topology spread constraints";

/** `scheduling` 3.10 and 3.11 by counting everything anew: plugin and reason, or null where the pod fits. */
export function naiveTopology(question: Question): [plugin: string, text: string] | null {
  for (const constraint of question.pod.shape.topologySpread) {
    const text = spreadProblem(question, constraint);
    if (text !== null) return ['PodTopologySpread', text];
  }
  const text = affinityProblem(question);
  return text === null ? null : ['InterPodAffinity', text];
}

function spreadProblem(
  { pod, node, entries }: Question,
  constraint: TopologySpreadConstraint,
): string | null {
  const { topologyKey, selector, minDomains, maxSkew } = constraint;
  const own = node.labels.get(topologyKey);
  if (own === undefined) return `${SPREAD} (missing required label)`;
  const isBlank = selector === null || selector.matchLabels.size + selector.matchExpressions.length === 0;
  const counts = new Map<string, number>();
  for (const { node: other, pods } of entries) {
    if (pod.shape.topologySpread.some(({ topologyKey: key }) => !other.labels.has(key))) continue;
    if (constraint.nodeAffinityPolicy === 'Honor' && !requiredNodeAffinityMatches(pod, other)) continue;
    const untolerated = firstUntoleratedTaint(other.taints, pod.shape.tolerations);
    if (constraint.nodeTaintsPolicy === 'Honor' && untolerated !== undefined) continue;
    const counted = pods.filter(
      ({ namespace, deletionMs, labels }) =>
        !isBlank &&
        namespace === pod.namespace &&
        deletionMs === null &&
        labelSelectorMatches(selector, labels),
    );
    const domain = other.labels.get(topologyKey)!;
    counts.set(domain, (counts.get(domain) ?? 0) + counted.length);
  }
  const least = counts.size === 0 || counts.size < (minDomains ?? 1) ? 0 : Math.min(...counts.values());
  const self = labelSelectorMatches(selector, pod.labels) ? 1 : 0;
  return (counts.get(own) ?? 0) + self - least > maxSkew ? SPREAD : null;
}

function affinityProblem({ pod, node, entries, namespaces }: Question): string | null {
  const matches = (owner: Pod, term: PodAffinityTerm, other: Pod): boolean => {
    const isOwn = term.namespaces.length === 0 && term.namespaceSelector === null;
    const names = isOwn ? [owner.namespace] : term.namespaces;
    const labels = namespaces.get(other.namespace) ?? new Map<string, string>();
    const isThere = names.includes(other.namespace) || labelSelectorMatches(term.namespaceSelector, labels);
    return isThere && labelSelectorMatches(term.selector, other.labels);
  };
  const shares = (key: string, other: Node): boolean =>
    node.labels.has(key) && node.labels.get(key) === other.labels.get(key);
  const existing = entries.flatMap(({ node: place, pods }) => pods.map((other) => ({ other, place })));
  const { podAffinity, podAntiAffinity } = pod.shape;

  if (podAffinity.length > 0) {
    const allMatch = (other: Pod): boolean => podAffinity.every((term) => matches(pod, term, other));
    const relatives = existing.filter(({ other }) => allMatch(other));
    const isNear = podAffinity.every(({ topologyKey }) =>
      relatives.some(({ place }) => shares(topologyKey, place)),
    );
    const isNowhere = relatives.every(({ place }) =>
      podAffinity.every(({ topologyKey }) => !place.labels.has(topologyKey)),
    );
    const hasKeys = podAffinity.every(({ topologyKey }) => node.labels.has(topologyKey));
    if (!hasKeys || !(isNear || (isNowhere && allMatch(pod))))
      return "node(s) didn't match pod affinity rules";
  }
  const avoided = existing.some(({ other, place }) =>
    podAntiAffinity.some((term) => matches(pod, term, other) && shares(term.topologyKey, place)),
  );
  if (avoided) return "node(s) didn't match pod anti-affinity rules";
  const repelled = existing.some(({ other, place }) =>
    other.shape.podAntiAffinity.some((term) => matches(other, term, pod) && shares(term.topologyKey, place)),
  );
  return repelled ? "node(s) didn't satisfy existing pods anti-affinity rules" : null;
}
