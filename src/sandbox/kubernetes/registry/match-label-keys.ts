import type { LabelSelector, SelectorRequirement } from '../objects/selector.js';
import type { Draft } from '../objects/object.js';
import type { Pod } from '../objects/types.js';

interface Selecting {
  labelSelector?: LabelSelector | null;
  readonly matchLabelKeys?: readonly string[] | null;
  readonly mismatchLabelKeys?: readonly string[] | null;
}

interface Affinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly Selecting[] | null;
}

/** What the API server does at creation with label keys of spread constraints and affinity terms: it writes them out. */
export function mergeMatchLabelKeys({ metadata, spec }: Draft<Pod>): void {
  const labels = metadata.labels ?? {};
  const constraints = (spec['topologySpreadConstraints'] ?? []) as readonly Selecting[];
  const affinities = [spec.affinity?.['podAffinity'], spec.affinity?.['podAntiAffinity']] as readonly (
    Affinity | undefined
  )[];
  const terms = affinities.flatMap(
    (affinity) => affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
  );
  for (const selecting of [...constraints, ...terms]) merge(selecting, labels);
}

function merge(selecting: Selecting, labels: Readonly<Record<string, string>>): void {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = selecting;
  if (labelSelector == null) return;
  const added = [...written(matchLabelKeys, 'In', labels), ...written(mismatchLabelKeys, 'NotIn', labels)];
  if (added.length === 0) return;
  selecting.labelSelector = {
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...added],
  };
}

function written(
  keys: readonly string[] | null | undefined,
  operator: string,
  labels: Readonly<Record<string, string>>,
): SelectorRequirement[] {
  return (keys ?? []).flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
