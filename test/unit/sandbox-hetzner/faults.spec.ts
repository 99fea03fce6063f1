import { EXACT_TIMINGS, order, simulatedCloud } from './simulated-cloud.js';

const names = (reply: { body: any }): string[] => reply.body.servers.map((one: any) => one.name);

describe('Faults of the simulated Hetzner API', () => {
  it('answer instead of the service, as often as asked, without effect', async () => {
    const { cloud, post } = simulatedCloud();
    cloud.failNext('POST', '/servers', 'server_error', { message: 'broken', times: 2 });
    for (let index = 0; index < 2; index++) {
      const reply = await post('/servers', order('a'));
      expect([reply.status, reply.body.error]).toEqual([
        500,
        { code: 'server_error', message: 'broken', details: null },
      ]);
    }
    expect(cloud.servers()).toEqual([]);
    expect((await post('/servers', order('a'))).status).toBe(201);
  });

  it('lose the reply of a create that was committed', async () => {
    const { cloud, post, get } = simulatedCloud();
    cloud.loseNextReply('POST', '/servers');
    await expect(post('/servers', order('a'))).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(names(await get('/servers?name=a'))).toEqual(['a']);
    expect(cloud.calls({ method: 'POST' })).toMatchObject([{ status: 0 }]);
    expect((await post('/servers', order('a'))).body.error.code).toBe('uniqueness_error');
  });

  it('cut the connection before anything happens, without spending the budget', async () => {
    const { cloud, post, get } = simulatedCloud();
    cloud.faults.add({ match: { method: 'POST' }, times: 1, action: { kind: 'cut-before' } });
    await expect(post('/servers', order('a'))).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    const list = await get('/servers');
    expect(names(list)).toEqual([]);
    expect(list.headers['ratelimit-remaining']).toBe('3599');
  });

  it('delay an answer in world time', async () => {
    const { cloud, get, clock, seconds } = simulatedCloud();
    cloud.faults.add({ action: { kind: 'delay', ms: 4000 } });
    await clock.complete(get('/servers'));
    expect(seconds()).toBe(4);
    expect(cloud.calls()[0]!.durationMs).toBe(4000);
  });

  it('hide a polled action for a while', async () => {
    const { cloud, post, get } = simulatedCloud();
    const { action } = (await post('/servers', order('a'))).body;
    cloud.behaviour.hideAction(action.id, 2);
    const counts = [];
    for (let poll = 0; poll < 3; poll++)
      counts.push((await get(`/actions?id=${action.id}`)).body.actions.length);
    expect(counts).toEqual([0, 0, 1]);
    expect((await get(`/actions/${action.id}`)).status).toBe(200);
  });

  it('let lists lag, while single servers are current', async () => {
    const { cloud, post, get, remove, clock } = simulatedCloud({
      settings: { timings: EXACT_TIMINGS, listLagMs: 30_000 },
    });
    const { id } = (await post('/servers', order('a'))).body.server;
    expect(names(await get('/servers'))).toEqual([]);
    expect((await get(`/servers/${id}`)).body.server.status).toBe('initializing');
    const listed = async () => (await get('/servers')).body.servers.map((one: any) => one.status);
    await clock.advance(31_000);
    expect(await listed()).toEqual(['initializing']);
    await clock.advance(10_000);
    expect(await listed()).toEqual(['running']);
    await remove(`/servers/${id}`);
    await clock.advance(10_000);
    expect((await get(`/servers/${id}`)).status).toBe(404);
    expect(await listed()).toEqual(['running']);
    await clock.advance(30_000);
    expect(await listed()).toEqual([]);
    cloud.seedServer({ name: 'b' });
    cloud.setListLag(0);
    expect(names(await get('/servers'))).toEqual(['b']);
  });

  it('start to lag from the present', async () => {
    const { cloud, get } = simulatedCloud();
    cloud.seedServer({ name: 'old' });
    cloud.setListLag(10_000);
    cloud.seedServer({ name: 'new' });
    expect(names(await get('/servers'))).toEqual(['old']);
  });

  it('drop one server from lists', async () => {
    const { cloud, get } = simulatedCloud();
    for (const id of [5, 6]) cloud.seedServer({ name: `s${id}`, id });
    cloud.behaviour.dropFromList(5);
    expect(names(await get('/servers'))).toEqual(['s6']);
    expect(names(await get('/servers'))).toEqual(['s5', 's6']);
  });

  it('change the list between two pages', async () => {
    const { cloud, get } = simulatedCloud();
    for (let id = 1; id <= 4; id++) cloud.seedServer({ name: `s${id}`, id });
    cloud.behaviour.afterNextPage('/servers', () => cloud.vanishServer('s1'));
    expect(names(await get('/servers?per_page=2&page=1'))).toEqual(['s1', 's2']);
    expect(names(await get('/servers?per_page=2&page=2'))).toEqual(['s4']);
  });

  it('lock a server by a foreign action for a while', async () => {
    const { cloud, get, remove, clock } = simulatedCloud();
    cloud.seedServer({ name: 'a', id: 5 });
    cloud.lockServer('a', 10_000);
    expect((await get('/servers/5')).body.server.locked).toBe(true);
    expect((await remove('/servers/5')).body.error.code).toBe('locked');
    await clock.advance(10_000);
    expect((await remove('/servers/5')).status).toBe(200);
  });
});

