import type { FaultAction, FaultMatch, FaultRule } from './fault-plan.js';
import type { FrontResponse } from './front.js';

/**
 * A fault rule as JSON or YAML has it: what {@link FaultRule} says, with patterns as text. `path` and `body` are
 * regular expressions. Besides the actions of code there are `truncate` (bytes) and `garbage` (no valid JSON).
 */
export interface FaultDocument {
  readonly id?: string;
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly after?: number;
  readonly times?: number;
  readonly every?: number;
  readonly probability?: number;
  readonly action: FaultActionDocument;
}

export type FaultActionDocument =
  | Exclude<FaultAction, { readonly kind: 'rewrite' | 'hang' }>
  /** Hangs for so long; without end when absent. */
  | { readonly kind: 'hang'; readonly ms?: number }
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: 'garbage' };

/** What the members of each action must be. */
const ACTION_FIELDS: Readonly<
  Record<FaultActionDocument['kind'], Readonly<Record<string, 'number' | 'string'>>>
> = {
  answer: { status: 'number', body: 'string' },
  'commit-then-answer': { status: 'number', body: 'string' },
  'cut-before': {},
  'cut-after': {},
  drop: {},
  delay: { ms: 'number' },
  hang: {},
  truncate: { bytes: 'number' },
  garbage: {},
};

/** Throws a RangeError that names what is wrong with the document. `nowMs` is world time. */
export function faultRuleFrom(document: unknown, nowMs: number): FaultRule {
  if (!isRecord(document)) throw new RangeError('a fault rule is an object');
  const { action } = document;
  requireAction(action);
  const numbers: Record<string, number> = {};
  for (const name of ['after', 'times', 'every', 'probability'] as const) {
    const value = document[name];
    if (value === undefined) continue;
    if (typeof value !== 'number') throw new RangeError(`${name} of a fault rule is a number`);
    numbers[name] = value;
  }
  return {
    ...(typeof document['id'] === 'string' ? { id: document['id'] } : {}),
    match: matchFrom(document),
    ...numbers,
    action: actionFrom(action, nowMs),
  };
}

function requireAction(action: unknown): asserts action is FaultActionDocument {
  const kind = isRecord(action) ? action['kind'] : undefined;
  if (typeof kind !== 'string' || !Object.hasOwn(ACTION_FIELDS, kind)) {
    throw new RangeError(`action.kind of a fault rule is one of ${Object.keys(ACTION_FIELDS).join(', ')}`);
  }
  for (const [field, type] of Object.entries(ACTION_FIELDS[kind as FaultActionDocument['kind']])) {
    const value = (action as Record<string, unknown>)[field];
    if (typeof value !== type) throw new RangeError(`action.${field} of a fault '${kind}' is a ${type}`);
  }
}

function matchFrom(document: Readonly<Record<string, unknown>>): FaultMatch {
  const { method, path, body } = document;
  const bodyPattern = typeof body === 'string' ? new RegExp(body) : null;
  return {
    ...(typeof method === 'string' ? { method } : {}),
    ...(typeof path === 'string' ? { path: new RegExp(path) } : {}),
    ...(bodyPattern === null ? {} : { when: (request) => bodyPattern.test(request.body) }),
  };
}

function actionFrom(action: FaultActionDocument, nowMs: number): FaultAction {
  switch (action.kind) {
    case 'hang':
      return action.ms === undefined ? { kind: 'drop' } : { kind: 'hang', untilMs: nowMs + action.ms };
    case 'truncate':
      return {
        kind: 'rewrite',
        change: (response) => withText(response, (text) => text.slice(0, action.bytes)),
      };
    case 'garbage':
      return { kind: 'rewrite', change: (response) => withText(response, () => '{"garbage":') };
    default:
      return action;
  }
}

/** Streams are left alone. */
function withText(response: FrontResponse, change: (text: string) => string): FrontResponse {
  return typeof response.body === 'string' ? { ...response, body: change(response.body) } : response;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
