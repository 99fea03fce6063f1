import { faultRuleFrom } from '../../world/fault-document.js';
import type { FaultRule } from '../../world/fault-plan.js';
import { slowly } from '../slow-body.js';
import { DEFAULT_TOKEN } from '../utho-cloud.js';
import type { UthoCloud } from '../utho-cloud.js';
import { Fields, objectOf } from './fields.js';
import type { Document } from './fields.js';

const BAD_GATEWAY = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const HTML = { 'content-type': 'text/html' };

/** Answers by name, beyond those of the sandbox in general. */
const ANSWERS: Readonly<Record<string, (action: Fields) => Document>> = {
  refusal: (action) => ({
    kind: 'answer',
    status: 200,
    body: JSON.stringify({ status: 'error', message: action.optionalText('message') ?? '' }),
  }),
  'bad-gateway': () => ({ kind: 'answer', status: 502, body: BAD_GATEWAY, headers: HTML }),
  'rate-limited': (action) => ({
    kind: 'answer',
    status: 429,
    body: JSON.stringify({ status: 'error', message: 'Too Many Requests' }),
    headers: { 'retry-after': (action.optionalNumber('retryAfterSeconds') ?? 1).toString() },
  }),
  redirect: (action) => ({
    kind: 'answer',
    status: 302,
    body: '',
    headers: { location: action.text('location') },
  }),
};

type Effect = (cloud: UthoCloud, action: Fields, times: number) => void;

/** Faults inside of the platform, by name. */
const EFFECTS: Readonly<Record<string, Effect>> = {
  'worker-fails': (cloud, action, times) => {
    const pool = action.optionalText('pool');
    const message = action.optionalText('message');
    cloud.failNextWorkers(times, { ...(pool && { pool }), ...(message && { message }) });
  },
  'worker-never-shown': (cloud, action, times) => cloud.stickNextOrders(times, action.optionalText('pool')),
  'worker-never-runs': (cloud, action, times) => cloud.stallNextWorkers(times, action.optionalText('pool')),
  'token-revoked': (cloud, action) => cloud.revokeToken(action.optionalText('token') ?? DEFAULT_TOKEN),
  'token-read-only': (cloud, action) =>
    cloud.setTokenWritable(action.optionalText('token') ?? DEFAULT_TOKEN, false),
};

/** Of which requests, and when. */
const RULE_FIELDS = ['id', 'method', 'path', 'body', 'after', 'times', 'every', 'probability', 'action'];

/** Kinds of faults beyond those of the sandbox in general. */
export const UTHO_FAULTS: readonly string[] = [...Object.keys(ANSWERS), 'slow-body', ...Object.keys(EFFECTS)];

/**
 * Arms one fault from a document: `{ action: { kind, … }, method?, path?, after?, times?, … }`. Kinds are those of
 * the sandbox in general (see `fault-document`) and the ones above.
 */
export function applyFaultDocument(cloud: UthoCloud, document: unknown): void {
  const rule = objectOf(document, 'a fault');
  new Fields(rule).allow(RULE_FIELDS);
  const action = objectOf(rule['action'], 'action of a fault');
  const fields = new Fields(action);
  const kind = fields.text('kind');
  const own = <T>(table: Readonly<Record<string, T>>): T | undefined =>
    Object.hasOwn(table, kind) ? table[kind] : undefined;
  const effect = own(EFFECTS);
  if (effect !== undefined) {
    effect(cloud, fields, new Fields(rule).optionalNumber('times') ?? 1);
    return;
  }
  cloud.faults.add(requestRule(cloud, { ...rule, action: own(ANSWERS)?.(fields) ?? action }));
}

function requestRule(cloud: UthoCloud, rule: Document): FaultRule {
  const nowMs = cloud.clock.now();
  const action = new Fields(rule['action'] as Document);
  if (action.text('kind') !== 'slow-body') return faultRuleFrom(rule, nowMs);
  const change = slowly(cloud.clock, action.number('ms'));
  // Matching and counting are those of any rule; what it does can't be said in a document of the world.
  return {
    ...faultRuleFrom({ ...rule, action: { kind: 'cut-before' } }, nowMs),
    action: { kind: 'rewrite', change },
  };
}
