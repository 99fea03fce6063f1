import type { Labels } from './labels.js';
import { isLabelValue, isQualifiedName } from './qualified-name.js';
import type { LabelSelector, NodeSelector, NodeSelectorTerm, Requirement } from './selectors.js';

/** Matching of selectors (`scheduling` 3.0). Odd input is judged, never thrown at: what is malformed matches nothing. */

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const NODE_NAME_FIELD = 'metadata.name';
const LABEL_SELECTOR_OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

/** What a node selector looks at. */
export interface SelectableNode {
  readonly name: string;
  readonly labels: Labels;
}

/** A null selector matches nothing, an empty one everything. */
export function labelSelectorMatches(selector: LabelSelector | null, labels: Labels): boolean {
  if (selector === null) return false;
  for (const [key, value] of selector.matchLabels) if (labels.get(key) !== value) return false;
  for (const requirement of selector.matchExpressions) {
    if (!LABEL_SELECTOR_OPERATORS.has(requirement.operator)) return false;
    if (!requirementMatches(requirement, labels)) return false;
  }
  return true;
}

/** What the API would not accept of a label selector, or null. Such a selector matches nothing. */
export function selectorProblem(selector: LabelSelector | null): string | null {
  if (selector === null) return null;
  for (const [key, value] of selector.matchLabels) {
    if (!isQualifiedName(key) || !isLabelValue(value)) return malformed(key);
  }
  const bad = selector.matchExpressions.find(
    (requirement) => !LABEL_SELECTOR_OPERATORS.has(requirement.operator) || isMalformed(requirement),
  );
  return bad === undefined ? null : malformed(bad.key);
}

function malformed(key: string): string {
  return `malformed requirement on ${JSON.stringify(key)}`;
}

/** One of the terms must match; without terms nothing does. */
export function nodeSelectorMatches(selector: NodeSelector, node: SelectableNode): boolean {
  return selector.terms.some((term) => nodeSelectorTermMatches(term, node));
}

/** An empty term and a term with a malformed part match no node. */
export function nodeSelectorTermMatches(term: NodeSelectorTerm, node: SelectableNode): boolean {
  if (term.matchExpressions.length === 0 && term.matchFields.length === 0) return false;
  if (term.matchExpressions.some(isMalformed) || term.matchFields.some(isMalformedField)) return false;
  return (
    term.matchExpressions.every((requirement) => holds(requirement, node.labels)) &&
    (node.name === '' || term.matchFields.every((requirement) => fieldHolds(requirement, node.name)))
  );
}

/** One requirement on a label map; a malformed one is false, also with a negative operator. */
export function requirementMatches(requirement: Requirement, labels: Labels): boolean {
  return !isMalformed(requirement) && holds(requirement, labels);
}

function holds(requirement: Requirement, labels: Labels): boolean {
  const value = labels.get(requirement.key);
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && requirement.values.includes(value);
    case 'NotIn':
      return value === undefined || !requirement.values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return comparisonHolds(requirement, value);
  }
}

function comparisonHolds(requirement: Requirement, value: string | undefined): boolean {
  const actual = value === undefined ? null : parseInt64(value);
  const bound = parseInt64(requirement.values[0] ?? '');
  if (actual === null || bound === null) return false;
  return requirement.operator === 'Gt' ? actual > bound : actual < bound;
}

function fieldHolds(requirement: Requirement, nodeName: string): boolean {
  // Fields other than the name compare as empty.
  const actual = requirement.key === NODE_NAME_FIELD ? nodeName : '';
  const isEqual = actual === requirement.values[0];
  return requirement.operator === 'In' ? isEqual : !isEqual;
}

function isMalformedField({ operator, values }: Requirement): boolean {
  return (operator !== 'In' && operator !== 'NotIn') || values.length !== 1;
}

const judged = new WeakMap<Requirement, boolean>();

/** Judged once per record: requirements are immutable and are tested against thousands of objects. */
function isMalformed(requirement: Requirement): boolean {
  let malformed = judged.get(requirement);
  if (malformed === undefined) {
    malformed = !isWellFormed(requirement);
    judged.set(requirement, malformed);
  }
  return malformed;
}

function isWellFormed({ key, operator, values }: Requirement): boolean {
  return isQualifiedName(key) && values.every(isLabelValue) && hasFittingValues(operator, values);
}

function hasFittingValues(operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0;
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0;
    case 'Gt':
    case 'Lt':
      return values.length === 1 && parseInt64(values[0] ?? '') !== null;
    default:
      return false;
  }
}

/** Base 10 with optional sign and leading zeros; null if it is no 64-bit integer. */
function parseInt64(text: string): bigint | null {
  if (!/^[+-]?[0-9]+$/.test(text)) return null;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value > INT64_MAX || value < INT64_MIN ? null : value;
}
