import type { LabelSelector, NodeSelector, Requirement } from '../../../domain/kubernetes/selectors.js';
import type { LabelSelectorJson, Maybe, NodeSelectorTermJson, RequirementJson } from './api-objects.js';

/** Null stays null: it matches nothing, while an empty selector matches everything. */
export function projectLabelSelector(selector: Maybe<LabelSelectorJson>): LabelSelector | null {
  if (selector == null) return null;
  return {
    matchLabels: new Map(Object.entries(selector.matchLabels ?? {})),
    matchExpressions: projectRequirements(selector.matchExpressions),
  };
}

export function projectNodeSelector(terms: Maybe<readonly NodeSelectorTermJson[]>): NodeSelector {
  return {
    terms: (terms ?? []).map((term) => ({
      matchExpressions: projectRequirements(term.matchExpressions),
      matchFields: projectRequirements(term.matchFields),
    })),
  };
}

function projectRequirements(requirements: Maybe<readonly RequirementJson[]>): readonly Requirement[] {
  return (requirements ?? []).map(({ key, operator, values }) => ({
    key: key ?? '',
    operator: operator ?? '',
    values: values ?? [],
  }));
}

/**
 * The selector with `key In (value)` and `key NotIn (value)` for keys that the pod has as labels: what the API server
 * does to `matchLabelKeys` and `mismatchLabelKeys` at creation (`scheduling` 3.10, 3.11). Asked again for a pod that
 * has it already, it adds nothing that changes a match.
 */
export function mergeLabelKeys(
  selector: LabelSelector | null,
  labels: ReadonlyMap<string, string>,
  keys: { readonly match?: Maybe<readonly string[]>; readonly mismatch?: Maybe<readonly string[]> },
): LabelSelector | null {
  const { match, mismatch } = keys;
  if (selector === null || ((match ?? []).length === 0 && (mismatch ?? []).length === 0)) return selector;
  const added = [...required(match, 'In', labels), ...required(mismatch, 'NotIn', labels)];
  const isNew = (requirement: Requirement): boolean =>
    !selector.matchExpressions.some((known) => JSON.stringify(known) === JSON.stringify(requirement));
  return { ...selector, matchExpressions: [...selector.matchExpressions, ...added.filter(isNew)] };
}

function required(
  keys: Maybe<readonly string[]>,
  operator: string,
  labels: ReadonlyMap<string, string>,
): readonly Requirement[] {
  return (keys ?? []).flatMap((key) => {
    const value = labels.get(key);
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
