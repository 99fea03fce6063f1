import type { CloudError } from '../../../src/application/ports/cloud-provider.js';
import { buildNode, MINUTE } from '../../support/builders.js';
import { failureOf, startHarness, USER_DATA } from './hetzner-harness.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/hetzner/index.js';

const ONE_POOL = { nodes: ['0:200:cx33:fsn1:pool1'] };
const LABEL = { 'hcloud/node-group': 'pool1' };

describe('reading servers from Hetzner Cloud', () => {
  // hetzner 7/16
  it('reads 117 servers in three pages', async () => {
    const harness = await startHarness(ONE_POOL);
    harness.cloud.setQuotas({ servers: 1_000 });
    for (let index = 0; index < 117; index++)
      harness.cloud.seedServer({ name: `pool1-${index}`, labels: LABEL });
    const startMs = harness.clock.now() + 1;
    await harness.loops(6);
    const lists = harness.cloud.calls({ method: 'GET', path: '/servers', sinceMs: startMs });
    const first = lists.filter((call) => call.atMs === lists[0]!.atMs);
    expect(first).toHaveLength(3);
    expect(first.every((call) => call.query.includes('per_page=50'))).toBe(true);
    expect(harness.group('pool1').targetSize).toBe(117);
  });

  // hetzner 7/16
  it('counts a server once that is met on two pages', async () => {
    const harness = await startHarness(ONE_POOL);
    for (let index = 0; index < 60; index++)
      harness.cloud.seedServer({ name: `pool1-${index}`, labels: LABEL });
    harness.cloud.behaviour.afterNextPage('/servers', () => {
      harness.cloud.seedServer({ name: 'pool1-first', id: 1, labels: LABEL });
    });
    await harness.loops(6);
    const ids = harness.instances('pool1').map((instance) => instance.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(60);
  });

  // U015
  it('spends less than a tenth of the hourly budget on an hour of loops with 99 servers', async () => {
    const harness = await startHarness(ONE_POOL);
    for (let index = 0; index < 99; index++)
      harness.cloud.seedServer({ name: `pool1-${index}`, labels: LABEL });
    const startMs = harness.clock.now();
    await harness.loops(360);
    const calls = harness.cloud.calls({ sinceMs: startMs }).length;
    expect(calls).toBeLessThan(360);
  });

  // hetzner 7/25
  it('asks once within the lifetime of the list, and once for many that ask at the same time', async () => {
    const { provider, signal, run, clock, calls } = await startHarness(ONE_POOL);
    for (let read = 0; read < 100; read++) {
      provider.nodeGroups();
      await run(provider.refresh(signal));
    }
    expect(calls('GET', '/servers')).toHaveLength(1);
    await clock.advance(MINUTE);
    await run(Promise.all(Array.from({ length: 20 }, () => provider.refresh(signal))));
    expect(calls('GET', '/servers')).toHaveLength(2);
  });

  // hetzner 7/24
  it('goes on with the last good data while the API hangs, and tells once when it begins and when it ends', async () => {
    const harness = await startHarness(ONE_POOL);
    harness.cloud.seedServer({ name: 'pool1-1', labels: LABEL });
    await harness.loops(6);
    const fault = harness.cloud.faults.add({ match: { path: '/v1/servers' }, action: { kind: 'drop' } });
    await harness.clock.advance(MINUTE);
    const startMs = harness.clock.now();
    await harness.run(harness.provider.refresh(harness.signal));
    expect(harness.clock.now() - startMs).toBeLessThanOrEqual(31_000);
    await harness.run(harness.provider.refresh(harness.signal));
    expect(harness.group('pool1').targetSize).toBe(1);
    expect(harness.incidents.story).toEqual(['began hetzner-api']);
    harness.cloud.faults.remove(fault);
    await harness.loops(1);
    expect(harness.incidents.story).toEqual(['began hetzner-api', 'over hetzner-api']);
  });

  it('says so when the last good data are older than five minutes', async () => {
    const harness = await startHarness(ONE_POOL);
    harness.cloud.faults.add({ match: { path: '/v1/servers' }, action: { kind: 'cut-before' } });
    await harness.loops(20);
    await harness.clock.advance(2 * MINUTE);
    const error = await failureOf(harness.run(harness.provider.refresh(harness.signal)));
    expect(error).toMatchObject({ name: 'CloudError', kind: 'transient', code: 'connection_lost' });
    expect((error as CloudError).message).toMatch(/the last list is \d+ s old/);
  });

  // hetzner 7/23
  it('names the status of a gateway that answers with a page', async () => {
    const harness = await startHarness(ONE_POOL);
    harness.cloud.faults.add({
      match: { path: '/v1/servers' },
      action: { kind: 'answer', status: 502, body: '<html>Bad Gateway</html>' },
    });
    await harness.loops(40).catch(() => undefined);
    const error = await failureOf(harness.run(harness.provider.refresh(harness.signal)));
    expect(error).toMatchObject({ kind: 'transient', code: 'http_502' });
  });

  it('does not take a server for gone because one list lacked it', async () => {
    const harness = await startHarness(ONE_POOL);
    const server = harness.cloud.seedServer({ name: 'pool1-1', labels: LABEL });
    await harness.loops(6);
    harness.cloud.behaviour.dropFromList(server.id, 1);
    for (let loop = 0; loop < 6; loop++) {
      await harness.loops(1);
      expect(harness.group('pool1').targetSize).toBe(1);
    }
  });

  it('notices a server that was deleted elsewhere', async () => {
    const harness = await startHarness(ONE_POOL);
    const server = harness.cloud.seedServer({ name: 'pool1-1', labels: LABEL });
    await harness.loops(6);
    harness.cloud.vanishServer(server.id);
    await harness.loops(6);
    expect(harness.group('pool1')).toMatchObject({ targetSize: 0, instances: [] });
    const node = buildNode('pool1-1', { providerId: `hcloud://${server.id}`, labels: LABEL });
    expect(harness.provider.nodeGroupIdForNode(node)).toBe('pool1');
    expect(await harness.run(harness.provider.existence(node, harness.signal))).toBe('gone');
  });

  // hetzner 7/28, hetzner 7/29, hetzner 7/30
  it('matches nodes by id, else by exact name, and leaves foreign ones alone', async () => {
    const harness = await startHarness(ONE_POOL);
    const { cloud, provider, clock } = harness;
    cloud.seedServer({ name: 'pool1-1', id: 71_000_042, labels: LABEL });
    cloud.seedServer({ name: '71000043', id: 71_000_044, labels: LABEL });
    cloud.seedServer({ name: 'stranded-1', id: 71_000_045, labels: { 'hcloud/node-group': 'removed' } });
    cloud.seedStaticServers();
    await harness.loops(6);
    const groupOf = (name: string, providerId: string, createdMs = clock.now()) =>
      provider.nodeGroupIdForNode(buildNode(name, { providerId, labels: LABEL, createdMs }));
    expect(groupOf('any', 'hcloud://71000042')).toBe('pool1');
    expect(groupOf('any', 'hcloud://71000043')).toBeNull();
    expect(groupOf('pool1-1', '')).toBe('pool1');
    expect(groupOf('stranded-1', 'hcloud://71000045')).toBeNull();
    expect(groupOf('control-plane-1', 'hcloud://71000011')).toBeNull();
    for (const id of ['hrobot://77', 'hcloud://bm-77', 'k3s://x', 'aws:///z/i-1']) {
      expect(groupOf('x', id)).toBeNull();
    }
    // A Robot machine stays foreign even under the name of a server of ours.
    for (const id of ['hrobot://77', 'hcloud://bm-77']) expect(groupOf('pool1-1', id)).toBeNull();
    expect(groupOf('not-listed-yet', '')).toBe('pool1');
    expect(groupOf('not-listed-yet', '', clock.now() - 11 * MINUTE)).toBeNull();
  });

  // U005
  it('takes a node with the id form of another distribution for the server of its name', async () => {
    const harness = await startHarness(ONE_POOL);
    harness.cloud.seedServer({ name: 'pool1-6f1', id: 4_711, labels: LABEL });
    await harness.loops(6);
    const node = buildNode('pool1-6f1', { providerId: 'k3s://pool1-6f1' });
    expect(harness.provider.nodeGroupIdForNode(node)).toBe('pool1');
    expect(harness.instances('pool1')).toMatchObject([{ id: 'k3s://pool1-6f1', state: 'running' }]);
    await harness.loops(1);
    expect(harness.incidents.open().get('provider-id-pool1')?.message).toBe(
      'pool pool1: nodes pool1-6f1 have a provider ID other than hcloud://4711; matched by name',
    );
    await harness.loops(1);
    expect(harness.incidents.story).toEqual(['began provider-id-pool1', 'over provider-id-pool1']);
  });

  // U021
  it('tells which promised labels and taints the nodes of a pool lack', async () => {
    const taints = [{ key: 'dedicated', value: 'runner', effect: 'NoSchedule' }];
    const harness = await startHarness({
      ...ONE_POOL,
      pools: { pool1: { labels: { team: 'web' }, taints } },
    });
    harness.cloud.seedServer({ name: 'r-1', id: 1, labels: LABEL });
    await harness.loops(6);
    harness.provider.nodeGroupIdForNode(buildNode('r-1', { providerId: 'hcloud://1' }));
    await harness.loops(1);
    expect(harness.incidents.open().get('template-mismatch-pool1')?.message).toMatch(
      /nodes r-1 lack label team=web, taint dedicated, which/,
    );
    const labels = { team: 'web' };
    const promised = [{ key: 'dedicated', value: 'runner', effect: 'NoSchedule' as const }];
    harness.provider.nodeGroupIdForNode(
      buildNode('r-1', { providerId: 'hcloud://1', labels, taints: promised }),
    );
    await harness.loops(1);
    expect(harness.incidents.story).toEqual([
      'began template-mismatch-pool1',
      'over template-mismatch-pool1',
    ]);
  });

  // hetzner 7/31, U033
  it('tells existing, gone, foreign and unknown apart', async () => {
    const harness = await startHarness(ONE_POOL);
    const { cloud, provider, signal, run } = harness;
    const server = cloud.seedServer({ name: 'pool1-1', labels: LABEL });
    cloud.seedStaticServers();
    await harness.loops(6);
    const existence = (providerId: string) => run(provider.existence(buildNode('n', { providerId }), signal));
    expect(await existence(`hcloud://${server.id}`)).toBe('exists');
    expect(await existence('hcloud://999')).toBe('gone');
    expect(await existence('hcloud://71000011')).toBe('foreign');
    expect(await existence('hrobot://1234')).toBe('foreign');
    harness.cloud.faults.add({ match: { path: /servers\/\d+/ }, action: { kind: 'cut-before' } });
    expect(await existence('hcloud://998')).toBe('unknown');
    const before = cloud.calls().length;
    expect(await existence('hcloud://71000011')).toBe('foreign');
    expect(cloud.calls()).toHaveLength(before);
  });

  // hetzner 7/27, `hetzner` 3.6 and 3.7d
  it('shows a server that nobody works on and no node runs on as failed, once the nodes are known', async () => {
    const harness = await startHarness(ONE_POOL);
    const { cloud, provider, clock } = harness;
    cloud.seedServer({
      name: 'pool1-off',
      labels: LABEL,
      status: 'off',
      createdMs: clock.now() - 20 * MINUTE,
    });
    cloud.seedServer({ name: 'pool1-new', labels: LABEL, status: 'off' });
    cloud.seedServer({
      name: 'pool1-joined',
      labels: LABEL,
      status: 'off',
      createdMs: clock.now() - 20 * MINUTE,
    });
    await harness.loops(6);
    const states = () =>
      harness.instances('pool1').map(({ name, state, failure }) => [name, state, failure?.code ?? null]);
    expect(states()).toContainEqual(['pool1-off', 'creating', null]);
    provider.nodeGroupIdForNode(buildNode('pool1-joined', { providerId: '' }));
    await harness.loops(1);
    expect(states()).toEqual([
      ['pool1-off', 'creating', 'hcloud-server-off'],
      ['pool1-new', 'creating', null],
      ['pool1-joined', 'running', null],
    ]);
  });

  // `hetzner` 6.11
  it('reports servers of pools that are no longer configured, once a day', async () => {
    const harness = await startHarness(ONE_POOL);
    harness.cloud.seedServer({ name: 'removed-1', labels: { 'hcloud/node-group': 'removed' } });
    await harness.loops(20);
    expect(harness.metrics.value('hcloud_stranded_servers')).toBe(1);
    expect(harness.log.of('hcloud-stranded-servers')).toHaveLength(1);
  });

  // hetzner 7/21
  it('sends nothing optional and polls slowly while the budget is low', async () => {
    const harness = await startHarness({
      ...ONE_POOL,
      settings: { timings: { createServer: { meanMs: 30_000, spreadMs: 0 } } },
    });
    const { cloud, clock, provider, signal, run } = harness;
    cloud.setRateLimit(3_600, 200);
    await clock.advance(1);
    await run(provider.increaseSize('pool1', 1, signal));
    const startMs = clock.now();
    await harness.loops(6);
    const polls = cloud.calls({ path: '/actions', sinceMs: startMs });
    for (const [index, poll] of polls.entries()) {
      const previous = polls[index - 1];
      if (previous !== undefined) expect(poll.atMs - previous.atMs).toBeGreaterThanOrEqual(5_000);
    }
    expect(cloud.calls({ path: '/servers', method: 'GET', sinceMs: startMs })).toEqual([]);
  });

  // hetzner 7/15, hetzner 7/50
  it('sends the headers of the house, counts each request, and leaks no secret into the log', async () => {
    const harness = await startHarness({ ...ONE_POOL, variables: { HCLOUD_SSH_KEY: '' } });
    await harness.run(harness.provider.increaseSize('pool1', 1, harness.signal));
    await harness.clock.advance(MINUTE);
    for (const call of harness.cloud.calls()) {
      expect(call.headers).toMatchObject({ accept: 'application/json', 'user-agent': 'evenkeel/0.1.0' });
      expect(call.headers['authorization']).toMatch(/^sha256:/);
      expect(call.headers['content-type']).toBe(call.body === '' ? undefined : 'application/json');
    }
    const log = harness.log.text();
    expect(log).toContain('POST https://api.hetzner.cloud/v1/servers');
    expect(log).toContain('ratelimit-remaining');
    expect(log).not.toContain(DEFAULT_TOKEN);
    expect(log).not.toContain('top.secret');
    expect(log).not.toContain(USER_DATA.slice(0, 20));
    const created = { code: '201', method: 'post', api_endpoint: '/servers' };
    expect(harness.metrics.value('hcloud_api_requests_total', created)).toBe(1);
  });

  // hetzner 7/42, decided the other way by `hetzner` 3.13
  it('counts exchanges without an answer under the code error', async () => {
    const harness = await startHarness(ONE_POOL);
    harness.dispatcher.unmount('https://api.hetzner.cloud');
    await harness.loops(6);
    const refused = { code: 'error', method: 'get', api_endpoint: '/servers' };
    expect(harness.metrics.value('hcloud_api_requests_total', refused)).toBeGreaterThan(0);
  });
});
