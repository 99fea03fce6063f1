import { selectorText } from '../../kubernetes/selector-text.js';
import type { Criterion } from './pod-query.js';

/** Text that is equal exactly for queries that ask for the same pods. */
export function queryText(criteria: readonly Criterion[], countsTerminating: boolean): string {
  const texts = criteria.map(({ selector, namespaces, namespaceSelector }) =>
    JSON.stringify([
      [...new Set(namespaces)].sort(),
      selectorText(namespaceSelector),
      selectorText(selector),
    ]),
  );
  return JSON.stringify([countsTerminating, ...new Set(texts.sort())]);
}
