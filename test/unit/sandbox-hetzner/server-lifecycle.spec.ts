import { EXACT_TIMINGS, order, simulatedCloud } from './simulated-cloud.js';
import type { Options, SimulatedCloud } from './simulated-cloud.js';

const exact = (options: Options = {}): SimulatedCloud =>
  simulatedCloud({ ...options, settings: { timings: EXACT_TIMINGS, ...options.settings } });

async function created(world: SimulatedCloud, change: Record<string, unknown> = {}) {
  const reply = await world.post('/servers', order('node-1', change));
  expect(reply.status).toBe(201);
  return { id: reply.body.server.id as number, ...reply.body };
}

async function look(world: SimulatedCloud, id: number) {
  const { server } = (await world.get(`/servers/${id}`)).body;
  return `${server.status}${server.locked ? ' locked' : ''}`;
}

describe('A simulated Hetzner server', () => {
  it('goes from initializing over off and starting to running, locked until then', async () => {
    const world = exact();
    const { id, action, next_actions, server } = await created(world);
    expect(server).toMatchObject({ status: 'initializing', locked: true, name: 'node-1' });
    expect(action).toMatchObject({
      command: 'create_server',
      status: 'running',
      progress: 0,
      error: null,
      finished: null,
    });
    expect(next_actions.map((one: any) => one.command)).toEqual(['start_server']);
    await world.clock.advance(7_999);
    expect(await look(world, id)).toBe('initializing locked');
    expect(world.fleet.running()).toEqual([]);
    await world.clock.advance(1);
    expect(await look(world, id)).toBe('starting locked');
    await world.clock.advance(3_000);
    expect(await look(world, id)).toBe('running');
    expect((await world.get(`/actions/${next_actions[0].id}`)).body.action).toMatchObject({
      status: 'success',
      progress: 100,
      started: '2026-01-01T00:00:00Z',
      finished: '2026-01-01T00:00:11Z',
    });
  });

  it('is announced as a machine with its hardware, place and labels once it runs', async () => {
    const world = exact();
    const { id } = await created(world, {
      server_type: 'cax11',
      image: 'ubuntu-24.04',
      user_data: 'join',
      networks: [5500],
    });
    await world.clock.advance(11_000);
    expect(world.fleet.running()).toEqual([
      {
        providerId: `hcloud://${id}`,
        name: 'node-1',
        shape: {
          typeName: 'cax11',
          cpuCores: 2,
          memoryBytes: 4 * 1024 ** 3,
          diskBytes: 40 * 1024 ** 3,
          arch: 'arm64',
        },
        region: 'fsn1',
        zone: 'fsn1-dc14',
        labels: { team: 'a' },
        userData: 'join',
        privateIp: '10.20.2.2',
        publicIp: expect.stringMatching(/^203\.0\.113\./),
      },
    ]);
  });

  it('stays off when it was created stopped, and has no next action', async () => {
    const world = exact();
    const { id, next_actions } = await created(world, { start_after_create: false });
    expect(next_actions).toEqual([]);
    await world.clock.advance(8_000);
    expect(await look(world, id)).toBe('off');
    await world.clock.advance(60_000);
    expect(world.fleet.running()).toEqual([]);
  });

  it('shows progress that rises evenly', async () => {
    const world = exact();
    const { action } = await created(world);
    await world.clock.advance(4_000);
    expect((await world.get(`/actions/${action.id}`)).body.action.progress).toBe(50);
  });

  it('can be attached and powered on after a stopped creation', async () => {
    const world = exact();
    const { id } = await created(world, {
      start_after_create: false,
      public_net: { enable_ipv4: false, enable_ipv6: false },
    });
    await world.clock.advance(8_000);
    const early = await world.post(`/servers/${id}/actions/poweron`);
    expect([early.status, early.body.error.code]).toEqual([422, 'invalid_input']);
    const attach = await world.post(`/servers/${id}/actions/attach_to_network`, {
      network: 5500,
      ip_range: '10.20.1.0/24',
    });
    expect(attach.status).toBe(201);
    expect(attach.body.action).toMatchObject({
      command: 'attach_to_network',
      resources: [
        { id, type: 'server' },
        { id: 5500, type: 'network' },
      ],
    });
    expect((await world.get(`/servers/${id}`)).body.server.private_net).toEqual([]);
    expect((await world.post(`/servers/${id}/actions/poweron`, {})).status).toBe(423);
    await world.clock.advance(2_000);
    expect((await world.get(`/servers/${id}`)).body.server.private_net).toMatchObject([
      { network: 5500, ip: '10.20.1.2' },
    ]);
    const again = await world.post(`/servers/${id}/actions/attach_to_network`, { network: 5500 });
    expect(again.body.error.code).toBe('server_already_attached');
    expect((await world.post(`/servers/${id}/actions/poweron`)).body.action.command).toBe('start_server');
    await world.clock.advance(3_000);
    expect(await look(world, id)).toBe('running');
    expect(world.fleet.running()[0]).toMatchObject({ privateIp: '10.20.1.2', publicIp: '' });
  });

  it('is locked once more while a firewall with a label selector is applied', async () => {
    const world = exact();
    const { id } = await created(world, {
      start_after_create: false,
      labels: { 'hcloud/node-group': 'pool1' },
      firewalls: [{ firewall: 4711 }],
    });
    await world.clock.advance(8_000);
    expect(await look(world, id)).toBe('off locked');
    expect((await world.get(`/servers/${id}`)).body.server.public_net.firewalls).toEqual([
      { id: 4711, status: 'applied' },
      { id: 4713, status: 'pending' },
    ]);
    expect(
      (await world.post(`/servers/${id}/actions/attach_to_network`, { network: 5500 })).body.error.code,
    ).toBe('locked');
    await world.clock.advance(2_000);
    expect(await look(world, id)).toBe('off');
    expect(
      (await world.get(`/servers/${id}/actions?sort=id:desc`)).body.actions.map((one: any) => one.command),
    ).toEqual(['apply_firewall', 'create_server']);
  });

  it('exists and costs although its creation failed, and never starts', async () => {
    const world = exact();
    world.cloud.behaviour.failActions('create_server', { code: 'action_failed', message: 'Action failed' });
    const { id, action, next_actions } = await created(world);
    await world.clock.advance(20_000);
    expect(await look(world, id)).toBe('off');
    expect((await world.get(`/actions?id=${action.id}&id=${next_actions[0].id}`)).body.actions).toMatchObject(
      [{ status: 'error', error: { code: 'action_failed', message: 'Action failed' } }, { status: 'error' }],
    );
    expect(world.cloud.ledger.totalEur()).toBeCloseTo(0.0088);
  });

  it('vanishes after a failed creation where that is switched on', async () => {
    const world = exact({ settings: { failedCreateVanishes: true } });
    world.cloud.behaviour.failActions('create_server', { code: 'action_failed', message: 'x' });
    const { id } = await created(world);
    await world.clock.advance(20_000);
    expect((await world.get(`/servers/${id}`)).status).toBe(404);
  });

  it('powers off and on, with its machine', async () => {
    const world = exact();
    const { id } = await created(world);
    await world.clock.advance(11_000);
    expect((await world.post(`/servers/${id}/actions/poweroff`)).body.action.command).toBe('stop_server');
    expect(await look(world, id)).toBe('stopping locked');
    await world.clock.advance(2_000);
    expect(await look(world, id)).toBe('off');
    expect(world.fleet.isRunning(`hcloud://${id}`)).toBe(false);
    await world.post(`/servers/${id}/actions/poweron`);
    await world.clock.advance(3_000);
    expect(world.fleet.isRunning(`hcloud://${id}`)).toBe(true);
  });

  it.each([
    ['poweron', 'running'],
    ['poweroff', 'off'],
  ])('accepts %s again when it is %s already', async (action, status) => {
    const world = exact();
    world.cloud.seedServer({ name: 'a', id: 5, status: status as 'off' });
    const reply = await world.post(`/servers/5/actions/${action}`);
    expect(reply.status).toBe(201);
    await world.clock.advance(10);
    expect((await world.get(`/actions/${reply.body.action.id}`)).body.action.status).toBe('success');
    expect(await look(world, 5)).toBe(status);
  });

  it('shuts down in its own time, unless its guest ignores the signal', async () => {
    const world = exact();
    for (const name of ['polite', 'deaf']) world.cloud.seedServer({ name });
    const polite = world.cloud.server('polite').id;
    const deaf = world.cloud.server('deaf');
    deaf.ignoresShutdown = true;
    for (const id of [polite, deaf.id]) {
      const { action } = (await world.post(`/servers/${id}/actions/shutdown`)).body;
      await world.clock.advance(0);
      expect((await world.get(`/actions/${action.id}`)).body.action.status).toBe('success');
    }
    await world.clock.advance(15_000);
    expect(await look(world, polite)).toBe('stopping');
    await world.clock.advance(2_000);
    expect(await look(world, polite)).toBe('off');
    await world.clock.advance(600_000);
    expect(await look(world, deaf.id)).toBe('running');
  });

  it('is deleting for a moment, then gone, its name, addresses, volumes and stock free again', async () => {
    const world = exact();
    world.cloud.setStock('cx33', 'fsn1', 1);
    const { id } = await created(world, { networks: [5500], placement_group: 990 });
    await world.clock.advance(11_000);
    const volume = world.cloud.seedVolume('data', world.cloud.server(id));
    const removed: string[] = [];
    world.fleet.listen({
      poweredOn: () => undefined,
      poweredOff: () => undefined,
      removed: (machine) => removed.push(machine.providerId),
    });
    const reply = await world.remove(`/servers/${id}`);
    expect([reply.status, reply.body.action.command, reply.body.action.status]).toEqual([
      200,
      'delete_server',
      'running',
    ]);
    expect(await look(world, id)).toBe('deleting locked');
    expect((await world.remove(`/servers/${id}`)).status).toBe(423);
    await world.clock.advance(3_000);
    const gone = await world.get(`/servers/${id}`);
    expect([gone.status, gone.body.error.code]).toEqual([404, 'not_found']);
    expect((await world.remove(`/servers/${id}`)).body.error.code).toBe('not_found');
    expect(removed).toEqual([`hcloud://${id}`]);
    expect((await world.get('/primary_ips')).body.primary_ips).toEqual([]);
    expect((await world.get('/placement_groups/990')).body.placement_group.servers).toEqual([]);
    expect((await world.get(`/volumes/${volume.id}`)).body.volume.server).toBeNull();
    expect((await world.post('/servers', order('node-1', { networks: [5500] }))).status).toBe(201);
  });

  it('is protected from deletion', async () => {
    const world = exact();
    world.cloud.seedServer({ name: 'a', id: 5 });
    const uneven = await world.post('/servers/5/actions/change_protection', { delete: true });
    expect(uneven.body.error.code).toBe('invalid_input');
    await world.post('/servers/5/actions/change_protection', { delete: true, rebuild: true });
    await world.clock.advance(1_000);
    const reply = await world.remove('/servers/5');
    expect([reply.status, reply.body.error.code]).toEqual([423, 'protected']);
    expect(await look(world, 5)).toBe('running');
  });

  it.each([
    [false, 423],
    [true, 200],
  ])(
    'can be deleted during its creation only where that is switched on (%s)',
    async (deleteWhileCreating, status) => {
      const world = exact({ settings: { deleteWhileCreating } });
      const { id } = await created(world);
      expect((await world.remove(`/servers/${id}`)).status).toBe(status);
      await world.clock.advance(20_000);
      expect(world.cloud.servers()).toHaveLength(deleteWhileCreating ? 0 : 1);
      expect(world.fleet.running()).toHaveLength(deleteWhileCreating ? 0 : 1);
    },
  );

  it('comes back when its deletion failed', async () => {
    const world = exact();
    world.cloud.seedServer({ name: 'a', id: 5 });
    world.cloud.behaviour.failActions('delete_server', { code: 'unknown_error', message: 'x' });
    await world.remove('/servers/5');
    await world.clock.advance(3_000);
    expect(await look(world, 5)).toBe('running');
    expect(world.fleet.isRunning('hcloud://5')).toBe(true);
  });

  it('keeps an action that is stuck running, and the server locked', async () => {
    const world = exact();
    world.cloud.behaviour.stickActions('create_server');
    const { id, action } = await created(world);
    await world.clock.advance(3_600_000);
    expect((await world.get(`/actions/${action.id}`)).body.action).toMatchObject({
      status: 'running',
      progress: 0,
    });
    expect(await look(world, id)).toBe('initializing locked');
  });

  it('forgets finished actions after a day', async () => {
    const world = exact();
    const { action } = await created(world);
    await world.clock.advance(24 * 3_600_000);
    expect((await world.get(`/actions/${action.id}`)).status).toBe(200);
    await world.clock.advance(9_000);
    expect((await world.get(`/actions/${action.id}`)).status).toBe(404);
    expect((await world.get(`/actions?id=${action.id}`)).body.actions).toEqual([]);
  });

  it('runs without ever becoming a node: by a fault, or with an image of another architecture', async () => {
    const world = exact({ settings: { wrongArchitectureBoots: true } });
    world.cloud.behaviour.keepNodesAway((labels) => labels['team'] === 'a');
    await world.post('/servers', order('hidden'));
    await world.post('/servers', order('wrong-image', { image: 161547270 }));
    await world.post('/servers', order('fine'));
    await world.clock.advance(11_000);
    expect(world.cloud.servers().map((server) => server.status)).toEqual(['running', 'running', 'running']);
    expect(world.fleet.running().map((machine) => machine.name)).toEqual(['fine']);
  });

  it('bills every hour begun, off or not, until it is gone', async () => {
    const world = exact();
    const { id } = await created(world, { start_after_create: false });
    await world.clock.advance(90 * 60_000);
    expect(world.cloud.ledger.totalEur()).toBeCloseTo(2 * 0.0088);
    await world.remove(`/servers/${id}`);
    await world.clock.advance(10 * 3_600_000);
    expect(world.cloud.ledger.totalEur()).toBeCloseTo(2 * 0.0088);
  });

  it('is renamed and relabelled, labels as a whole', async () => {
    const world = exact();
    world.cloud.seedServer({ name: 'a', id: 5, labels: { x: '1', y: '2' } });
    world.cloud.seedServer({ name: 'b', id: 6 });
    const reply = await world.send('PUT', '/v1/servers/5', { name: 'c', labels: { z: '3' } });
    expect(reply.body.server).toMatchObject({ name: 'c', labels: { z: '3' } });
    expect((await world.send('PUT', '/v1/servers/5', { name: 'b' })).body.error.code).toBe(
      'uniqueness_error',
    );
    expect((await world.send('PUT', '/v1/servers/5', { labels: { 'a b': '' } })).body.error.code).toBe(
      'invalid_input',
    );
  });

  it('has the same history for the same seed, and another for another', async () => {
    const history = async (seed: number) => {
      const world = simulatedCloud({ seed });
      const log: string[] = [];
      world.fleet.listen({
        poweredOn: (machine) => log.push(`${world.seconds()} ${machine.providerId} ${machine.publicIp}`),
        poweredOff: () => undefined,
        removed: () => undefined,
      });
      for (const name of ['a', 'b', 'c']) await world.post('/servers', order(name));
      await world.clock.advance(60_000);
      return log;
    };
    expect(await history(1)).toEqual(await history(1));
    expect(await history(1)).not.toEqual(await history(2));
  });
});
