import type { NodeObject, PodAffinityTermObject, PodObject } from '../api-objects.js';
import { labelsOf, nameOf, namespaceLabels, namespaceOf } from '../cluster.js';
import type { Cluster, Question } from '../cluster.js';
import { isWellFormed, selects } from '../requirements.js';
import type { Plugin } from './plugin.js';

/** Matching pods by topology key and value, the two joined by a line break. */
type Counts = Map<string, number>;

/** `scheduling` 3.11 */
export const interPodAffinity: Plugin = {
  name: 'InterPodAffinity',
  preFilter({ pod }) {
    const malformed = [...affinityTerms(pod), ...antiAffinityTerms(pod)].find((term) => !parses(term));
    return malformed === undefined ? null : { rejection: `parsing pod: ${JSON.stringify(malformed)}` };
  },
  filter(question) {
    if (!affinityHolds(question)) return ["node(s) didn't match pod affinity rules"];
    if (!antiAffinityHolds(question)) return ["node(s) didn't match pod anti-affinity rules"];
    if (!existingAntiAffinityHolds(question))
      return ["node(s) didn't satisfy existing pods anti-affinity rules"];
    return [];
  },
};

function affinityTerms(pod: PodObject): PodAffinityTermObject[] {
  return pod.spec?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

function antiAffinityTerms(pod: PodObject): PodAffinityTermObject[] {
  return pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
}

function parses(term: PodAffinityTermObject): boolean {
  return isWellFormed(term.labelSelector) && isWellFormed(term.namespaceSelector);
}

/** Whether a term of `owner` matches `other`. */
function termMatches(
  cluster: Cluster,
  owner: PodObject,
  term: PodAffinityTermObject,
  other: PodObject,
): boolean {
  const own = (term.namespaces ?? []).length === 0 && term.namespaceSelector == null;
  const namespaces = own ? [namespaceOf(owner)] : (term.namespaces ?? []);
  const namespace = namespaceOf(other);
  const inNamespace =
    namespaces.includes(namespace) || selects(term.namespaceSelector, namespaceLabels(cluster, namespace));
  return inNamespace && selects(term.labelSelector, labelsOf(other));
}

/** Every pod that is charged to a node of the cluster, with that node. */
function existingPods(cluster: Cluster): { pod: PodObject; node: NodeObject }[] {
  return cluster.placements.flatMap(({ pod, nodeName }) =>
    cluster.nodes.filter((node) => nameOf(node) === nodeName).map((node) => ({ pod, node })),
  );
}

function count(counts: Counts, term: PodAffinityTermObject, node: NodeObject): void {
  const pair = pairOf(term, node);
  if (pair !== null) counts.set(pair, (counts.get(pair) ?? 0) + 1);
}

/** Null where the node lacks the key. */
function pairOf(term: PodAffinityTermObject, node: NodeObject): string | null {
  const key = term.topologyKey ?? '';
  const value = labelsOf(node)[key];
  return value === undefined ? null : `${key}\n${value}`;
}

function affinityHolds({ cluster, pod, node }: Question): boolean {
  const terms = affinityTerms(pod);
  const matchesAll = (other: PodObject) => terms.every((term) => termMatches(cluster, pod, term, other));
  const counts: Counts = new Map();
  for (const existing of existingPods(cluster)) {
    if (matchesAll(existing.pod)) for (const term of terms) count(counts, term, existing.node);
  }
  const pairs = terms.map((term) => pairOf(term, node));
  if (pairs.includes(null)) return false;
  if (pairs.every((pair) => (counts.get(pair ?? '') ?? 0) > 0)) return true;
  return counts.size === 0 && matchesAll(pod);
}

function antiAffinityHolds({ cluster, pod, node }: Question): boolean {
  const terms = antiAffinityTerms(pod);
  const counts: Counts = new Map();
  for (const existing of existingPods(cluster)) {
    for (const term of terms) {
      if (termMatches(cluster, pod, term, existing.pod)) count(counts, term, existing.node);
    }
  }
  return terms.every((term) => (counts.get(pairOf(term, node) ?? '') ?? 0) === 0);
}

function existingAntiAffinityHolds({ cluster, pod, node }: Question): boolean {
  const counts: Counts = new Map();
  for (const existing of existingPods(cluster)) {
    for (const term of antiAffinityTerms(existing.pod).filter(parses)) {
      if (termMatches(cluster, existing.pod, term, pod)) count(counts, term, existing.node);
    }
  }
  return !Object.entries(labelsOf(node)).some(([key, value]) => counts.has(`${key}\n${value}`));
}
