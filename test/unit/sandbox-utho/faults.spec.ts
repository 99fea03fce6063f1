import { applyFaultDocument, UTHO_FAULTS } from '../../../src/sandbox/utho/index.js';
import { simulatedUtho } from './simulated-utho.js';
import type { SimulatedUtho } from './simulated-utho.js';

const UPDATE = '/nodepool/[^/]+/update$';

function oneWorker(): SimulatedUtho {
  const utho = simulatedUtho();
  utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }] });
  return utho;
}

function armed(...documents: object[]): SimulatedUtho {
  const utho = oneWorker();
  for (const document of documents) applyFaultDocument(utho.cloud, document);
  return utho;
}

describe('a fault of requests', () => {
  it('hits by method, path, and the how-manieth it is', async () => {
    const utho = armed({
      ...{ method: 'POST', path: UPDATE, after: 1, times: 2 },
      action: { kind: 'answer', status: 500, body: '{"status":"error","message":"oops"}' },
    });
    const seen: number[] = [];
    for (let count = 2; count < 6; count++) {
      await utho.read();
      seen.push((await utho.update('pool-a', { count })).status);
    }
    expect(seen).toEqual([200, 500, 500, 200]);
    expect(utho.cloud.events('count').map(({ to }) => to)).toEqual([2, 5]);
  });

  it.each([
    ['cut-before', 1],
    ['cut-after', 3],
  ])('%s resets the connection, with a count of %i after it', async (kind, count) => {
    const utho = armed({ method: 'POST', times: 1, action: { kind } });
    await expect(utho.update('pool-a', { count: '3' })).rejects.toThrow('other side closed');
    expect(utho.cloud.pool('pool-a').count).toBe(count);
    expect(utho.cloud.writes()).toMatchObject([{ status: 0 }]);
  });

  it('may lose an answer after the work is done', async () => {
    const utho = armed({ times: 1, action: { kind: 'commit-then-answer', status: 504, body: '' } });
    expect((await utho.update('pool-a', { count: '3' })).status).toBe(504);
    expect(utho.cloud.pool('pool-a').count).toBe(3);
  });

  it('delay: everything comes late', async () => {
    const utho = armed({ action: { kind: 'delay', ms: 5_000 } });
    const reading = utho.read();
    await utho.clock.advance(4_999);
    expect(utho.cloud.calls()).toMatchObject([{ status: null }]);
    await utho.clock.advance(1);
    expect((await reading).status).toBe(200);
    expect(utho.cloud.calls()).toMatchObject([{ status: 200, durationMs: 5_000 }]);
  });

  it('slow-body: the second half comes late', async () => {
    const utho = armed({ times: 1, action: { kind: 'slow-body', ms: 5_000 } });
    let isRead = false;
    const reading = utho.read().finally(() => {
      isRead = true;
    });
    await utho.clock.advance(4_999);
    expect(utho.cloud.calls()).toMatchObject([{ status: 200 }]);
    expect(isRead).toBe(false);
    await utho.clock.advance(1);
    expect((await reading).body.info.cluster.id).toBe('701234');
    // Once only.
    expect((await utho.read()).status).toBe(200);
  });

  it('truncate: the JSON ends early', async () => {
    const reply = await armed({ action: { kind: 'truncate', bytes: 40 } }).read();
    expect([reply.text.length, reply.body]).toEqual([40, null]);
  });

  it.each([
    ['garbage', {}, { status: 200, body: null }],
    ['bad-gateway', {}, { status: 502, headers: { 'content-type': 'text/html' } }],
    ['rate-limited', { retryAfterSeconds: 7 }, { status: 429, headers: { 'retry-after': '7' } }],
    [
      'redirect',
      { location: 'https://a.example/' },
      { status: 302, headers: { location: 'https://a.example/' } },
    ],
    ['refusal', { message: 'm' }, { status: 200, body: { status: 'error', message: 'm' } }],
    ['refusal', {}, { status: 200, body: { status: 'error', message: '' } }],
  ])('%s %j', async (kind, more, expected) => {
    expect(await armed({ action: { kind, ...more } }).read()).toMatchObject(expected);
  });

  it.each([
    [null],
    [{}],
    [{ action: {} }],
    [{ action: { kind: 'nonsense' } }],
    [{ action: { kind: 'slow-body' } }],
    [{ action: { kind: 'redirect' } }],
    [{ action: { kind: 'answer', status: 200 } }],
  ])('%j is refused', (document) => {
    expect(() => applyFaultDocument(oneWorker().cloud, document)).toThrow(RangeError);
  });

  it('has short forms in code', async () => {
    const utho = oneWorker();
    const path = 'kubernetes/701234/nodepool/pool-a/update';
    utho.cloud.refuseNext('POST', path, 'no');
    expect((await utho.update('pool-a', { count: '2' })).body).toEqual({ status: 'error', message: 'no' });
    utho.cloud.loseNextReply('POST', /update$/);
    await expect(utho.update('pool-a', { count: '2' })).rejects.toThrow();
    utho.cloud.answerNext('GET', /./, {
      status: 404,
      body: '<html>',
      headers: { 'content-type': 'text/html' },
    });
    expect(await utho.read()).toMatchObject({ status: 404, text: '<html>' });
    utho.cloud.slowNextBody('GET', /./, 1_000);
    const reading = utho.read();
    await utho.clock.advance(1_000);
    expect((await reading).status).toBe(200);
    utho.cloud.refuseNext('GET', /./, 'no');
    utho.cloud.failNextWorkers(5);
    utho.cloud.clearFaults();
    await utho.update('pool-a', { count: '3' });
    await utho.clock.advance(50);
    expect((await utho.pool('pool-a')).workers.map(({ status }: any) => status)).toEqual([
      ...['Active', 'Active', 'Active'],
    ]);
  });
});

describe('a fault of the platform', () => {
  it.each([
    ['worker-fails', 'failed'],
    ['worker-never-shown', 'requested'],
    ['worker-never-runs', 'pending'],
  ])('%s', async (kind, state) => {
    const utho = armed({ times: 2, action: { kind, pool: 'pool-a' } });
    await utho.update('pool-a', { count: '4' });
    await utho.clock.advance(50);
    expect(utho.cloud.workers('pool-a').map((worker) => worker.state)).toEqual([
      ...['active', state, state],
      'active',
    ]);
  });

  it.each([
    ['token-revoked', 401, 401],
    ['token-read-only', 200, 403],
  ])('%s', async (kind, read, write) => {
    const utho = armed({ action: { kind } });
    expect((await utho.read()).status).toBe(read);
    expect((await utho.update('pool-a', { count: '2' })).status).toBe(write);
  });

  it('is listed with all the others', () => {
    expect(UTHO_FAULTS).toEqual([
      ...['refusal', 'bad-gateway', 'rate-limited', 'redirect', 'slow-body'],
      ...['worker-fails', 'worker-never-shown', 'worker-never-runs', 'token-revoked', 'token-read-only'],
    ]);
  });
});
