import type { Labels } from '../../kubernetes/labels.js';
import { labelSelectorMatches } from '../../kubernetes/match-selector.js';
import type { LabelSelector } from '../../kubernetes/selectors.js';
import type { DomainCensus } from './domain-census.js';
import type { DomainColumn } from './domain-column.js';
import type { DomainTally } from './domain-tally.js';
import type { SpreadTally } from './spread-tally.js';

/** Pods of some namespaces with some labels: what an affinity term or a spread constraint asks for. */
export interface Criterion {
  readonly selector: LabelSelector | null;
  readonly namespaces: readonly string[];
  readonly namespaceSelector: LabelSelector | null;
}

/** Equal pods, as far as queries look at them. */
export interface PodMember {
  readonly namespace: string;
  readonly labels: Labels;
  readonly isTerminating: boolean;
  /** Where pods are counted that hold a term against these. */
  readonly repelledBy: DomainTally[];
  /** Number of pods by row. */
  readonly rows: ReadonlyMap<number, number>;
}

/** Labels by name of namespace. */
export type NamespaceLabels = ReadonlyMap<string, Labels>;

/** A kind of pods, with everything that is counted of it. One object for equal criteria. */
export class PodQuery {
  /** Pods that match. Grows only. */
  readonly members: PodMember[] = [];
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

  matches(profile: PodMember, namespaces: NamespaceLabels): boolean {
    if (profile.isTerminating && !this.countsTerminating) return false;
    if (this.criteria.length === 0) return false;
    return this.criteria.every((criterion) => criterionMatches(criterion, profile, namespaces));
  }
}

const NO_NAMESPACE_LABELS: Labels = new Map<string, string>();

function criterionMatches(criterion: Criterion, profile: PodMember, labelsOf: NamespaceLabels): boolean {
  const { selector, namespaces, namespaceSelector } = criterion;
  const isInNamespace =
    namespaces.includes(profile.namespace) ||
    labelSelectorMatches(namespaceSelector, labelsOf.get(profile.namespace) ?? NO_NAMESPACE_LABELS);
  return isInNamespace && labelSelectorMatches(selector, profile.labels);
}
