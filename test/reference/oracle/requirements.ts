import type { LabelSelectorObject, Maybe, RequirementObject, Texts } from './api-objects.js';
import { isQualifiedName } from './resource-names.js';

/** A selector, term or requirement that doesn't parse. */
export class MalformedSelector extends Error {}

const LABEL_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const NODE_OPERATORS = [...LABEL_OPERATORS, 'Gt', 'Lt'];

export function checkRequirement(requirement: RequirementObject, operators: readonly string[]): void {
  const operator = requirement.operator ?? '';
  const values = requirement.values ?? [];
  const fail = (): never => {
    throw new MalformedSelector(`malformed requirement on ${JSON.stringify(requirement.key ?? '')}`);
  };
  if (!operators.includes(operator)) fail();
  if (!isQualifiedName(requirement.key ?? '')) fail();
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) fail();
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) fail();
  if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1 || parseInteger(values[0] ?? '') === null) fail();
  }
  if (!values.every(isLabelValue)) fail();
}

export function checkNodeRequirement(requirement: RequirementObject): void {
  checkRequirement(requirement, NODE_OPERATORS);
}

/** At most 63 characters; empty, or alphanumeric at both ends. */
export function isLabelValue(text: string): boolean {
  return text.length <= 63 && /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/.test(text);
}

/** Base 10 in the range of int64. */
export function parseInteger(text: string): bigint | null {
  if (!/^[+-]?\d+$/.test(text)) return null;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= -(2n ** 63n) && value < 2n ** 63n ? value : null;
}

/** Whether a well-formed requirement holds on a label map (`scheduling` 3.0). */
export function requirementHolds(requirement: RequirementObject, labels: Texts): boolean {
  const key = requirement.key ?? '';
  const values = requirement.values ?? [];
  const present = Object.hasOwn(labels, key);
  const value = labels[key] ?? '';
  switch (requirement.operator) {
    case 'In':
      return present && values.includes(value);
    case 'NotIn':
      return !present || !values.includes(value);
    case 'Exists':
      return present;
    case 'DoesNotExist':
      return !present;
    default:
      return present && comparisonHolds(requirement.operator === 'Gt', value, values[0] ?? '');
  }
}

function comparisonHolds(greater: boolean, label: string, operand: string): boolean {
  const left = parseInteger(label);
  const right = parseInteger(operand);
  if (left === null || right === null) return false;
  return greater ? left > right : left < right;
}

/** All requirements of a label selector. Throws {@link MalformedSelector}. */
function requirementsOf(selector: LabelSelectorObject): RequirementObject[] {
  const requirements = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
      key,
      operator: 'In',
      values: [value],
    })),
    ...(selector.matchExpressions ?? []),
  ];
  for (const requirement of requirements) checkRequirement(requirement, LABEL_OPERATORS);
  return requirements;
}

export function isEmptySelector(selector: LabelSelectorObject): boolean {
  return requirementsOf(selector).length === 0;
}

/** Null selects nothing, `{}` selects everything. Throws {@link MalformedSelector}. */
export function selects(selector: Maybe<LabelSelectorObject>, labels: Texts): boolean {
  if (selector == null) return false;
  return requirementsOf(selector).every((requirement) => requirementHolds(requirement, labels));
}

/** The same where a selector that doesn't parse selects nothing. */
export function selectsLeniently(selector: Maybe<LabelSelectorObject>, labels: Texts): boolean {
  return isWellFormed(selector) && selects(selector, labels);
}

export function isWellFormed(selector: Maybe<LabelSelectorObject>): boolean {
  try {
    if (selector != null) requirementsOf(selector);
    return true;
  } catch (error) {
    if (error instanceof MalformedSelector) return false;
    throw error;
  }
}
