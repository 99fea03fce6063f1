import type {
  NodeObject,
  NodeSelectorObject,
  NodeSelectorTermObject,
  PodObject,
  Texts,
} from './api-objects.js';
import { labelsOf, nameOf } from './cluster.js';
import { checkNodeRequirement, MalformedSelector, requirementHolds } from './requirements.js';

/** Terms are ORed; `name` is empty where only labels count (affinity of a volume): fields are then not evaluated. */
export function nodeSelectorMatches(selector: NodeSelectorObject, labels: Texts, name: string): boolean {
  return (selector.nodeSelectorTerms ?? []).some((term) => termMatches(term, labels, name));
}

function termMatches(term: NodeSelectorTermObject, labels: Texts, name: string): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length + fields.length === 0) return false;
  if (!isWellFormedTerm(term)) return false;
  if (!expressions.every((requirement) => requirementHolds(requirement, labels))) return false;
  if (name === '') return true;
  return fields.every((requirement) => {
    const value = requirement.key === 'metadata.name' ? name : '';
    const equal = requirement.values?.[0] === value;
    return requirement.operator === 'In' ? equal : !equal;
  });
}

function isWellFormedTerm(term: NodeSelectorTermObject): boolean {
  const fieldsFit = (term.matchFields ?? []).every(
    (field) => ['In', 'NotIn'].includes(field.operator ?? '') && field.values?.length === 1,
  );
  if (!fieldsFit) return false;
  try {
    for (const requirement of term.matchExpressions ?? []) checkNodeRequirement(requirement);
    return true;
  } catch (error) {
    if (error instanceof MalformedSelector) return false;
    throw error;
  }
}

/** `nodeSelector` AND the required node affinity (`scheduling` 3.0). */
export function requiredAffinityMatches(pod: PodObject, node: NodeObject): boolean {
  const labels = labelsOf(node);
  const plain = Object.entries(pod.spec?.nodeSelector ?? {});
  if (!plain.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value)) return false;
  const required = requiredNodeAffinity(pod);
  return required == null || nodeSelectorMatches(required, labels, nameOf(node));
}

export function requiredNodeAffinity(pod: PodObject) {
  return pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
}