describe('The admin interface of the simulated cloud', () => {
  it('arms faults from documents, counts them, and clears them', async () => {
    const { send, get, post, cloud } = simulatedCloud();
    const rules = [
      {
        id: 'flaky',
        method: 'GET',
        path: '^/v1/servers$',
        after: 1,
        times: 1,
        action: { kind: 'answer', code: 'unavailable' },
      },
      {
        id: 'html',
        path: '^/v1/locations$',
        action: {
          kind: 'answer',
          status: 502,
          body: '<html>bad</html>',
          headers: { 'content-type': 'text/html' },
        },
      },
      { id: 'short', path: '^/v1/networks$', action: { kind: 'truncate', bytes: 10 } },
      { id: 'garbage', path: '^/v1/images$', action: { kind: 'garbage' } },
      {
        id: 'by-body',
        method: 'POST',
        body: '"name":"b"',
        action: { kind: 'commit-then-answer', status: 504, body: '' },
      },
      { action: { kind: 'action-error', command: 'create_server', code: 'action_failed' }, times: 1 },
    ];
    expect((await send('POST', '/_fake/faults', { rules }, null)).status).toBe(200);
    const statuses = [];
    for (let index = 0; index < 3; index++) statuses.push((await get('/servers')).status);
    expect(statuses).toEqual([200, 503, 200]);
    const html = await get('/locations');
    expect([html.status, html.text, html.headers['content-type']]).toEqual([
      502,
      '<html>bad</html>',
      'text/html',
    ]);
    expect((await get('/networks')).text).toBe('{"networks');
    expect((await get('/images')).body).toBeNull();
    expect((await post('/servers', order('a'))).status).toBe(201);
    expect((await post('/servers', order('b'))).status).toBe(504);
    expect(cloud.servers()).toHaveLength(2);
    const state = (await send('GET', '/_fake/state', undefined, null)).body;
    expect(state.faults.find((one: any) => one.id === 'flaky')).toEqual({ id: 'flaky', seen: 3, hits: 1 });
    await send('DELETE', '/_fake/faults', undefined, null);
    expect((await get('/locations')).status).toBe(200);
  });

  it.each([
    [{ action: { kind: 'explode' } }, /action\.kind/],
    [{}, /action\.kind/],
    [{ action: { kind: 'delay' } }, /action\.ms/],
    [{ times: 'two', action: { kind: 'drop' } }, /times/],
    [{ action: { kind: 'action-stuck' } }, /command/],
  ])('refuses the rule %j', async (rule, message) => {
    const { send } = simulatedCloud();
    const reply = await send('POST', '/_fake/faults', { rules: [rule] }, null);
    expect(reply.status).toBe(422);
    expect(reply.body.error.message).toMatch(message);
  });

  it.each([
    ['stale-list', { ms: 1000 }],
    ['drop-from-list', { server: 5 }],
    ['page-shift', { server: 5 }],
    ['lock-server', { server: 5, ms: 1000 }],
    ['action-missing', { id: 7 }],
    ['action-stuck', { command: 'start_server' }],
    ['wrong-image-architecture', {}],
    ['node-never-registers', { pool: 'pool1' }],
    ['token-read-only', {}],
    ['token-revoked', {}],
  ])('knows the fault %s', async (kind, fields) => {
    const { send, cloud } = simulatedCloud();
    cloud.seedServer({ name: 'a', id: 5 });
    const reply = await send('POST', '/_fake/faults', { rules: [{ action: { kind, ...fields } }] }, null);
    expect(reply.status).toBe(200);
  });

  it('sets stock, quotas, limits, statuses, settings and locations', async () => {
    const { send, post, get, cloud } = simulatedCloud();
    cloud.seedServer({ name: 'a', id: 5 });
    const admin = async (path: string, body: unknown) =>
      expect((await send('POST', `/_fake${path}`, body, null)).status).toBe(200);
    await admin('/stock', { type: 'cx33', location: 'fsn1', count: 0 });
    expect((await post('/servers', order('x'))).status).toBe(412);
    await admin('/stock', { type: 'cx33', location: 'fsn1', count: null });
    await admin('/locations', { location: 'fsn1', closed: true });
    expect((await post('/servers', order('x'))).body.error.message).toBe('server location disabled');
    await admin('/locations', { location: 'fsn1', closed: false });
    await admin('/quota', { servers: 1 });
    expect((await post('/servers', order('x'))).status).toBe(403);
    await admin('/servers/5/status', { status: 'migrating' });
    expect((await get('/servers/5')).body.server.status).toBe('migrating');
    await admin('/settings', {
      stockFailure: 'async',
      timings: { createServer: { meanMs: 1, spreadMs: 0 } },
    });
    expect(cloud.settings.stockFailure).toBe('async');
    expect(cloud.settings.timings.deleteServer.meanMs).toBe(3000);
    await admin('/ratelimit', { limit: 60, remaining: 0 });
    expect((await get('/servers')).status).toBe(429);
    expect((await send('POST', '/_fake/servers/5/status', { status: 'happy' }, null)).status).toBe(422);
    expect((await send('POST', '/_fake/stock', { type: 'cx33' }, null)).status).toBe(422);
    expect((await send('GET', '/_fake/nothing', undefined, null)).status).toBe(404);
  });

  it('tells requests, costs and broken invariants', async () => {
    const { send, post, remove, cloud, clock } = simulatedCloud();
    cloud.seedServer({ name: 'precious', id: 5 });
    await post('/servers', order('a'));
    await clock.advance(1000);
    await remove('/servers/5');
    const since = clock.now();
    const { requests } = (await send('GET', `/_fake/requests?since=${since}`, undefined, null)).body;
    expect(requests).toMatchObject([{ method: 'DELETE', path: '/servers/5', status: 200 }]);
    expect((await send('GET', '/_fake/cost', undefined, null)).body).toMatchObject({
      totalEur: 2 * 0.0088,
      entries: [{ name: 'precious', costEur: 0.0088 }, { name: 'a' }],
    });
    expect((await send('GET', '/_fake/invariants', undefined, null)).body).toEqual({
      broken: ['server precious had no pool label and was deleted'],
    });
  });

  it('moves a virtual clock', async () => {
    const { send, seconds, post, cloud } = simulatedCloud();
    await post('/servers', order('a'));
    const reply = await send('POST', '/_fake/clock/advance', { ms: 60_000 }, null);
    expect(reply.status).toBe(200);
    expect(seconds()).toBe(60);
    expect(cloud.server('a').status).toBe('running');
  });

  it('resets everything, machines included, and begins the same history for the same seed', async () => {
    const { send, post, cloud, clock, fleet } = simulatedCloud();
    const ids = async () => {
      await send('POST', '/_fake/reset', { seed: 3, config: { stockFailure: 'async' } }, null);
      const made = [];
      for (const name of ['a', 'b', 'c'])
        made.push((await post('/servers', order(name))).body.server.id as number);
      await clock.advance(60_000);
      return made;
    };
    const first = await ids();
    expect(fleet.running()).toHaveLength(3);
    cloud.failNext('POST', '/servers', 'server_error', { times: 100 });
    await post('/servers', order('pending'));
    expect(await ids()).toEqual(first);
    expect(fleet.running()).toHaveLength(3);
    expect(cloud.calls()).toHaveLength(3);
    expect(cloud.settings.stockFailure).toBe('async');
  });
});

