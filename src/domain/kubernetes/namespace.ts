import type { Labels } from './labels.js';

/** A namespace, as the namespace selectors of affinity terms see it. */
export interface Namespace {
  readonly name: string;
  readonly labels: Labels;
}

/** Labels by name of namespace. A namespace that is absent has none. */
export function namespaceLabels(namespaces: readonly Namespace[]): ReadonlyMap<string, Labels> {
  return new Map(namespaces.map(({ name, labels }) => [name, labels]));
}
