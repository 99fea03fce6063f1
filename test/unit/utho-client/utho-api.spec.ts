import type { FrontRequest } from '../../../src/sandbox/world/front.js';
import { source } from '../../support/recorders.js';
import { CONFIG_PATH, ORIGIN, TOKEN, clusterBody, cut, json, scriptedApi } from './scripted-api.js';
import type { Script } from './scripted-api.js';

const GOOD = () => json(clusterBody({ workers: { count: '2' } }));
const DONE = () => json({ status: 'success', message: 'done', id: 701234 });
const BUSY = () => json('<html>', 502);
const POOL = { clusterId: '701234', poolId: 'workers' };

/** A service that lets nobody go before it is told to. */
function gate() {
  const waiting: (() => void)[] = [];
  return {
    waiting,
    pass: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    open: () => waiting.splice(0).forEach((resolve) => resolve()),
  };
}

describe('requests to the Utho API', () => {
  // utho 8/9
  it('go to api_url with the key, ask for JSON and have a name', async () => {
    const { api, clock, dispatcher, front, signal } = scriptedApi([GOOD], {
      config: { api_url: 'https://fake.example/utho/v2' },
    });
    dispatcher.mount('https://fake.example', front);
    await clock.complete(api.cluster('701234', { signal }));
    expect(front.requests).toMatchObject([
      {
        method: 'GET',
        path: '/utho/v2/kubernetes/701234',
        body: '',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          accept: 'application/json',
          'user-agent': expect.stringMatching(/^evenkeel\//),
        },
      },
    ]);
    expect(front.requests[0]?.headers['content-type']).toBeUndefined();
  });

  it.each([
    ['clusters', '/v2/kubernetes', {}],
    ['plans', '/v2/cloud/getdeploy', { product: 'cloud', dcslug: 'innoida' }],
    ['resizePlans', '/v2/cloud/1284417/resizeplans', {}],
  ] as const)('%s are read from %s', async (method, path, query) => {
    const { api, clock, front, signal } = scriptedApi([() => json({ k8s: [], plans: [] })]);
    const work = {
      clusters: () => api.clusters({ signal }),
      plans: () => api.plans('innoida', { signal }),
      resizePlans: () => api.resizePlans('1284417', { signal }),
    }[method]();
    expect(await clock.complete<readonly unknown[]>(work)).toEqual([]);
    expect(front.requests).toMatchObject([{ method: 'GET', path }]);
    expect(Object.fromEntries(front.requests[0]!.query)).toEqual(query);
  });

  // utho 8/21, 8/34
  it.each([
    [false, '{"count":"5"}'],
    [true, '{"count":"5","label":"utho.com","size":"5"}'],
  ])('set a count as text and say nothing else (legacy: %p)', async (legacy, body) => {
    const { api, clock, front, signal } = scriptedApi([DONE]);
    await clock.complete(api.setCount(POOL, 5, { signal, legacy }));
    expect(front.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v2/kubernetes/701234/nodepool/workers/update',
        body,
        headers: { 'content-type': 'application/json' },
      },
    ]);
  });

  // utho 8/36
  it('delete one worker', async () => {
    const { api, clock, front, signal } = scriptedApi([DONE]);
    await clock.complete(api.deleteWorker({ clusterId: '1111', poolId: 'pool-123' }, '123', { signal }));
    expect(front.requests).toMatchObject([
      { method: 'DELETE', path: '/v2/kubernetes/1111/nodepool/pool-123/123/delete', body: '' },
    ]);
  });

  // utho 6.1 B06
  it('encode whatever users call their pools', async () => {
    const { api, clock, front, signal } = scriptedApi([DONE]);
    await clock.complete(api.setCount({ clusterId: '1', poolId: 'a/b?c%d #é' }, 1, { signal }));
    expect(front.requests[0]?.path).toBe('/v2/kubernetes/1/nodepool/a%2Fb%3Fc%25d%20%23%C3%A9/update');
  });

  // utho 6.1 B05
  it.each(['', '.', '..', '\ud800'])('are not sent where %j would be in the path', async (poolId) => {
    const { api, front, failure, signal } = scriptedApi([DONE]);
    const error = await failure(api.deleteWorker({ clusterId: '1', poolId }, '7', { signal }));
    expect(error).toMatchObject({ class: 'validation', code: 'bad_id', outcome: 'unsent' });
    expect(front.requests).toEqual([]);
  });

  // utho 8/35
  it.each([
    [0, 'refusing to set node pool workers to 0 workers: Utho removes a pool whose count is 0'],
    [-1, 'refusing to set node pool workers to -1 workers: not a number of workers'],
    [1.5, 'refusing to set node pool workers to 1.5 workers: not a number of workers'],
  ])('are never sent with the count %p', async (count, message) => {
    const { api, front, failure, signal } = scriptedApi([DONE]);
    expect(await failure(api.setCount(POOL, count, { signal }))).toMatchObject({
      message,
      outcome: 'unsent',
    });
    expect(front.requests).toEqual([]);
  });

  // utho 8/16
  it('treat an answer without a cluster as an error', async () => {
    const { api, failure, front, signal } = scriptedApi([
      () => json({ info: { cluster: { id: '' } }, nodepools: [] }),
    ]);
    expect(await failure(api.cluster('701234', { signal }))).toMatchObject({
      class: 'notFound',
      message: 'no cluster 701234 found, or the API key has no access to it',
    });
    expect(front.requests).toHaveLength(1);
  });

  // utho 3.1
  it('do not follow redirects', async () => {
    const moved = json('', 307, { location: `${ORIGIN}/v2/elsewhere` });
    const { api, failure, front, signal } = scriptedApi([() => moved, GOOD]);
    expect(await failure(api.cluster('701234', { signal }))).toMatchObject({
      class: 'api',
      code: 'redirect',
    });
    expect(front.requests).toHaveLength(1);
  });

  // utho 3.9
  it('run four at a time, in their order', async () => {
    const { waiting, pass, open } = gate();
    const service = async (request: FrontRequest) => {
      await pass();
      return json(clusterBody({}, { info: { cluster: { id: request.path.split('/').at(-1) } } }));
    };
    const { api, clock, front, metrics, signal } = scriptedApi([service]);
    const calls = Promise.all([1, 2, 3, 4, 5, 6].map((id) => api.cluster(String(id), { signal })));
    await clock.advance(1);
    expect(waiting).toHaveLength(4);
    expect(metrics.value('utho_api_in_flight_requests')).toBe(4);
    open();
    await clock.advance(1);
    expect(front.requests.map((request) => request.path.split('/').at(-1))).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    open();
    await clock.complete(calls);
    expect(metrics.value('utho_api_in_flight_requests')).toBe(0);
  });

  it('leave the queue when their caller gives up', async () => {
    const { waiting, pass, open } = gate();
    const service = async () => {
      await pass();
      return GOOD();
    };
    const { api, clock, failure, front, signal } = scriptedApi([service]);
    const busy = Promise.all([1, 2, 3, 4].map(() => api.cluster('701234', { signal })));
    await clock.advance(1);
    const caller = new AbortController();
    const queued = failure(api.cluster('701234', { signal: caller.signal }));
    caller.abort();
    expect(await queued).toMatchObject({ code: 'aborted', outcome: 'unsent' });
    expect(waiting).toHaveLength(4);
    open();
    await clock.complete(busy);
    expect(front.requests).toHaveLength(4);
  });
});

