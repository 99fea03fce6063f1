import { request } from 'undici';
import { LoopbackServer } from '../../../src/sandbox/http/index.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/hetzner/index.js';
import { order, simulatedCloud } from './simulated-cloud.js';
import type { SimulatedCloud } from './simulated-cloud.js';

/** Conditions that spoil a create, in the order in which the pipeline must see them (`hetzner` 4.2). */
const SPOILERS: readonly {
  readonly name: string;
  readonly expected: readonly [status: number, code: string];
  readonly world?: (world: SimulatedCloud) => void;
  readonly body?: Record<string, unknown>;
  readonly token?: string;
}[] = [
  { name: 'unknown token', expected: [401, 'unauthorized'], token: 'wrong' },
  {
    name: 'empty rate bucket',
    expected: [429, 'rate_limit_exceeded'],
    world: (w) => w.cloud.setRateLimit(3600, 0),
  },
  {
    name: 'read-only token',
    expected: [401, 'token_readonly'],
    world: (w) => w.cloud.setTokenAccess('read-only'),
  },
  {
    name: 'injected answer',
    expected: [403, 'maintenance'],
    world: (w) => void w.cloud.failNext('POST', '/servers', 'maintenance'),
  },
  { name: 'bad field', expected: [422, 'invalid_input'], body: { name: '-bad-' } },
  { name: 'unknown reference', expected: [404, 'not_found'], body: { ssh_keys: [9] } },
  {
    name: 'name taken',
    expected: [409, 'uniqueness_error'],
    world: (w) => void w.cloud.seedServer({ name: 'node-1' }),
  },
  {
    name: 'quota',
    expected: [403, 'resource_limit_exceeded'],
    world: (w) => w.cloud.setQuotas({ servers: 0 }),
  },
  { name: 'type not offered', expected: [422, 'invalid_input'], body: { server_type: 'cpx11' } },
  {
    name: 'no stock',
    expected: [412, 'resource_unavailable'],
    world: (w) => ['cx33', 'cpx11'].forEach((type) => w.cloud.setStock(type, 'fsn1', 0)),
  },
];

describe('The request pipeline of the simulated Hetzner API', () => {
  const pairs = SPOILERS.flatMap((first, index) =>
    SPOILERS.slice(index + 1).map((second) => ({ first, second })),
  );

  it.each(pairs)('reports $first.name before $second.name', async ({ first, second }) => {
    const world = simulatedCloud();
    for (const spoiler of [second, first]) spoiler.world?.(world);
    const body = order('node-1', { ...second.body, ...first.body });
    const reply = await world.send('POST', '/v1/servers', body, first.token ?? second.token ?? DEFAULT_TOKEN);
    expect([reply.status, reply.body.error.code]).toEqual(first.expected);
  });

  it('refuses unknown paths and methods before it asks for a token', async () => {
    const { send } = simulatedCloud();
    const unknown = await send('GET', '/v1/load_balancers', undefined, null);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'not_found']);
    const method = await send('PATCH', '/v1/servers', undefined, null);
    expect([method.status, method.body.error.code]).toEqual([405, 'method_not_allowed']);
    expect((await send('GET', '/v2/servers')).status).toBe(404);
    expect((await send('GET', '/v1/servers', undefined, null)).status).toBe(401);
  });

  it('spends no budget on requests that fail to authenticate, and on unknown paths', async () => {
    const { send, get, cloud } = simulatedCloud();
    cloud.setRateLimit(60);
    await send('GET', '/v1/servers', undefined, 'wrong');
    await get('/nothing');
    expect((await get('/servers')).headers['ratelimit-remaining']).toBe('59');
  });

  it('reports injected answers before bad syntax, and bad syntax before bad fields', async () => {
    const { cloud, post } = simulatedCloud();
    cloud.failNext('POST', '/servers', 'unavailable');
    expect((await post('/servers', '{"name"')).body.error.code).toBe('unavailable');
    const syntax = await post('/servers', '{"name"');
    expect([syntax.status, syntax.body.error.code]).toEqual([400, 'json_error']);
    expect((await post('/servers', '[]')).body.error.code).toBe('json_error');
    expect((await post('/servers')).body.error.code).toBe('invalid_input');
  });

  it('reports a lock before a protection', async () => {
    const { cloud, remove } = simulatedCloud();
    const server = cloud.seedServer({ name: 'a', protected: true });
    cloud.lockServer('a', 1000);
    expect((await remove(`/servers/${server.id}`)).body.error.code).toBe('locked');
  });

  it('reports all bad fields at once', async () => {
    const { post } = simulatedCloud();
    const reply = await post('/servers', {
      name: 'no_underscores',
      server_type: 'cx33',
      user_data: 'x'.repeat(32_769),
      labels: { 'hetzner.cloud/x': 'y' },
      firewalls: Array.from({ length: 6 }, () => ({ firewall: 4711 })),
    });
    expect(reply.body.error.details.fields.map((field: any) => field.name).sort()).toEqual([
      'firewalls',
      'image',
      'labels',
      'name',
      'user_data',
    ]);
    expect(reply.body.error.details.fields).toContainEqual({
      name: 'user_data',
      messages: ['Length must be between 0 and 32768.'],
    });
  });

  it('gives each answer a correlation id', async () => {
    const { get } = simulatedCloud();
    const ids = [
      (await get('/servers')).headers['x-correlation-id'],
      (await get('/servers/1')).headers['x-correlation-id'],
    ];
    expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(ids[1]).not.toBe(ids[0]);
  });

  it('separates projects by token', async () => {
    const { cloud, get, send } = simulatedCloud();
    cloud.addProject('other', 'other-token');
    cloud.seedServer({ name: 'mine' });
    cloud.seedServer({ name: 'theirs' }, 'other');
    expect((await get('/servers')).body.servers.map((one: any) => one.name)).toEqual(['mine']);
    const theirs = await send('GET', '/v1/servers', undefined, 'other-token');
    expect(theirs.body.servers.map((one: any) => one.name)).toEqual(['theirs']);
    cloud.setRateLimit(60, 0);
    expect((await get('/servers')).status).toBe(429);
    expect((await send('GET', '/v1/servers', undefined, 'other-token')).status).toBe(200);
  });

  it('refuses a revoked token', async () => {
    const { cloud, get } = simulatedCloud();
    cloud.revokeToken();
    expect((await get('/servers')).body.error.code).toBe('unauthorized');
  });
});

