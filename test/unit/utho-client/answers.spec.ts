import { readAnswer, writeAnswer } from '../../../src/adapters/utho/client/answers.js';
import { toFailure } from '../../../src/adapters/utho/client/cloud-errors.js';
import { classify } from '../../../src/adapters/utho/client/error-class.js';
import { UthoError } from '../../../src/adapters/utho/client/utho-error.js';

const WHAT = 'GET https://api.utho.com/v2/kubernetes/701234';

type Reader = typeof readAnswer | typeof writeAnswer;

function errorOf(
  reader: Reader,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): UthoError {
  try {
    reader({ status, headers, text }, WHAT);
  } catch (error) {
    if (error instanceof UthoError) return error;
    throw error;
  }
  throw new Error('it is taken for a success');
}

const reads = (text: string) => readAnswer({ status: 200, headers: {}, text }, WHAT);

describe('success of a read of the Utho API', () => {
  it.each([
    '{}',
    '{"status":"success"}',
    '{"status":"","rcode":""}',
    '{"status":null,"rcode":null}',
    '{"status":"Success","rcode":"SUCCESS"}',
    '{"rcode":"0"}',
    '{"rcode":0}',
    '{"errors":[]}',
  ])('%s', (text) => {
    expect(() => reads(text)).not.toThrow();
  });

  // utho 8/18
  it.each(['\n', '\uFEFF', 'Warning: deprecated in handler.php on line 7\n', 'notice [x] ', '\u0000\u0001'])(
    'with %j before the JSON (E7)',
    (junk) => {
      expect(reads(`${junk}{"rcode":"success","n":1}`)).toEqual({ rcode: 'success', n: 1 });
    },
  );
});

describe('success of a write of the Utho API', () => {
  it.each([
    '{"status":"success","message":"Node Pool updated and node count adjusted to 5","id":"701234"}',
    '{"status":"SUCCESS","id":701234}',
    '\n{"id":"pool-1","count":5,"auto_scale":"1","workers":[],"status":"success","message":""}',
  ])('%s', (text) => {
    expect(() => writeAnswer({ status: 200, headers: {}, text }, WHAT)).not.toThrow();
  });

  // utho 6.1 B08
  it.each(['{}', '{"rcode":"success"}', '{"status":""}', '{"message":"done"}'])(
    'is unknown for %s, which does not say so',
    (text) => {
      expect(errorOf(writeAnswer, 200, text)).toMatchObject({ code: 'no_status', outcome: 'unknown' });
    },
  );

  it('is a matter of the key where only writes are refused', () => {
    const error = errorOf(writeAnswer, 403, '{"message":"forbidden"}');
    expect(error).toMatchObject({ class: 'auth', code: 'token_readonly', outcome: 'refused', status: 403 });
    expect(toFailure(error, 'node pool p').message).toContain('read-only, create one with write access');
    expect(toFailure(errorOf(readAnswer, 403, ''), 'cluster').message).not.toContain('read-only');
  });
});

