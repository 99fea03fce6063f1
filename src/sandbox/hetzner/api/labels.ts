import { invalidInput } from './api-error.js';

export type Labels = Readonly<Record<string, string>>;

const NAME = '[a-z0-9A-Z](?:(?:[-_.]|[a-z0-9A-Z]){0,61}[a-z0-9A-Z])?';
const PREFIX = '[a-z0-9A-Z](?:(?:[-_.]|[a-z0-9A-Z]){0,253}[a-z0-9A-Z])?';
const KEY = `(?:${PREFIX}/)?${NAME}`;
const KEY_PATTERN = new RegExp(`^${KEY}$`);
const VALUE_PATTERN = new RegExp(`^(?:${NAME})?$`);
const RESERVED_PREFIX = 'hetzner.cloud/';

/** What is wrong with a map of labels; null when nothing is. */
export function labelFault(labels: unknown): string | null {
  if (typeof labels !== 'object' || labels === null || Array.isArray(labels)) return 'Labels must be a map.';
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(RESERVED_PREFIX)) return `Label key ${key} has a reserved prefix.`;
    if (!KEY_PATTERN.test(key)) return `Label key ${key} is invalid.`;
    if (typeof value !== 'string' || !VALUE_PATTERN.test(value)) return `Value of label ${key} is invalid.`;
  }
  return null;
}

export type Selector = (labels: Labels) => boolean;

const ABSENT = new RegExp(`^!\\s*(${KEY})$`);
const PRESENT = new RegExp(`^(${KEY})$`);
const COMPARISON = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*((?:${NAME})?)$`);
const MEMBERSHIP = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);

/** Parses a label selector. Throws `invalid_input` on `label_selector`. `!=` and `notin` match absent keys too. */
export function parseSelector(text: string): Selector {
  if (text.trim() === '') return () => true;
  const requirements = splitRequirements(text).map((part) => parseRequirement(part.trim()));
  return (labels) => requirements.every((requirement) => requirement(labels));
}

/** Commas separate requirements, but not inside parentheses. */
function splitRequirements(text: string): readonly string[] {
  return text.split(/,(?![^(]*\))/);
}

function parseRequirement(text: string): Selector {
  const absent = ABSENT.exec(text);
  if (absent !== null) return (labels) => labels[absent[1]!] === undefined;
  const present = PRESENT.exec(text);
  if (present !== null) return (labels) => labels[present[1]!] !== undefined;
  const comparison = COMPARISON.exec(text);
  if (comparison !== null) {
    const [, key = '', operator, value] = comparison;
    return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
  }
  const membership = MEMBERSHIP.exec(text);
  if (membership === null) throw invalidSelector(text);
  return parseMembership(text, membership);
}

function parseMembership(text: string, match: RegExpExecArray): Selector {
  const [, key = '', operator, list = ''] = match;
  const values = new Set(list.split(',').map((value) => value.trim()));
  for (const value of values) if (value === '' || !VALUE_PATTERN.test(value)) throw invalidSelector(text);
  return (labels) => {
    const value = labels[key];
    const isMember = value !== undefined && values.has(value);
    return operator === 'in' ? isMember : !isMember;
  };
}

function invalidSelector(text: string): Error {
  return invalidInput('label_selector', `invalid label selector near '${text}'`);
}