describe('The simulated Hetzner API behind a socket', () => {
  it('answers as in process, with links to where it was asked', async () => {
    const { cloud } = simulatedCloud();
    for (const name of ['a', 'b']) cloud.seedServer({ name });
    const server = await LoopbackServer.listen(cloud.front);
    const answer = await request(`${server.origin}/v1/servers?per_page=1`, {
      headers: { authorization: `Bearer ${DEFAULT_TOKEN}` },
    });
    expect(await answer.body.json()).toMatchObject({ servers: [{ name: 'a' }] });
    expect(answer.headers['ratelimit-remaining']).toBe('3599');
    expect(answer.headers.link).toContain(`<${server.origin}/v1/servers?per_page=1&page=2>; rel="next"`);
    await server.close();
  });
});

describe('The journal of the simulated Hetzner API', () => {
  it('remembers each request with time, answer and error, but not the token', async () => {
    const { cloud, get, post, clock } = simulatedCloud();
    await clock.advance(5000);
    await post('/servers', order('node-1'));
    await get('/servers?page=2&label_selector=a%3Db');
    await get('/floating_ips');
    const startMs = Date.UTC(2026, 0, 1);
    expect(cloud.calls()).toMatchObject([
      {
        method: 'POST',
        path: '/servers',
        status: 201,
        errorCode: null,
        atMs: startMs + 5000,
        durationMs: 0,
        unimplemented: false,
      },
      { method: 'GET', path: '/servers', query: 'page=2&label_selector=a%3Db', status: 200 },
      { method: 'GET', path: '/floating_ips', status: 404, errorCode: 'not_found', unimplemented: true },
    ]);
    expect(JSON.parse(cloud.calls()[0]!.body).name).toBe('node-1');
    expect(JSON.stringify(cloud.calls())).not.toContain(DEFAULT_TOKEN);
    expect(cloud.calls({ method: 'GET', path: /^\/servers/ })).toHaveLength(1);
    expect(cloud.calls({ sinceMs: startMs + 5001 })).toEqual([]);
    expect(cloud.invariants()).toEqual(['GET /floating_ips is not implemented by the simulated API']);
  });
});
