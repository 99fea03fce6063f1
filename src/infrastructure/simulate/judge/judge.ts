import { isApiCall } from '../../../sandbox/scenarios/index.js';
import type {
  CallExpectation,
  EventExpectation,
  Expectations,
  LogExpectation,
  ReasonExpectation,
} from '../../../sandbox/scenarios/index.js';
import type { Call } from '../call-log.js';
import { judgeDecisions } from './judge-decisions.js';
import { judgeState } from './judge-state.js';
import { isWithin, judgeCount, matchesName } from './verdict.js';
import type { Evidence, Verdict } from './verdict.js';

/** Judges all expectations, in the order in which they are explained to readers. */
export function judge(expect: Expectations, evidence: Evidence): readonly Verdict[] {
  const { cloudCalls, apiCalls, sandbox } = evidence;
  return [
    ...judgeDecisions(expect, evidence),
    ...(expect.reasons ?? []).map((reason) => judgeReason(reason, evidence)),
    ...(expect.log ?? []).map((lines) => judgeLog(lines, evidence)),
    ...(expect.events ?? []).map((events) => judgeEvents(events, evidence)),
    ...(expect.cloudCalls ?? []).map((calls) => judgeCalls('cloud', calls, cloudCalls, evidence)),
    ...(expect.apiCalls ?? []).map((calls) => judgeCalls('api', calls, apiCalls, evidence)),
    ...(expect.state === undefined ? [] : judgeState(expect.state, sandbox)),
  ];
}

const SHOWN_MAX = 5;

function judgeReason(
  { about, rule, says, never }: ReasonExpectation,
  { chronicle, span }: Evidence,
): Verdict {
  const [kind, name] = about.split(' ') as ['pod' | 'node' | 'group', string];
  const given = chronicle.reasons.filter(
    ({ subjects, fromMs, toMs }) =>
      fromMs <= span.toMs &&
      toMs >= span.fromMs &&
      subjects.some((subject) => subject.kind === kind && matchesName(name, subject.name)),
  );
  const isIt = given.some(
    (reason) =>
      (rule === undefined || reason.rule === rule) && (says === undefined || reason.text.includes(says)),
  );
  const what = [rule ?? '', says === undefined ? '' : `'${says}'`].filter((part) => part !== '').join(' ');
  const found = [...new Set(given.map((reason) => `${reason.rule} '${reason.text}'`))]
    .slice(-SHOWN_MAX)
    .join(', ');
  const text = `${about} ${never === true ? 'never ' : ''}because of ${what}`;
  return { text, holds: isIt !== (never === true), found: found === '' ? 'no reason was given' : found };
}

function judgeLog({ event, says, ...howOften }: LogExpectation, { chronicle, span }: Evidence): Verdict {
  const count = chronicle.log.filter(
    (line) =>
      isWithin(line.atMs, span) &&
      (event === undefined || line.event === event) &&
      (says === undefined || line.message.includes(says)),
  ).length;
  return judgeCount(`log ${[event, says].filter((part) => part !== undefined).join(': ')}`, count, howOften);
}

function judgeEvents({ reason, about, says, ...howOften }: EventExpectation, evidence: Evidence): Verdict {
  const { sandbox, span, chronicle } = evidence;
  const startMs = sandbox.clock.now() - chronicle.now();
  const count = sandbox.cluster
    .events(reason)
    .filter(
      ({ involvedObject, message = '', lastTimestamp, metadata }) =>
        (about === undefined || matchesName(about, involvedObject.name ?? '')) &&
        (says === undefined || message.includes(says)) &&
        isWithin(Date.parse(lastTimestamp ?? metadata.creationTimestamp) - startMs, wholeSeconds(span)),
    )
    .reduce((sum, { count: repeats = 1 }) => sum + repeats, 0);
  const what = ['event', reason, about ?? '', says === undefined ? '' : `'${says}'`].filter(
    (part) => part !== '',
  );
  return judgeCount(what.join(' '), count, howOften);
}

/** Times of events have no fractions. */
function wholeSeconds({ fromMs, toMs }: Evidence['span']): Evidence['span'] {
  return { fromMs: Math.floor(fromMs / 1_000) * 1_000, toMs };
}

function judgeCalls(
  whom: 'cloud' | 'api',
  { to, group, mentions, from = 0, until = Infinity, ...howOften }: CallExpectation,
  calls: readonly Call[],
  { span }: Evidence,
): Verdict {
  const isMeant = whom === 'cloud' ? isCloudCall : isApiCall;
  const count = calls.filter(
    (call) =>
      isWithin(call.atMs, span) &&
      isWithin(call.atMs, { fromMs: from, toMs: until }) &&
      isMeant(to, call) &&
      (group === undefined || call.group === group) &&
      (mentions === undefined || call.path.includes(mentions) || call.body.includes(mentions)),
  ).length;
  const what = [`${whom} calls`, to, group ?? '', mentions ?? ''].filter((part) => part !== '');
  return judgeCount(what.join(' '), count, howOften);
}

const CLOUD_CALLS: Readonly<Record<string, readonly [method: string, path: RegExp]>> = {
  create: ['POST', /^\/v1\/servers$/u],
  delete: ['DELETE', /^\/v1\/servers\//u],
  list: ['GET', /^\/v1\/servers$/u],
  types: ['GET', /^\/v1\/server_types/u],
  actions: ['GET', /^\/v1\/actions/u],
};

function isCloudCall(call: string, { method, path }: Call): boolean {
  if (call === 'any') return true;
  const known = CLOUD_CALLS[call];
  if (known !== undefined) return method === known[0] && known[1].test(path);
  return call === `${method} ${path.replace(/^\/v1/u, '')}`;
}
