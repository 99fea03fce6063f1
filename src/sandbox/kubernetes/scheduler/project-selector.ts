import type {
  LabelSelector as DomainLabelSelector,
  NodeSelector,
  Requirement,
} from '../../../domain/kubernetes/selectors.js';
import type { LabelSelector, SelectorRequirement } from '../objects/selector.js';
import type { NodeSelectorTerm } from '../objects/types.js';

/** Null where the API has none, which is not the same as one without terms. */
export function nodeSelectorOf(
  selector: { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] } | undefined,
): NodeSelector | null {
  if (selector === undefined) return null;
  return {
    terms: (selector.nodeSelectorTerms ?? []).map(({ matchExpressions = [], matchFields = [] }) => ({
      matchExpressions: matchExpressions.map(requirement),
      matchFields: matchFields.map(requirement),
    })),
  };
}

export function labelSelector(selector: LabelSelector | null | undefined): DomainLabelSelector | null {
  if (selector == null) return null;
  return {
    matchLabels: new Map(Object.entries(selector.matchLabels ?? {})),
    matchExpressions: (selector.matchExpressions ?? []).map(requirement),
  };
}

function requirement({ key, operator, values = [] }: SelectorRequirement): Requirement {
  return { key, operator, values };
}
