import type { Labels } from '../../kubernetes/labels.js';
import { labelSelectorMatches } from '../../kubernetes/match-selector.js';
import type { PodShape } from '../../kubernetes/pod.js';
import type { LabelSelector } from '../../kubernetes/selectors.js';
import type { DomainCensus } from './domain-census.js';
import type { DomainColumn } from './domain-column.js';
import type { DomainTally } from './domain-tally.js';
import type { SpreadTally } from './spread-tally.js';
import type { TopologyRules } from './topology-rules.js';

/** Pods of some namespaces with some labels: what an affinity term or a spread constraint asks for. */
export interface Criterion {
  readonly selector: LabelSelector | null;
  readonly namespaces: readonly string[];
  readonly namespaceSelector: LabelSelector | null;
}

/** Labels by name of namespace. */
export type NamespaceLabels = ReadonlyMap<string, Labels>;

/** A kind of pods, with everything that is counted of it. One object for equal criteria. */
export class PodQuery {
  /** Profiles that match. Grows only. */
  readonly members: PodProfile[] = [];
  /** Pods that match, for incoming pods that want them near or far. */
  readonly matching = new Map<DomainColumn, DomainTally>();
  /** The same for spread constraints. */
  readonly spreading = new Map<DomainCensus, SpreadTally>();
  /** Pods that hold a term against this kind. */
  readonly owning = new Map<DomainColumn, DomainTally>();

  /** All criteria must match; without any, nothing does. */
  constructor(
    readonly id: number,
    readonly criteria: readonly Criterion[],
    private readonly countsTerminating: boolean,
  ) {}

  matches(profile: PodProfile, namespaces: NamespaceLabels): boolean {
    if (profile.isTerminating && !this.countsTerminating) return false;
    if (this.criteria.length === 0) return false;
    return this.criteria.every((criterion) => criterionMatches(criterion, profile, namespaces));
  }
}

const NO_NAMESPACE_LABELS: Labels = new Map<string, string>();

function criterionMatches(criterion: Criterion, profile: PodProfile, labelsOf: NamespaceLabels): boolean {
  const { selector, namespaces, namespaceSelector } = criterion;
  const isInNamespace =
    namespaces.includes(profile.namespace) ||
    labelSelectorMatches(namespaceSelector, labelsOf.get(profile.namespace) ?? NO_NAMESPACE_LABELS);
  return isInNamespace && labelSelectorMatches(selector, profile.labels);
}

/** All pods that no rule between pods can tell apart: same namespace, labels and anti-affinity, terminating or not. */
export class PodProfile {
  /** Kinds of pods that these are. Grows only. */
  readonly queries: PodQuery[] = [];
  /** Where pods are counted that hold a term against these. Grows only. */
  readonly repelledBy: DomainTally[] = [];
  /** Number of pods by row. */
  readonly rows = new Map<number, number>();
  /** What was worked out for incoming pods of a shape; good as long as `repelledBy` is as long as it was then. */
  readonly rulesByShape = new Map<
    PodShape,
    { readonly rules: TopologyRules | null; readonly repelledBy: number }
  >();

  /** `owned`: where these are counted as holders of a term. */
  constructor(
    readonly namespace: string,
    readonly labels: Labels,
    readonly isTerminating: boolean,
    readonly owned: readonly DomainTally[],
  ) {}

  /** One pod more on the row, or one fewer, in everything that counts such pods. */
  count(row: number, change: 1 | -1): void {
    const pods = (this.rows.get(row) ?? 0) + change;
    if (pods === 0) this.rows.delete(row);
    else this.rows.set(row, pods);
    for (const { matching, spreading } of this.queries) {
      for (const tally of matching.values()) tally.add(row, change);
      for (const tally of spreading.values()) tally.add(row, change);
    }
    for (const tally of this.owned) tally.add(row, change);
  }

  /** Everything that a pod on the row is counted in. */
  talliesAt(row: number): DomainTally[] {
    const counting = this.queries.flatMap(({ matching, spreading }) => [
      ...matching.values(),
      ...spreading.values(),
    ]);
    return [...counting, ...this.owned].filter((tally) => tally.covers(row));
  }
}
