import { ApiError } from '../../../src/adapters/hetzner/client/api-error.js';
import { endpointLabel } from '../../../src/adapters/hetzner/client/api-request.js';
import { toFailure } from '../../../src/adapters/hetzner/client/cloud-errors.js';
import { classify, stopsBatch } from '../../../src/adapters/hetzner/client/error-class.js';
import { Fields } from '../../../src/adapters/hetzner/client/fields.js';
import { parseServer, parseServerType } from '../../../src/adapters/hetzner/client/parse-records.js';
import { parseResponse } from '../../../src/adapters/hetzner/client/parse-response.js';
import { RateBudget } from '../../../src/adapters/hetzner/client/rate-budget.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

function errorOf(status: number, text: string, headers: Record<string, string> = {}): ApiError {
  try {
    parseResponse({ status, headers, text });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('no error');
}

const apiError = (code: string, message = 'text', status = 422) =>
  errorOf(status, JSON.stringify({ error: { code, message, details: null } }));

describe('errors of the Hetzner Cloud API', () => {
  it.each([
    ['resource_unavailable', 'error during placement', 'stockout', 'stock-out'],
    ['placement_error', '', 'stockout', 'stock-out'],
    ['invalid_input', 'Unsupported location for server type', 'stockout', 'stock-out'],
    ['invalid_input', 'invalid input in field user_data', 'config', 'configuration'],
    ['resource_limit_exceeded', 'server limit exceeded', 'quota', 'quota'],
    ['service_error', 'placement group 990 contains already 10 servers', 'placement-full', 'stock-out'],
    ['service_error', 'something else', 'other', 'transient'],
    ['no_subnet_available', '', 'network-full', 'stock-out'],
    ['ip_not_available', '', 'network-full', 'stock-out'],
    ['rate_limit_exceeded', '', 'throttle', 'throttled'],
    ['conflict', '', 'retry', 'transient'],
    ['locked', '', 'retry', 'transient'],
    ['maintenance', '', 'retry', 'transient'],
    ['unavailable', '', 'retry', 'transient'],
    ['server_error', '', 'retry', 'transient'],
    ['bad_gateway', '', 'retry', 'transient'],
    ['timeout', '', 'retry', 'transient'],
    ['uniqueness_error', '', 'adopt', 'transient'],
    ['protected', '', 'protected', 'configuration'],
    ['json_error', '', 'config', 'configuration'],
    ['unsupported_error', '', 'config', 'configuration'],
    ['unauthorized', '', 'access', 'configuration'],
    ['token_readonly', '', 'access', 'configuration'],
    ['forbidden', '', 'access', 'configuration'],
    ['deprecated_api_endpoint', '', 'access', 'configuration'],
    ['action_failed', '', 'other', 'transient'],
  ])('%s (%s) is %s', (code, message, errorClass, kind) => {
    const error = apiError(code, message);
    expect(classify(error)).toBe(errorClass);
    const failure = toFailure(error, 'pool p: cx33 in fsn1');
    expect(failure).toMatchObject({ kind, code });
    expect(failure.message).toContain('pool p: cx33 in fsn1');
  });

  it.each([
    [401, 'access'],
    [429, 'throttle'],
    [502, 'retry'],
    [418, 'other'],
  ])('falls back to the status %p only where there is no code', (status, errorClass) => {
    expect(classify(errorOf(status, ''))).toBe(errorClass);
  });

  it('stops a batch only for what would be refused again', () => {
    const stops = (['stockout', 'quota', 'config', 'access', 'placement-full', 'network-full'] as const).map(
      stopsBatch,
    );
    expect(stops.every(Boolean)).toBe(true);
    expect((['retry', 'throttle', 'other'] as const).map(stopsBatch)).toEqual([false, false, false]);
  });

  // hetzner 7/23
  it('keeps the status of an answer that is not JSON, and a piece of it', () => {
    const error = errorOf(502, `<html>${'x'.repeat(500)}`);
    expect(error).toMatchObject({ code: 'http_502', status: 502, outcome: 'unknown' });
    expect(error.message.length).toBeLessThanOrEqual(200);
  });

  it('names the fields of an invalid input and the advice to wait', () => {
    const details = { fields: [{ name: 'user_data', messages: ['Length must be between 0 and 32768.'] }] };
    const text = JSON.stringify({ error: { code: 'invalid_input', message: 'invalid input', details } });
    const error = errorOf(422, text, { 'retry-after': '7' });
    expect(error.message).toBe('invalid input [user_data: Length must be between 0 and 32768.]');
    expect(error.retryAfterMs).toBe(7_000);
    expect(error.outcome).toBe('refused');
  });

  it.each(['', 'null', '[]', '"x"', '{', '{"error":null}', '{"error":{"code":7}}'])(
    'survives the error body %j',
    (text) => {
      expect(errorOf(500, text)).toMatchObject({ code: 'http_500', outcome: 'unknown' });
    },
  );

  it.each(['[]', 'null', '{', 'plain'])('does not take %j for a success', (text) => {
    expect(errorOf(200, text)).toMatchObject({ code: 'bad_response', outcome: 'unknown' });
  });

  // An empty answer to a deletion means that the server is gone.
  it.each([301, 302, 307, 304])('does not take a redirect for a success: %i', (status) => {
    const error = errorOf(status, '', { location: 'https://elsewhere.example' });
    expect(error).toMatchObject({ code: `http_${status}`, outcome: 'refused' });
    expect(classify(error)).toBe('other');
  });

  it('cuts a message that is no sentence', () => {
    expect(apiError('conflict', 'x'.repeat(100_000)).message.length).toBeLessThanOrEqual(500);
  });

  it('sees an error inside a success', () => {
    expect(errorOf(200, '{"error":{"code":"locked","message":"m"}}').code).toBe('locked');
  });
});

describe('objects of the Hetzner Cloud API', () => {
  it.each([{}, { id: '7' }, { id: 1.5 }, { id: 2 ** 60 }, null, [], 'x'])(
    'skips a server like %j',
    (value) => {
      expect(parseServer(Fields.of(value))).toBeNull();
    },
  );

  it('reads a server whose other fields are absent or of a wrong type', () => {
    const server = parseServer(
      Fields.of({ id: 7, name: 5, labels: ['a'], private_net: 'x', created: 'never', volumes: null }),
    );
    expect(server).toEqual({
      id: 7,
      name: '',
      status: '',
      createdMs: null,
      labels: new Map(),
      locked: false,
      networks: [],
      deleteProtected: false,
      volumeCount: 0,
    });
  });

  it('reads both endings of a time, and prices by location', () => {
    const created = (text: string) => parseServer(Fields.of({ id: 1, created: text }))?.createdMs;
    expect(created('2026-08-03T09:15:02Z')).toBe(created('2026-08-03T09:15:02+00:00'));
    const type = parseServerType(
      Fields.of({
        id: 1,
        name: 'CX33',
        prices: [{ location: 'fsn1', price_hourly: { net: '0.0088000000' } }, {}],
      }),
    );
    expect(type).toMatchObject({
      name: 'cx33',
      architecture: null,
      pricePerHour: new Map([['fsn1', 0.0088]]),
    });
  });

  // hetzner 7/42
  it.each([
    ['/v1/servers', '/servers'],
    ['/v1/servers/123', '/servers/'],
    ['/v1/servers/123/actions/poweron', '/servers/actions/poweron'],
    ['/v1/server_types', '/server_types'],
    ['/v1/actions', '/actions'],
    ['/proxy/v1/servers', '/proxy/servers'],
  ])('counts %s as %s', (path, label) => {
    expect(endpointLabel(`https://api.example${path}?page=1`)).toBe(label);
  });
});

describe('request budget', () => {
  const answer = (limit: number, remaining: number) => ({
    status: 200,
    text: '',
    headers: { 'ratelimit-limit': `${limit}`, 'ratelimit-remaining': `${remaining}` },
  });
  const { signal } = new AbortController();

  it('is low below the reserve, and refills with time', async () => {
    const clock = new VirtualClock();
    const budget = new RateBudget(clock, new SeededRandom(1), 300);
    expect(budget.isLow()).toBe(false);
    budget.observe(answer(3_600, 200));
    expect(budget.isLow()).toBe(true);
    await clock.advance(101_000);
    expect(budget.isLow()).toBe(false);
    expect(budget.remainingNow()).toBe(301);
  });

  it('does not let a reserve above a small limit silence everything', () => {
    const budget = new RateBudget(new VirtualClock(), new SeededRandom(1), 300);
    budget.observe(answer(60, 31));
    expect(budget.isLow()).toBe(false);
  });

  // hetzner 7/20
  it('lets requests through one by one at the pace of the refill while it is used up', async () => {
    const clock = new VirtualClock();
    const budget = new RateBudget(clock, new SeededRandom(1), 300);
    budget.exhausted(undefined);
    const startMs = clock.now();
    const times: number[] = [];
    const requests = [1, 2, 3].map(async () => {
      await budget.admit(signal);
      times.push(clock.now() - startMs);
    });
    await clock.complete(Promise.all(requests));
    expect(times[0]).toBeGreaterThanOrEqual(1_000);
    for (const [index, time] of times.entries()) {
      if (index > 0) expect(time - times[index - 1]!).toBeGreaterThanOrEqual(1_000);
    }
    expect(times[2]).toBeLessThan(4_000);
    budget.observe(answer(3_600, 50));
    expect(budget.turnInMs()).toBe(0);
  });

  it('follows the advice of the API', () => {
    const budget = new RateBudget(new VirtualClock(), new SeededRandom(1), 300);
    budget.exhausted(20_000);
    expect(budget.turnInMs()).toBe(20_000);
  });
});
