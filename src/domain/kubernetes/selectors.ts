/** One requirement of a label or node selector. `operator` is kept as written, so that an unknown one can be judged. */
export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** One term of a required node affinity: all of its requirements must hold. An empty term matches nothing. */
export interface NodeSelectorTerm {
  readonly matchExpressions: readonly Requirement[];
  readonly matchFields: readonly Requirement[];
}

/** Required node affinity: one term must match. No terms: matches nothing. */
export interface NodeSelector {
  readonly terms: readonly NodeSelectorTerm[];
}

/** A label selector as pods, budgets and workloads carry it. Null where the API has null: it matches nothing. */
export interface LabelSelector {
  readonly matchLabels: ReadonlyMap<string, string>;
  readonly matchExpressions: readonly Requirement[];
}