describe('retries of the Utho client', () => {
  // utho 3.9
  it.each([
    ['a gateway error', BUSY],
    ['an answer that is no JSON', () => json('1')],
    ['a connection that is cut', () => cut],
  ])('repeat a read after %s, with growing pauses', async (_, trouble) => {
    const { api, clock, front, seconds, signal } = scriptedApi([trouble, trouble, trouble, GOOD]);
    expect((await clock.complete(api.cluster('701234', { signal }))).pools.size).toBe(1);
    expect(front.requests).toHaveLength(4);
    const pauses = seconds().map((second, index, all) => second - (all[index - 1] ?? 0));
    for (const [index, base] of [0, 0.5, 1, 2].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(base * 0.75);
      expect(pauses[index]).toBeLessThanOrEqual(base * 1.25);
    }
    // In step, several programs would come back together.
    expect(pauses.slice(1)).not.toEqual([0.5, 1, 2]);
  });

  it.each([
    [3, {}],
    [1, { max_retries: 1 }],
    [0, { max_retries: 0 }],
  ])('end after %p', async (retries, config) => {
    const { api, failure, front, signal } = scriptedApi([BUSY], { config });
    expect(await failure(api.cluster('701234', { signal }))).toMatchObject({ code: 'http_502' });
    expect(front.requests).toHaveLength(retries + 1);
  });

  it.each([
    ['a bad key', () => json({ message: 'm' }, 401)],
    ['a bad request', () => json({ message: 'm' }, 422)],
    ['a refusal', () => json({ status: 'error', message: 'm' })],
    ['another cluster', () => json(clusterBody({}, { info: { cluster: { id: '9' } } }))],
  ])('do not follow %s', async (_, refusal) => {
    const { api, failure, front, signal } = scriptedApi([refusal]);
    await failure(api.cluster('701234', { signal }));
    expect(front.requests).toHaveLength(1);
  });

  it('wait as long as the API asks, up to 30 s', async () => {
    const script: Script = [
      () => json('', 429, { 'retry-after': '12' }),
      () => json('', 429, { 'retry-after': '31' }),
    ];
    const { api, failure, seconds, signal } = scriptedApi(script);
    expect(await failure(api.cluster('701234', { signal }))).toMatchObject({
      class: 'rateLimit',
      retryAfterMs: 31_000,
    });
    expect(seconds()).toEqual([0, 12]);
  });

  it('are not begun after the deadline', async () => {
    const { api, clock, failure, front, signal } = scriptedApi([BUSY]);
    await failure(api.cluster('701234', { signal, deadlineMs: clock.now() + 1_000 }));
    expect(front.requests).toHaveLength(2);
  });

  it('end when the caller gives up', async () => {
    const { api, clock, failure, front } = scriptedApi([BUSY]);
    const caller = new AbortController();
    const work = failure(api.cluster('701234', { signal: caller.signal }));
    clock.schedule(200, () => caller.abort());
    expect(await work).toMatchObject({ code: 'http_502' });
    expect(front.requests).toHaveLength(1);
  });

  // utho 3.9
  it.each([
    ['a gateway error', BUSY, 'unknown'],
    ['a lost answer', () => cut, 'unknown'],
    ['an unreadable answer', () => json('1'), 'unknown'],
    ['an answer without a status', () => json({ id: '1' }), 'unknown'],
    ['a refusal', () => json({ status: 'error', message: 'm' }), 'refused'],
    ['too many requests', () => json('', 429), 'refused'],
  ])('never repeat a write: %s', async (_, trouble, outcome) => {
    const { api, failure, front, signal } = scriptedApi([trouble, DONE]);
    expect(await failure(api.setCount(POOL, 3, { signal }))).toMatchObject({ outcome });
    expect(front.requests).toHaveLength(1);
  });

  it('give a write more time than a read', async () => {
    const never = () => new Promise<never>(() => undefined);
    const { api, clock, failure, signal } = scriptedApi([never], { config: { max_retries: 0 } });
    const startMs = clock.now();
    const read = await failure(api.cluster('701234', { signal }));
    expect(read).toMatchObject({
      class: 'transient',
      code: 'timeout',
      message: 'GET https://api.utho.com/v2/kubernetes/701234: no answer within 30 s',
    });
    expect(clock.now() - startMs).toBe(30_000);
    expect(await failure(api.setCount(POOL, 3, { signal }))).toMatchObject({
      code: 'timeout',
      outcome: 'unknown',
    });
    expect(clock.now() - startMs).toBe(90_000);
  });

  it('know that nothing was sent where nobody listens', async () => {
    const { api, dispatcher, failure, signal } = scriptedApi([DONE]);
    dispatcher.unmount(ORIGIN);
    expect(await failure(api.setCount(POOL, 3, { signal }))).toMatchObject({
      class: 'transient',
      code: 'connect_failed',
      outcome: 'unsent',
    });
  });
});

