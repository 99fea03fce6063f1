export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly SelectorRequirement[];
}

type Labels = Readonly<Record<string, string>> | undefined;

/** Null or absent selects nothing, empty selects all. */
export function selectorMatches(selector: LabelSelector | null | undefined, labels: Labels): boolean {
  if (selector == null) return false;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (labels?.[key] !== value) return false;
  }
  return (selector.matchExpressions ?? []).every((requirement) => requirementMatches(requirement, labels));
}

export function requirementMatches(requirement: SelectorRequirement, labels: Labels): boolean {
  const value = labels?.[requirement.key];
  const values = requirement.values ?? [];
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** Label selector of a query string: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. Null if it does not parse. */
export function parseLabelSelector(text: string): readonly SelectorRequirement[] | null {
  const parts = text.match(/(?:[^,(]|\([^)]*\))+/g) ?? [];
  const requirements = parts.map((part) => parseRequirement(part.trim()));
  return requirements.includes(null) ? null : (requirements as SelectorRequirement[]);
}

const KEY = '([\\w./-]+)';
const SET = new RegExp(`^${KEY}\\s+(in|notin)\\s*\\(([^)]*)\\)$`);
const EQUALITY = new RegExp(`^${KEY}\\s*(==|=|!=)\\s*([\\w.-]*)$`);
const PRESENCE = new RegExp(`^(!?)\\s*${KEY}$`);

function parseRequirement(text: string): SelectorRequirement | null {
  const set = SET.exec(text);
  if (set !== null) {
    const values = set[3]!.split(',').map((value) => value.trim());
    return { key: set[1]!, operator: set[2] === 'in' ? 'In' : 'NotIn', values };
  }
  const equality = EQUALITY.exec(text);
  if (equality !== null) {
    return { key: equality[1]!, operator: equality[2] === '!=' ? 'NotIn' : 'In', values: [equality[3]!] };
  }
  const presence = PRESENCE.exec(text);
  if (presence !== null)
    return { key: presence[2]!, operator: presence[1] === '!' ? 'DoesNotExist' : 'Exists' };
  return null;
}

export function formatLabelSelector(selector: LabelSelector | null | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector?.matchExpressions ?? []).map(formatRequirement);
  return [...labels, ...expressions].join(',') || '<none>';
}

function formatRequirement({ key, operator, values }: SelectorRequirement): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator.toLowerCase()} (${(values ?? []).join(',')})`;
}

export interface FieldRequirement {
  readonly path: string;
  readonly negated: boolean;
  readonly value: string;
}

/** Field selector of a query string: `spec.nodeName=a,status.phase!=Failed`. Null if it does not parse. */
export function parseFieldSelector(text: string): readonly FieldRequirement[] | null {
  const requirements: FieldRequirement[] = [];
  for (const part of text.split(',').filter((piece) => piece !== '')) {
    const match = /^([\w.]+)(!=|==|=)(.*)$/.exec(part);
    if (match === null) return null;
    requirements.push({ path: match[1]!, negated: match[2] === '!=', value: match[3]! });
  }
  return requirements;
}
