import type { LabelSelectorObject, NodeObject, PodObject, SpreadConstraintObject } from '../api-objects.js';
import { isTerminating, labelsOf, namespaceOf, podsOn } from '../cluster.js';
import type { Question } from '../cluster.js';
import { requiredAffinityMatches } from '../node-selector.js';
import { isEmptySelector, MalformedSelector, selects } from '../requirements.js';
import { hasUntoleratedTaint } from '../tolerations.js';
import type { Plugin } from './plugin.js';

const MISMATCH = "node(s) didn't match pod topology spread constraints";

/** `scheduling` 3.10, with the default arguments (defaultingType System: nothing hard). */
export const podTopologySpread: Plugin = {
  name: 'PodTopologySpread',
  preFilter({ pod }) {
    try {
      for (const constraint of hardConstraints(pod)) selects(selectorOf(constraint, pod), {});
      return null;
    } catch (error) {
      if (error instanceof MalformedSelector) return { rejection: error.message };
      throw error;
    }
  },
  filter(question) {
    const labels = labelsOf(question.node);
    for (const constraint of hardConstraints(question.pod)) {
      const value = labels[constraint.topologyKey ?? ''];
      if (value === undefined) return [`${MISMATCH} (missing required label)`];
      const counts = countByDomain(question, constraint);
      const tooFew = counts.size < (constraint.minDomains ?? 1);
      const least = counts.size === 0 || tooFew ? 0 : Math.min(...counts.values());
      const self = selects(selectorOf(constraint, question.pod), labelsOf(question.pod)) ? 1 : 0;
      if ((counts.get(value) ?? 0) + self - least > (constraint.maxSkew ?? 0)) return [MISMATCH];
    }
    return [];
  },
};

function hardConstraints(pod: PodObject): SpreadConstraintObject[] {
  return (pod.spec?.topologySpreadConstraints ?? []).filter(
    (constraint) => constraint.whenUnsatisfiable === 'DoNotSchedule',
  );
}

/** The selector with one requirement more for each of `matchLabelKeys` that the pod has. */
function selectorOf(constraint: SpreadConstraintObject, pod: PodObject): LabelSelectorObject | null {
  const selector = constraint.labelSelector;
  if (selector == null) return null;
  const labels = labelsOf(pod);
  const merged = (constraint.matchLabelKeys ?? []).flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }];
  });
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...merged] };
}

function countByDomain(question: Question, constraint: SpreadConstraintObject): Map<string, number> {
  const { cluster, pod } = question;
  const counts = new Map<string, number>();
  for (const node of cluster.nodes) {
    const labels = labelsOf(node);
    const complete = hardConstraints(pod).every(({ topologyKey }) => labels[topologyKey ?? ''] !== undefined);
    const value = labels[constraint.topologyKey ?? ''];
    if (!complete || value === undefined || !isIncluded(question, node, constraint)) continue;
    counts.set(value, (counts.get(value) ?? 0) + countOn(question, node, selectorOf(constraint, pod)));
  }
  return counts;
}

function isIncluded(
  { pod, options }: Question,
  node: NodeObject,
  constraint: SpreadConstraintObject,
): boolean {
  if ((constraint.nodeAffinityPolicy ?? 'Honor') === 'Honor' && !requiredAffinityMatches(pod, node))
    return false;
  const honorsTaints = (constraint.nodeTaintsPolicy ?? 'Ignore') === 'Honor';
  return !honorsTaints || !hasUntoleratedTaint(pod, node, options.tolerationComparison);
}

function countOn({ cluster, pod }: Question, node: NodeObject, selector: LabelSelectorObject | null): number {
  if (selector === null || isEmptySelector(selector)) return 0;
  return podsOn(cluster, node).filter(
    (other) =>
      namespaceOf(other) === namespaceOf(pod) && !isTerminating(other) && selects(selector, labelsOf(other)),
  ).length;
}