describe('the API key', () => {
  // utho 8/9
  it('is in no log and no error, also when the API repeats it', async () => {
    const echo = (request: FrontRequest) =>
      json({ message: `bad header ${request.headers['authorization']}` }, 400);
    const { api, failure, log, signal } = scriptedApi([echo]);
    const error = await failure(api.cluster('701234', { signal }));
    expect((error as Error).message).toBe(
      'GET https://api.utho.com/v2/kubernetes/701234: 400 bad header Bearer (secret)',
    );
    expect(log.of('utho-exchange')).toHaveLength(1);
    expect(log.text()).not.toContain(TOKEN);
    expect(log.text()).toContain('REDACTED');
  });

  it('follows its file, and stays as it was while the file is no good', async () => {
    const files: Record<string, string> = {
      [CONFIG_PATH]: '{"token_file":"/keys/api-key","cluster_id":"701234"}',
      '/keys/api-key': 'first-key\n',
    };
    const { api, clock, configuration, front, incidents, signal } = scriptedApi([GOOD], {
      source: source({}, files),
    });
    const registered: string[] = [];
    configuration.token.registerWith({ register: (value) => void registered.push(value) });
    const next = async (text: string | null) => {
      if (text === null) delete files['/keys/api-key'];
      else files['/keys/api-key'] = text;
      await clock.complete(api.cluster('701234', { signal }));
      return front.requests.at(-1)?.headers['authorization'];
    };
    expect(await next('first-key\n')).toBe('Bearer first-key');
    expect(await next('second-key')).toBe('Bearer second-key');
    for (const bad of ['', 'half a key\n', null]) expect(await next(bad)).toBe('Bearer second-key');
    expect(incidents.story).toEqual(['began utho-token-file']);
    expect(incidents.open().get('utho-token-file')?.message).not.toContain('half');
    expect(await next('third-key')).toBe('Bearer third-key');
    expect(incidents.story).toEqual(['began utho-token-file', 'over utho-token-file']);
    expect(registered).toEqual(['first-key', 'second-key', 'third-key']);
    expect(`${String(configuration.token)} ${JSON.stringify(configuration)}`).not.toContain('third-key');
  });
});

describe('metrics of the Utho client', () => {
  it('count requests by endpoint and class', async () => {
    const script: Script = [BUSY, GOOD, DONE, () => json({ status: 'error', message: 'quota' })];
    const { api, clock, failure, metrics, signal } = scriptedApi(script);
    await clock.complete(api.cluster('701234', { signal }));
    await clock.complete(api.setCount(POOL, 3, { signal }));
    await failure(api.deleteWorker(POOL, '7', { signal }));
    const count = (endpoint: string, kind: string) =>
      metrics.value('utho_api_requests_total', { endpoint, class: kind });
    expect(count('cluster', 'transient')).toBe(1);
    expect(count('cluster', 'success')).toBe(1);
    expect(count('update_pool', 'success')).toBe(1);
    expect(count('delete_worker', 'capacity')).toBe(1);
    expect(metrics.value('utho_api_request_duration_seconds_count', { endpoint: 'cluster' })).toBe(2);
  });
});