describe('error shapes of the Utho API', () => {
  // utho 8/17
  it.each([
    ['E1', 200, '{"status":"error","message":"m"}', 'm', 'api, refused'],
    [
      'E1',
      200,
      '{"status":"error","message":"Invalid Cluster ID or Security Group ID."}',
      'Invalid Cluster ID or Security Group ID.',
      'notFound, refused',
    ],
    [
      'E2',
      200,
      '{"status":"error","message":"Unauthorized access. Please provide a valid API key."}',
      'Unauthorized access. Please provide a valid API key.',
      'auth, refused',
    ],
    ['E2', 401, '{"status":"error","message":"no key"}', `${WHAT}: 401 no key`, 'auth, refused'],
    ['E3', 400, '{"message":"count is required"}', `${WHAT}: 400 count is required`, 'validation, refused'],
    ['E3', 403, '', `${WHAT}: 403 without a body`, 'auth, refused'],
    ['E3', 500, '<html>\n  oops</html>', `${WHAT}: 500 <html> oops</html>`, 'transient, unknown'],
    [
      'E4',
      200,
      '{"rcode":"error","message":"Sorry we unable to find this cluster or you dont have access!"}',
      'Sorry we unable to find this cluster or you dont have access!',
      'notFound, refused',
    ],
    ['E4', 200, '{"rcode":"17"}', 'Utho API reported rcode "17" without a message', 'api, refused'],
    ['E6', 200, '', `${WHAT}: 200, an empty answer`, 'transient, unknown'],
    ['E6', 200, '1', `${WHAT}: 200, no JSON object: 1`, 'transient, unknown'],
    [
      'E8',
      200,
      '{"errors":[{"message":"a","code":"x"},{"long_message":"b"},{"code":"c"},"d"]}',
      'a; b; code "c"; d',
      'api, refused',
    ],
    ['E8', 422, '{"errors":[{"message":"bad count"}]}', `${WHAT}: 422 bad count`, 'validation, refused'],
    [
      'empty message',
      200,
      '{"status":"error","message":""}',
      'Utho API reported status "error" without a message',
      'api, refused',
    ],
    [
      'another word',
      200,
      '{"status":"failure"}',
      'Utho API reported status "failure" without a message',
      'api, refused',
    ],
    ['false', 200, '{"status":false}', 'Utho API reported status "false" without a message', 'api, refused'],
    [
      'message by field',
      200,
      '{"status":"error","message":{"count":["too small"]}}',
      '{"count":["too small"]}',
      'api, refused',
    ],
    ['both disagree', 200, '{"status":"success","rcode":"error","message":"m"}', 'm', 'api, refused'],
    [
      'truncated',
      200,
      '{"status":"succ',
      `${WHAT}: 200, no JSON object: {"status":"succ`,
      'transient, unknown',
    ],
    ['a list', 200, '[]', `${WHAT}: 200, no JSON object: []`, 'transient, unknown'],
    ['redirect', 302, '', `${WHAT}: 302 without a body`, 'api, refused'],
    ['gateway', 502, '<html>', `${WHAT}: 502 <html>`, 'transient, unknown'],
  ])('%s: %i %s', (_, status, text, message, meaning) => {
    for (const reader of [readAnswer, writeAnswer]) {
      const error = errorOf(reader, status, text);
      expect(error).toMatchObject({ message, status });
      expect(`${error.class}, ${error.outcome}`).toBe(meaning);
    }
  });

  it('shows a piece of a long answer only', () => {
    const page = errorOf(readAnswer, 500, `<html>${'x'.repeat(5_000)}`);
    expect(page.message).toBe(`${WHAT}: 500 <html>${'x'.repeat(194)}…`);
    const sentence = errorOf(
      readAnswer,
      200,
      JSON.stringify({ status: 'error', message: 'y'.repeat(5_000) }),
    );
    expect(sentence.message).toHaveLength(501);
  });

  it.each([
    ['7', 7_000],
    ['0', 0],
    ['90000', 3_600_000],
    ['', undefined],
    ['-1', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('reads Retry-After %j as %p ms', (text, ms) => {
    expect(errorOf(readAnswer, 429, '', { 'retry-after': text })).toMatchObject({
      class: 'rateLimit',
      retryAfterMs: ms,
    });
  });
});

describe('class of an error of the Utho API', () => {
  it.each([
    [200, 'Rate limit exceeded', 'rateLimit', 'rate_limited', 'throttled'],
    [200, 'Invalid API Key', 'auth', 'unauthorized', 'configuration'],
    [200, 'API key not found', 'auth', 'unauthorized', 'configuration'],
    [200, 'Node not found in this node pool.', 'notFound', 'not_found', 'configuration'],
    [404, '', 'notFound', 'not_found', 'configuration'],
    [200, 'You have reached the limit of your account', 'capacity', 'quota', 'quota'],
    [200, 'Quota exceeded', 'capacity', 'quota', 'quota'],
    [400, 'Insufficient credit', 'capacity', 'quota', 'quota'],
    [402, '', 'capacity', 'quota', 'quota'],
    [200, 'Account balance is low', 'capacity', 'quota', 'quota'],
    [200, 'This plan is out of stock', 'capacity', 'out_of_stock', 'stock-out'],
    [422, 'plan is not available in this location', 'capacity', 'out_of_stock', 'stock-out'],
    [200, 'the pool is unlimited', 'api', 'api_error', 'transient'],
    [400, 'count is wrong', 'validation', 'invalid_request', 'configuration'],
    [503, 'quota service is down', 'transient', 'http_503', 'transient'],
    [301, '', 'api', 'redirect', 'transient'],
  ])('%i %j', (status, message, errorClass, code, kind) => {
    expect(classify(status, message)).toEqual({ class: errorClass, code });
    const error = errorOf(readAnswer, status, JSON.stringify({ status: 'error', message }));
    const failure = toFailure(error, 'node pool workers');
    expect(failure).toMatchObject({ kind, code });
    expect(failure.message).toMatch(/^node pool workers: .* \(\w+\); \w/);
  });

  it('says nothing of an error that is none of the API', () => {
    const abort = Object.assign(new Error('top secret'), { name: 'AbortError' });
    expect(toFailure(abort, 'pool p')).toEqual({
      kind: 'transient',
      code: 'aborted',
      message: 'pool p: given up',
    });
    expect(toFailure(new Error('top secret'), 'pool p').message).not.toContain('secret');
  });
});
