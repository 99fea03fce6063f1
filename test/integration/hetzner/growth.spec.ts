import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import { bodyOf, failureOf, startHarness } from './hetzner-harness.js';

const ONE_POOL = { nodes: ['0:10:cx33:fsn1:pool1'] };

describe('growth of a Hetzner pool', () => {
  // hetzner 7/35
  it.each([
    [0, 'invalid-delta'],
    [-1, 'invalid-delta'],
    [11, 'max-size'],
  ])('refuses a delta of %p without a request', async (delta, code) => {
    const { provider, signal, run, cloud } = await startHarness(ONE_POOL);
    const before = cloud.calls().length;
    const error = await failureOf(run(provider.increaseSize('pool1', delta, signal)));
    expect(error).toMatchObject({ kind: 'configuration', code });
    expect(cloud.calls()).toHaveLength(before);
  });

  // hetzner 7/40
  it('accepts at once, shows placeholders or servers that never exceed the order, and ends with running servers', async () => {
    const { provider, signal, run, clock, group, instances, loops } = await startHarness(ONE_POOL);
    const startMs = clock.now();
    const result = await run(provider.increaseSize('pool1', 3, signal));
    expect(result).toEqual({ accepted: 3, failure: null });
    expect(clock.now() - startMs).toBeLessThanOrEqual(100);
    expect(group('pool1').targetSize).toBe(3);
    expect(instances('pool1').map((instance) => instance.state)).toEqual([
      'creating',
      'creating',
      'creating',
    ]);
    for (let second = 0; second < 40; second++) {
      await clock.advance(1_000);
      expect(instances('pool1')).toHaveLength(3);
      expect(group('pool1').targetSize).toBe(3);
    }
    await loops(1);
    expect(instances('pool1').map((instance) => instance.state)).toEqual(['running', 'running', 'running']);
    expect(instances('pool1').every((instance) => /^hcloud:\/\/\d+$/.test(instance.id))).toBe(true);
  });

  it('shows placeholders while the API has not named the servers', async () => {
    const { provider, signal, cloud, clock, group, instances } = await startHarness(ONE_POOL);
    cloud.faults.add({ match: { method: 'POST' }, action: { kind: 'delay', ms: 20_000 } });
    const growing = provider.increaseSize('pool1', 2, signal);
    expect(group('pool1').targetSize).toBe(2);
    expect(
      instances('pool1').every((instance) => instance.id.startsWith('hcloud-pending://pool1/pool1-')),
    ).toBe(true);
    expect(await clock.complete(growing)).toEqual({ accepted: 2, failure: null });
    expect(instances('pool1').map((instance) => instance.failure)).toEqual([null, null]);
  });

  // hetzner 7/41
  it('grows by what is in stock and says why the rest was refused', async () => {
    const { provider, signal, run, cloud, group, clock, instances, calls } = await startHarness(ONE_POOL);
    cloud.setStock('cx33', 'fsn1', 2);
    const result = await run(provider.increaseSize('pool1', 5, signal));
    expect(result.accepted).toBe(2);
    expect(result.failure).toMatchObject({ kind: 'stock-out', code: 'resource_unavailable' });
    expect(result.failure?.message).toMatch(/pool pool1: cx33 in fsn1.*error during placement/);
    expect(calls('POST', '/servers').filter((call) => call.status !== 201).length).toBeLessThanOrEqual(3);
    await clock.advance(60_000);
    expect(group('pool1').targetSize).toBe(2);
    expect(instances('pool1').map((instance) => instance.state)).toEqual(['running', 'running']);
  });

  it('asks once for a type that is sold out, however many machines are wanted', async () => {
    const { provider, signal, run, cloud, group, calls } = await startHarness(ONE_POOL);
    cloud.setStock('cx33', 'fsn1', 0);
    const error = await failureOf(run(provider.increaseSize('pool1', 10, signal)));
    expect(error).toBeInstanceOf(CloudError);
    expect(error).toMatchObject({ kind: 'stock-out', code: 'resource_unavailable' });
    expect(calls('POST', '/servers')).toHaveLength(1);
    expect(group('pool1')).toMatchObject({ targetSize: 0, instances: [] });
  });

  // U006: the second pool grows in the same loop.
  it('lets the next pool grow in the same loop, and leaves the first alone until its back-off ends', async () => {
    const nodes = ['0:5:cx33:fsn1:first', '0:5:cpx32:fsn1:second'];
    const { provider, signal, run, cloud, clock, calls } = await startHarness({ nodes });
    cloud.setStock('cx33', 'fsn1', 0);
    await failureOf(run(provider.increaseSize('first', 1, signal)));
    expect(await run(provider.increaseSize('second', 1, signal))).toEqual({ accepted: 1, failure: null });
    expect(await failureOf(run(provider.increaseSize('first', 1, signal)))).toMatchObject({
      kind: 'stock-out',
    });
    expect(calls('POST', '/servers')).toHaveLength(2);
    await clock.advance(2 * 60_000);
    cloud.setStock('cx33', 'fsn1', 5);
    expect(await run(provider.increaseSize('first', 1, signal))).toEqual({ accepted: 1, failure: null });
  });

  // hetzner 7/42
  it('treats a stock-out that comes as error of the action like one that comes at once, and deletes the server', async () => {
    const { provider, signal, run, cloud, clock, group, instances } = await startHarness({
      ...ONE_POOL,
      settings: { stockFailure: 'async' },
    });
    cloud.setStock('cx33', 'fsn1', 0);
    expect(await run(provider.increaseSize('pool1', 1, signal))).toEqual({ accepted: 1, failure: null });
    await clock.advance(30_000);
    const [instance] = instances('pool1');
    expect(instance).toMatchObject({
      state: 'creating',
      failure: { kind: 'stock-out', code: 'resource_unavailable' },
    });
    expect(cloud.servers()).toHaveLength(0);
    expect(group('pool1').targetSize).toBe(1);
    const machine = { instanceId: instance!.id, name: instance!.name, cause: 'create-error' } as const;
    await run(provider.deleteInstances('pool1', [machine], { force: false, signal }));
    expect(group('pool1')).toMatchObject({ targetSize: 0, instances: [] });
  });

  // hetzner 7/44
  it('stops all pools at the quota until one of our servers goes, without blaming the type', async () => {
    const nodes = ['0:5:cx33:fsn1:first', '0:5:cpx32:fsn1:second'];
    const { provider, signal, run, cloud, clock, calls, instances } = await startHarness({ nodes });
    cloud.setQuotas({ servers: 1 });
    await run(provider.increaseSize('first', 1, signal));
    await clock.advance(60_000);
    for (const pool of ['first', 'second']) {
      const error = await failureOf(run(provider.increaseSize(pool, 1, signal)));
      expect(error).toMatchObject({ kind: 'quota', code: 'resource_limit_exceeded' });
    }
    expect(calls('POST', '/servers')).toHaveLength(2);
    const [server] = instances('first');
    const machine = { instanceId: server!.id, name: server!.name, cause: 'scale-down' } as const;
    await run(provider.deleteInstances('first', [machine], { force: false, signal }));
    await clock.advance(30_000);
    expect(await run(provider.increaseSize('first', 1, signal))).toEqual({ accepted: 1, failure: null });
  });

  it('tries again five minutes after the quota was reached', async () => {
    const { provider, signal, run, cloud, clock } = await startHarness(ONE_POOL);
    cloud.setQuotas({ servers: 0 });
    await failureOf(run(provider.increaseSize('pool1', 1, signal)));
    cloud.setQuotas({ servers: 10 });
    expect(await failureOf(run(provider.increaseSize('pool1', 1, signal)))).toMatchObject({ kind: 'quota' });
    await clock.advance(5 * 60_000);
    expect(await run(provider.increaseSize('pool1', 1, signal))).toEqual({ accepted: 1, failure: null });
  });

  // hetzner 7/36
  it('creates in the network at once where no subnet is asked for', async () => {
    const { provider, signal, run, clock, calls, cloud } = await startHarness({
      ...ONE_POOL,
      variables: { HCLOUD_NETWORK: 'cluster-net' },
    });
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(60_000);
    expect(bodyOf(calls('POST', '/servers')[0])).toMatchObject({
      networks: [5500],
      start_after_create: true,
    });
    expect(cloud.calls({ method: 'POST' })).toHaveLength(1);
  });

  // hetzner 7/37
  it('attaches the subnet and powers on, each after the step before it', async () => {
    const { provider, signal, run, clock, calls, cloud, instances } = await startHarness({
      ...ONE_POOL,
      pools: { pool1: { subnetIPRange: '10.20.2.0/24' } },
      variables: { HCLOUD_NETWORK: '5500' },
    });
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(120_000);
    const [server] = cloud.servers();
    const path = `/servers/${server!.id}/actions`;
    expect(cloud.calls({ method: 'POST' }).map((call) => call.path)).toEqual(
      expect.arrayContaining(['/servers', `${path}/attach_to_network`, `${path}/poweron`]),
    );
    expect(bodyOf(calls('POST', '/servers')[0])).toMatchObject({ networks: [], start_after_create: false });
    const attached = calls('POST', `${path}/attach_to_network`).filter((call) => call.status === 201);
    const poweredOn = calls('POST', `${path}/poweron`).filter((call) => call.status === 201);
    expect(bodyOf(attached[0])).toEqual({ network: 5500, ip_range: '10.20.2.0/24' });
    expect(attached).toHaveLength(1);
    expect(poweredOn).toHaveLength(1);
    expect(attached[0]!.atMs).toBeLessThan(poweredOn[0]!.atMs);
    expect(server).toMatchObject({ status: 'running', nics: [{ networkId: 5500 }] });
    expect(instances('pool1')[0]?.state).toBe('running');
  });

  // hetzner 7/38
  it('needs one request without a network', async () => {
    const { provider, signal, run, clock, cloud } = await startHarness(ONE_POOL);
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(60_000);
    expect(cloud.calls({ method: 'POST' }).map((call) => call.path)).toEqual(['/servers']);
    expect(cloud.servers()[0]?.status).toBe('running');
  });

  // hetzner 7/39, hetzner 7/14, hetzner 7/5
  it('sends labels, firewalls, key, group and public families as configured', async () => {
    const { provider, signal, run, calls } = await startHarness({
      nodes: ['0:5:cax11:hel1:arm'],
      pools: {
        arm: {
          serverLabels: { 'hcloud/node-group': 'other', team: 'web' },
          firewalls: ['batch-extra', '4711', '4712'],
          placementGroup: 'batch-spread',
        },
      },
      variables: {
        HCLOUD_FIREWALL: '4711',
        HCLOUD_SSH_KEY: 'ops',
        HCLOUD_CLUSTER_NAME: 'c1',
        HCLOUD_PUBLIC_IPV6: 'F',
      },
    });
    await run(provider.increaseSize('arm', 1, signal));
    const body = bodyOf(calls('POST', '/servers')[0]);
    expect(body).toMatchObject({
      image: 161547270,
      location: 'hel1',
      labels: { 'hcloud/node-group': 'arm', 'hcloud/cluster': 'c1', team: 'web' },
      firewalls: [{ firewall: 4711 }, { firewall: 4712 }],
      ssh_keys: [3301],
      placement_group: 990,
      public_net: { enable_ipv4: true, enable_ipv6: false },
    });
    expect(body['name']).toMatch(/^arm-[0-9a-f]{16}$/);
  });

  // hetzner 7/45
  it('notices an action of 64 s within six seconds', async () => {
    const { provider, signal, run, clock, instances } = await startHarness({
      ...ONE_POOL,
      settings: {
        timings: {
          createServer: { meanMs: 62_000, spreadMs: 0 },
          startServer: { meanMs: 2_000, spreadMs: 0 },
        },
      },
    });
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(70_000);
    expect(instances('pool1')[0]?.state).toBe('running');
  });

  // hetzner 7/45
  it('keeps a server whose action ends a second before the creation timeout', async () => {
    const { provider, signal, run, clock, instances, calls } = await startHarness({
      ...ONE_POOL,
      settings: {
        timings: {
          createServer: { meanMs: 297_000, spreadMs: 0 },
          startServer: { meanMs: 2_000, spreadMs: 0 },
        },
      },
    });
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(320_000);
    expect(instances('pool1')).toMatchObject([{ state: 'running', failure: null }]);
    expect(calls('DELETE', /./)).toHaveLength(0);
  });

  it('gives up a creation that never ends, and deletes its server', async () => {
    const { provider, signal, run, clock, cloud, instances } = await startHarness(ONE_POOL);
    cloud.behaviour.stickActions('start_server');
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(5 * 60_000 + 1_000);
    expect(instances('pool1')).toMatchObject([
      { state: 'creating', failure: { code: 'create-timeout', kind: 'transient' } },
    ]);
  });

  // hetzner 7/46
  it('waits for a server that is locked instead of throwing it away', async () => {
    const { provider, signal, run, clock, cloud, calls } = await startHarness({
      ...ONE_POOL,
      pools: { pool1: { subnetIPRange: '10.20.1.0/24' } },
      variables: { HCLOUD_NETWORK: 'cluster-net' },
    });
    cloud.failNext('POST', /attach_to_network$/, 'locked', { times: 3 });
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(180_000);
    expect(cloud.servers()).toMatchObject([{ status: 'running' }]);
    expect(
      calls('POST', /attach_to_network$/).filter((call) => call.status === 423).length,
    ).toBeGreaterThanOrEqual(3);
    expect(calls('DELETE', /./)).toHaveLength(0);
  });

  // hetzner 7/18
  it('looks for the server before it repeats a creation that was answered by a gateway', async () => {
    const { provider, signal, run, cloud, clock } = await startHarness(ONE_POOL);
    const before = cloud.calls().length;
    cloud.failNext('POST', '/servers', 'timeout');
    const result = await run(provider.increaseSize('pool1', 1, signal));
    expect(result.accepted).toBe(1);
    await clock.advance(60_000);
    const story = cloud
      .calls()
      .slice(before)
      .filter((call) => call.path === '/servers')
      .map((call) => call.method);
    expect(story).toEqual(['POST', 'GET', 'GET', 'POST']);
    expect(cloud.servers()).toHaveLength(1);
  });

  // hetzner 7/19
  it('adopts a server whose creation was carried out and never answered', async () => {
    const { provider, signal, run, cloud, clock, group, instances, calls } = await startHarness(ONE_POOL);
    cloud.loseNextReply('POST', '/servers');
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(60_000);
    await run(provider.refresh(signal));
    expect(cloud.servers()).toHaveLength(1);
    expect(calls('POST', '/servers')).toHaveLength(1);
    expect(group('pool1').targetSize).toBe(1);
    expect(instances('pool1')).toMatchObject([{ state: 'running', failure: null }]);
  });

  it('says that the outcome is unknown when nobody can tell, and adopts the server that turns up later', async () => {
    const { provider, signal, run, cloud, clock, group, instances, loops } = await startHarness(ONE_POOL);
    cloud.loseNextReply('POST', '/servers');
    const blind = cloud.faults.add({
      match: { method: 'GET', path: '/v1/servers' },
      action: { kind: 'cut-before' },
    });
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(240_000);
    expect(instances('pool1')).toMatchObject([{ failure: { kind: 'unknown-outcome' } }]);
    cloud.faults.remove(blind);
    await loops(7);
    expect(instances('pool1')).toMatchObject([{ state: 'running', failure: null }]);
    expect(group('pool1').targetSize).toBe(1);
  });

  // U074
  it('deletes a server whose second action failed, within seconds', async () => {
    const { provider, signal, run, cloud, clock, instances } = await startHarness(ONE_POOL);
    cloud.behaviour.failActions('start_server', { code: 'action_failed', message: 'Action failed' });
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(40_000);
    expect(instances('pool1')).toMatchObject([{ failure: { kind: 'transient', code: 'action_failed' } }]);
    expect(cloud.servers()).toHaveLength(0);
  });

  // hetzner 7/22
  it('asks for thirty open actions with two requests, and forgives an action that is missing twice', async () => {
    const { provider, signal, run, cloud, clock, instances, calls } = await startHarness({
      nodes: ['0:20:cx33:fsn1:pool1'],
      settings: { timings: { createServer: { meanMs: 20_000, spreadMs: 0 } } },
    });
    await run(provider.increaseSize('pool1', 15, signal));
    cloud.behaviour.hideAction(null, 2);
    const startMs = clock.now();
    await clock.advance(1_000);
    const first = calls('GET', '/actions').filter((call) => call.atMs === startMs + 500);
    expect(first.map((call) => new URLSearchParams(call.query).getAll('id').length)).toEqual([25, 5]);
    await clock.advance(60_000);
    expect(instances('pool1').every((instance) => instance.state === 'running')).toBe(true);
  });

  // hetzner 7/20
  it('waits for the budget to refill without hammering, and finishes the growth', async () => {
    const { provider, signal, run, cloud, clock } = await startHarness(ONE_POOL);
    cloud.setRateLimit(3_600, 0);
    const startMs = clock.now();
    await run(provider.increaseSize('pool1', 3, signal));
    await clock.advance(60_000);
    expect(cloud.servers().map((server) => server.status)).toEqual(['running', 'running', 'running']);
    const sent = cloud.calls({ sinceMs: startMs });
    const refused = sent.filter((call) => call.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    const paced = sent.filter((call) => call.atMs > refused[0]!.atMs);
    for (const [index, call] of paced.entries()) {
      if (index > 0) expect(call.atMs - paced[index - 1]!.atMs).toBeGreaterThanOrEqual(1_000);
    }
  });

  it('cancels the youngest orders that no server exists for, and refuses to touch servers', async () => {
    const { provider, signal, run, cloud, clock, group } = await startHarness(ONE_POOL);
    await run(provider.increaseSize('pool1', 1, signal));
    await clock.advance(60_000);
    cloud.faults.add({ match: { method: 'POST' }, action: { kind: 'delay', ms: 20_000 } });
    await run(provider.increaseSize('pool1', 2, signal));
    expect(group('pool1').targetSize).toBe(3);
    expect(await failureOf(provider.decreaseTargetSize('pool1', 3))).toMatchObject({
      code: 'existing-nodes',
      message: 'attempt to delete existing nodes targetSize:3 delta:-3 existingNodes:1',
    });
    await provider.decreaseTargetSize('pool1', 2);
    expect(group('pool1').targetSize).toBe(1);
    await clock.advance(120_000);
    expect(cloud.servers()).toHaveLength(1);
    expect(cloud.invariants()).toEqual([]);
  });

  it('writes nothing after cleanup, and the next start takes over what was begun', async () => {
    const first = await startHarness({
      ...ONE_POOL,
      pools: { pool1: { subnetIPRange: '10.20.1.0/24' } },
      variables: { HCLOUD_NETWORK: 'cluster-net' },
    });
    await first.run(first.provider.increaseSize('pool1', 1, first.signal));
    await first.clock.advance(2_000);
    await first.run(first.provider.cleanup());
    const endMs = first.clock.now();
    await first.clock.advance(10 * 60_000);
    expect(first.cloud.calls({ sinceMs: endMs + 1 })).toEqual([]);
    expect(await failureOf(first.provider.increaseSize('pool1', 1, first.signal))).toMatchObject({
      code: 'closed',
    });

    const second = await startHarness({ ...ONE_POOL, world: first });
    expect(second.group('pool1').targetSize).toBe(1);
    expect(second.instances('pool1')).toMatchObject([{ state: 'creating', failure: null }]);
  });

  it('lets a creation on the wire finish at cleanup, so that its server has an owner', async () => {
    const { provider, signal, clock, cloud, run } = await startHarness(ONE_POOL);
    cloud.faults.add({ match: { method: 'POST' }, action: { kind: 'delay', ms: 3_000 } });
    const growing = provider.increaseSize('pool1', 4, signal);
    await clock.settle();
    await run(provider.cleanup());
    expect(await growing).toMatchObject({ accepted: 1, failure: { code: 'aborted' } });
    expect(cloud.servers()).toHaveLength(1);
    expect(cloud.servers()[0]?.labels['hcloud/node-group']).toBe('pool1');
    await clock.advance(600_000);
    expect(cloud.calls({ method: 'POST' })).toHaveLength(1);
  });

  it('creates no more servers than their placement group has room for', async () => {
    const { provider, signal, run, cloud, calls } = await startHarness({
      nodes: ['0:5:cx33:fsn1:pool1'],
      pools: { pool1: { placementGroup: '991' } },
    });
    const result = await run(provider.increaseSize('pool1', 4, signal));
    expect(result).toMatchObject({
      accepted: 2,
      failure: { kind: 'stock-out', code: 'placement-group-full' },
    });
    expect(calls('POST', '/servers')).toHaveLength(2);
    expect(cloud.invariants()).toEqual([]);
  });

  it('waits for the machines in the blocking mode', async () => {
    const { provider, signal, run, instances } = await startHarness({
      ...ONE_POOL,
      variables: { HCLOUD_ASYNC_SCALE_UP: 'false' },
    });
    expect(await run(provider.increaseSize('pool1', 2, signal))).toEqual({ accepted: 2, failure: null });
    expect(instances('pool1').map((instance) => instance.state)).toEqual(['running', 'running']);
  });
});