describe('Scenarios of the simulated cloud', () => {
  const scenario = async (name: string) => {
    const world = simulatedCloud({ settings: { timings: EXACT_TIMINGS } });
    world.cloud.seedServer({ name: 'node-0', labels: { 'hcloud/node-group': 'pool1' } });
    const reply = await world.send('POST', '/_fake/scenario', { name }, null);
    return { ...world, reply };
  };

  it('are known by name only', async () => {
    const { reply } = await scenario('doom');
    expect(reply.status).toBe(422);
    expect(reply.body.error.message).toContain('stockout-one-location');
  });

  it.each([
    'happy',
    'subnet',
    'static-servers',
    'pool-removed',
    'two-clusters-one-project',
    'locked-by-firewall',
    'slow-create-6min',
  ])('%s leaves creates possible', async (name) => {
    const { reply, post } = await scenario(name);
    expect(reply.status).toBe(200);
    expect((await post('/servers', order('a'))).status).toBe(201);
  });

  it.each([
    ['stockout-one-location', {}, 412],
    ['stockout-one-location', { location: 'nbg1' }, 201],
    ['stockout-async', {}, 201],
    ['create-504-but-created', {}, 504],
    ['pg-full-by-foreign', { placement_group: 991 }, 422],
    ['network-100', { networks: [5500] }, 403],
    ['snapshot-too-big', { image: 233445600 }, 422],
  ])('%s answers a create with %j by %i', async (name, change, status) => {
    const { post } = await scenario(name);
    expect((await post('/servers', order('a', change))).status).toBe(status);
  });

  it('quota-5 ends after five servers', async () => {
    const { post, cloud } = await scenario('quota-5');
    for (let index = 0; index < 6; index++) await post('/servers', order(`a-${index}`));
    expect(cloud.servers()).toHaveLength(5);
  });

  it('rate-limited ends after sixty requests', async () => {
    const { get } = await scenario('rate-limited');
    for (let index = 0; index < 60; index++) await get('/locations');
    expect((await get('/locations')).status).toBe(429);
  });

  it('action-stuck leaves the first create running', async () => {
    const { post, clock, cloud } = await scenario('action-stuck');
    await post('/servers', order('a'));
    await post('/servers', order('b'));
    await clock.advance(60_000);
    expect(cloud.servers().map((server) => server.status)).toEqual(['running', 'initializing', 'running']);
  });

  it('list-lag-30s shows the past', async () => {
    const { post, get } = await scenario('list-lag-30s');
    await post('/servers', order('a'));
    expect((await get('/servers')).body.servers).toHaveLength(1);
  });

  it('image-deprecated-then-deleted takes the image away in two steps', async () => {
    const { get, post, clock } = await scenario('image-deprecated-then-deleted');
    expect((await get('/images?name=ubuntu-24.04')).body.images).toEqual([]);
    expect((await post('/servers', order('a'))).status).toBe(201);
    await clock.advance(600_000);
    expect((await post('/servers', order('b'))).status).toBe(422);
  });

  it('token-revoked-midway ends access after five minutes', async () => {
    const { get, clock } = await scenario('token-revoked-midway');
    expect((await get('/servers')).status).toBe(200);
    await clock.advance(300_000);
    expect((await get('/servers')).status).toBe(401);
  });

  it('migration-window moves running servers for ten minutes', async () => {
    const { cloud, clock, fleet } = await scenario('migration-window');
    expect(cloud.server('node-0').status).toBe('migrating');
    await clock.advance(600_000);
    expect(cloud.server('node-0').status).toBe('running');
    expect(fleet.running()).toHaveLength(1);
  });
});

describe('Static servers of the simulated cloud', () => {
  it('are protected, and one bears a name that looks like an id', async () => {
    const { cloud, remove, get, fleet } = simulatedCloud();
    cloud.seedStaticServers();
    expect((await remove(`/servers/${cloud.server('control-plane-1').id}`)).body.error.code).toBe(
      'protected',
    );
    expect((await get('/servers?name=71000099')).body.servers[0].id).toBe(71_000_050);
    expect(fleet.running()).toHaveLength(4);
  });
});
