import type { LabelSelector, Requirement } from './selectors.js';

const texts = new WeakMap<LabelSelector, string>();

/** Text that is equal for selectors that read the same, whatever the order in which they were written. */
export function selectorText(selector: LabelSelector | null): string {
  if (selector === null) return 'null';
  let text = texts.get(selector);
  if (text === undefined) {
    const equal = [...selector.matchLabels].sort(([left], [right]) => (left < right ? -1 : 1));
    const expressions = asTextSet(selector.matchExpressions.map(requirementParts));
    text = JSON.stringify([equal, expressions]);
    texts.set(selector, text);
  }
  return text;
}

/** Values are sorted but not deduplicated: their number decides whether some operators are well-formed. */
export function requirementParts({ key, operator, values }: Requirement): unknown {
  return [key, operator, [...values].sort()];
}

/** Order and repetition don't count. */
export function asTextSet(parts: readonly unknown[]): string[] {
  return [...new Set(parts.map((part) => JSON.stringify(part)))].sort();
}
