import { EXACT_TIMINGS, order, simulatedCloud } from './simulated-cloud.js';

describe('POST /servers of the simulated Hetzner API', () => {
  it.each([
    ['a missing name', { name: undefined }, 422, 'invalid_input', /name/],
    ['an invalid name', { name: 'a_b' }, 422, 'invalid_input', /Name must be a valid hostname\./],
    ['a name that is too long', { name: 'a'.repeat(64) }, 422, 'invalid_input', /hostname/],
    ['a missing type', { server_type: undefined }, 422, 'invalid_input', /server_type/],
    ['an unknown type', { server_type: 'cx99' }, 404, 'not_found', /server_type/],
    ['an unknown image', { image: 'plan9' }, 404, 'not_found', /image/],
    ['an unknown network', { networks: [1] }, 404, 'not_found', /networks/],
    ['an unknown placement group', { placement_group: 1 }, 404, 'not_found', /placement_group/],
    ['an unknown firewall', { firewalls: [{ firewall: 1 }] }, 404, 'not_found', /firewalls/],
    ['an unknown location', { location: 'mars1' }, 404, 'not_found', /location/],
    [
      'a type that is only priced in the location',
      { server_type: 'cpx11' },
      422,
      'invalid_input',
      /unsupported location for server type/,
    ],
    ['a type past its end', { server_type: 'cx22' }, 422, 'invalid_input', /deprecated/],
    ['an image of another architecture', { image: 161547270 }, 422, 'invalid_input', /architecture/],
    [
      'an image that is too large',
      { image: 233445600 },
      422,
      'invalid_input',
      /image disk is bigger than server type disk/,
    ],
    ['an image that is not ready', { image: 233445503 }, 422, 'invalid_input', /not available/],
    ['an image that was deleted', { image: 'ubuntu-20.04' }, 422, 'invalid_input', /not available/],
    [
      'labels with a reserved prefix',
      { labels: { 'hetzner.cloud/a': 'b' } },
      422,
      'invalid_input',
      /reserved/,
    ],
    ['a label value that is too long', { labels: { a: 'b'.repeat(64) } }, 422, 'invalid_input', /label a/],
    [
      'user data that is too long',
      { user_data: 'ä'.repeat(16_385) },
      422,
      'invalid_input',
      /Length must be between 0 and 32768\./,
    ],
    [
      'a running server without any way in',
      { public_net: { enable_ipv4: false, enable_ipv6: false } },
      422,
      'invalid_input',
      /public_net/,
    ],
    [
      'a network without subnet in the zone',
      { location: 'hil', server_type: 'ccx13', networks: [5500] },
      422,
      'no_subnet_available',
      /subnet/,
    ],
    [
      'a full placement group',
      { placement_group: 991 },
      422,
      'service_error',
      /placement group 991 contains already 10 servers/,
    ],
  ])('refuses %s', async (_what, change, status, code, message) => {
    const { cloud, post } = simulatedCloud();
    for (const id of [1, 2]) cloud.project().placementGroups.get(991)!.members.add(id);
    const reply = await post('/servers', order('node-1', change));
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect(reply.body.error.message).toMatch(message);
    expect(cloud.servers()).toEqual([]);
    expect(cloud.project().primaryIps.size).toBe(0);
  });

  it.each([
    [
      'stopped without any way in',
      { start_after_create: false, public_net: { enable_ipv4: false, enable_ipv6: false } },
    ],
    ['in a network, stopped', { networks: [5500], start_after_create: false }],
    ['with user data of the largest size', { user_data: 'x'.repeat(32_768) }],
    ['with unknown fields', { colour: 'red' }],
    ['with an empty label value', { labels: { a: '' } }],
    ['without location', { location: undefined }],
    ['by ids', { server_type: 114, location: '2' }],
  ])('creates a server %s', async (_what, change) => {
    const { post } = simulatedCloud();
    expect((await post('/servers', order('node-1', change))).status).toBe(201);
  });

  it('refuses unknown fields in strict mode, and unknown ids as invalid where so set', async () => {
    const { post } = simulatedCloud({ settings: { strictFields: true, unknownReference: 'invalid_input' } });
    expect((await post('/servers', order('a', { usr_data: '' }))).body.error.details.fields[0].name).toBe(
      'usr_data',
    );
    expect((await post('/servers', order('a', { networks: [1] }))).body.error.code).toBe('invalid_input');
  });

  it('takes the image of the right architecture where a name stands for two', async () => {
    const { post } = simulatedCloud();
    const arm = await post('/servers', order('a', { server_type: 'cax11', image: 'ubuntu-24.04' }));
    expect(arm.body.server.image).toMatchObject({ id: 161547270, architecture: 'arm' });
  });

  it('shows the server as the API does', async () => {
    const { post } = simulatedCloud();
    const { server, root_password } = (
      await post('/servers', order('node-1', { placement_group: 990, ssh_keys: [] }))
    ).body;
    expect(root_password).toMatch(/^[0-9a-f]{16}$/);
    expect(server).toMatchObject({
      created: '2026-01-01T00:00:00Z',
      server_type: { name: 'cx33', cores: 4, memory: 8, disk: 80, architecture: 'x86' },
      location: { id: 1, name: 'fsn1', network_zone: 'eu-central' },
      protection: { delete: false, rebuild: false },
      placement_group: { id: 990, servers: [server.id] },
      private_net: [],
      volumes: [],
    });
    expect(server.public_net.ipv4.ip).toBe('203.0.113.1');
    expect(server.public_net.ipv6.ip).toMatch(/^2001:db8:.*::\/64$/);
    expect((await post('/servers', order('node-2'))).body.root_password).toBeNull();
  });

  it('uses given primary IPs, and refuses those that do not fit', async () => {
    const { post, get, cloud, clock } = simulatedCloud({ settings: { timings: EXACT_TIMINGS } });
    const make = async (name: string, type: string, location: string) =>
      (await post('/primary_ips', { name, type, location, assignee_type: 'server' })).body.primary_ip
        .id as number;
    const good = await make('good', 'ipv4', 'fsn1');
    const far = await make('far', 'ipv4', 'hel1');
    const six = await make('six', 'ipv6', 'fsn1');
    const withIp = (name: string, ipv4: number) => post('/servers', order(name, { public_net: { ipv4 } }));
    const reply = await withIp('a', good);
    expect(reply.body.server.public_net.ipv4.id).toBe(good);
    expect((await withIp('b', good)).body.error.code).toBe('primary_ip_assigned');
    expect((await withIp('b', six)).body.error.code).toBe('primary_ip_version_mismatch');
    expect((await withIp('b', far)).body.error.code).toBe('primary_ip_datacenter_mismatch');
    await clock.advance(20_000);
    cloud.vanishServer('a');
    expect((await get(`/primary_ips/${good}`)).body.primary_ip.assignee_id).toBeNull();
  });
});

describe('Networks of the simulated cloud', () => {
  it('hand out the lowest free host of the newest subnet, never the gateway, until they are full', async () => {
    const { post, cloud, clock, get } = simulatedCloud();
    for (let index = 0; index < 5; index++) {
      expect((await post('/servers', order(`node-${index}`, { networks: [5501] }))).status).toBe(201);
    }
    const full = await post('/servers', order('node-5', { networks: [5501] }));
    expect([full.status, full.body.error.code]).toEqual([422, 'ip_not_available']);
    await clock.advance(30_000);
    const addresses = cloud.servers().map((server) => server.nics[0]!.ip);
    expect(addresses).toEqual(['10.9.0.2', '10.9.0.3', '10.9.0.4', '10.9.0.5', '10.9.0.6']);
    cloud.vanishServer('node-2');
    await post('/servers', order('node-6', { networks: [5501] }));
    await clock.advance(30_000);
    expect(cloud.server('node-6').nics[0]!.ip).toBe('10.9.0.4');
    expect((await get('/networks/5501')).body.network.servers).toHaveLength(5);
    expect(cloud.invariants()).toEqual([]);
  });

  it('accept only an existing subnet as range, and give addresses back on detach', async () => {
    const { post, cloud, clock } = simulatedCloud();
    cloud.seedServer({ name: 'a', id: 5 });
    const wrong = await post('/servers/5/actions/attach_to_network', {
      network: 5500,
      ip_range: '10.20.3.0/24',
    });
    expect(wrong.body.error).toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ name: 'ip_range' }] },
    });
    const foreign = await post('/servers/5/actions/attach_to_network', {
      network: 5500,
      ip_range: '10.20.64.0/24',
    });
    expect(foreign.body.error.code).toBe('no_subnet_available');
    await post('/servers/5/actions/attach_to_network', { network: 5500, ip: '10.20.1.77' });
    await clock.advance(5000);
    expect(cloud.server(5).nics).toMatchObject([{ ip: '10.20.1.77' }]);
    await post('/servers/5/actions/detach_from_network', { network: 5500 });
    await clock.advance(5000);
    expect(cloud.server(5).nics).toEqual([]);
    expect(cloud.project().networks.get(5500)!.addresses.size).toBe(0);
  });

  it('hold a limited number of servers', async () => {
    const { post, cloud } = simulatedCloud();
    cloud.setQuotas({ serversPerNetwork: 1 });
    await post('/servers', order('a', { networks: [5500] }));
    const reply = await post('/servers', order('b', { networks: [5500] }));
    expect(reply.body.error.code).toBe('resource_limit_exceeded');
  });

  it('give an address back when the attachment fails', async () => {
    const { post, cloud, clock } = simulatedCloud();
    cloud.seedServer({ name: 'a', id: 5 });
    cloud.behaviour.failActions('attach_to_network', { code: 'action_failed', message: 'x' });
    await post('/servers/5/actions/attach_to_network', { network: 5500 });
    await clock.advance(5000);
    expect(cloud.project().networks.get(5500)!.addresses.size).toBe(0);
    expect(cloud.server(5).nics).toEqual([]);
  });
});

describe('Stock of the simulated cloud', () => {
  it('is used up by creates, per type and location, and comes back with deletions', async () => {
    const { post, remove, cloud, clock } = simulatedCloud();
    cloud.setStock('cx33', 'fsn1', 2);
    const statuses = [];
    for (const name of ['a', 'b', 'c']) statuses.push((await post('/servers', order(name))).status);
    expect(statuses).toEqual([201, 201, 412]);
    expect((await post('/servers', order('d', { location: 'nbg1' }))).status).toBe(201);
    expect((await post('/servers', order('e', { server_type: 'cx43' }))).status).toBe(201);
    await clock.advance(60_000);
    await remove(`/servers/${cloud.server('a').id}`);
    expect((await post('/servers', order('f'))).status).toBe(412);
    await clock.advance(10_000);
    expect((await post('/servers', order('f'))).status).toBe(201);
  });

  it.each([
    'error during placement',
    'we are unable to provision servers for this location, try with a different location or try later',
    'server location disabled',
  ] as const)('can say that it is empty: %s', async (stockMessage) => {
    const { post, cloud } = simulatedCloud({ settings: { stockMessage } });
    cloud.setStock('cx33', 'fsn1', 0);
    expect((await post('/servers', order('a'))).body.error).toMatchObject({
      code: 'resource_unavailable',
      message: stockMessage,
    });
  });

  it('can fail later, as the error of the action, without holding stock', async () => {
    const { post, get, cloud, clock } = simulatedCloud({ settings: { stockFailure: 'async' } });
    cloud.setStock('cx33', 'fsn1', 0);
    const reply = await post('/servers', order('a'));
    expect(reply.status).toBe(201);
    await clock.advance(30_000);
    const { action } = (await get(`/actions/${reply.body.action.id}`)).body;
    expect(action).toMatchObject({
      status: 'error',
      error: { code: 'resource_unavailable', message: 'error during placement' },
    });
    expect(cloud.server('a').status).toBe('off');
    cloud.vanishServer('a');
    expect(cloud.world.stock.count('cx33', 'fsn1')).toBe(0);
  });

  it('is out of reach in a closed location', async () => {
    const { post, cloud } = simulatedCloud();
    cloud.setLocationClosed('fsn1');
    expect((await post('/servers', order('a'))).body.error.message).toBe('server location disabled');
    cloud.setLocationClosed('fsn1', false);
    expect((await post('/servers', order('a'))).status).toBe(201);
  });

  it('shows in the catalogue after a lag only', async () => {
    const { get, cloud, clock } = simulatedCloud();
    const shown = async () => {
      const { server_types } = (await get('/server_types?name=cx33')).body;
      return server_types[0].locations.map((one: any) => `${one.name} ${one.available}`);
    };
    cloud.setStock('cx33', 'fsn1', 0);
    expect(await shown()).toEqual(['fsn1 true', 'nbg1 true', 'hel1 true']);
    await clock.advance(60_000);
    expect(await shown()).toEqual(['fsn1 false', 'nbg1 true', 'hel1 true']);
    cloud.setStock('cx33', 'fsn1', 5);
    await clock.advance(59_000);
    expect(await shown()).toContain('fsn1 false');
    await clock.advance(1_000);
    expect(await shown()).toContain('fsn1 true');
  });

  it('may come and go', async () => {
    const { post } = simulatedCloud({ settings: { dribbleProbability: 0.5 } });
    const statuses = new Set<number>();
    for (let index = 0; index < 30; index++)
      statuses.add((await post('/servers', order(`n-${index}`))).status);
    expect([...statuses].sort()).toEqual([201, 412]);
  });

  it('may lack a further host for a placement group', async () => {
    const { post } = simulatedCloud({ settings: { placementErrorProbability: 1 } });
    expect((await post('/servers', order('a', { placement_group: 990 }))).body.error.code).toBe(
      'placement_error',
    );
    expect((await post('/servers', order('a'))).status).toBe(201);
  });
});

describe('Quotas of the simulated cloud', () => {
  it('count servers in every state until they are gone', async () => {
    const { post, remove, cloud, clock } = simulatedCloud({ settings: { timings: EXACT_TIMINGS } });
    cloud.setQuotas({ servers: 2 });
    cloud.seedServer({ name: 'off', status: 'off' });
    await post('/servers', order('a'));
    const full = await post('/servers', order('b'));
    expect(full.status).toBe(403);
    expect(full.body.error).toEqual({
      code: 'resource_limit_exceeded',
      message: 'server limit exceeded',
      details: { limits: [{ name: 'servers' }] },
    });
    await remove(`/servers/${cloud.server('off').id}`);
    expect((await post('/servers', order('b'))).status).toBe(403);
    await clock.advance(3_000);
    expect((await post('/servers', order('b'))).status).toBe(201);
  });

  it('count primary IPs, and dedicated cores', async () => {
    const { post, cloud } = simulatedCloud();
    cloud.setQuotas({ primaryIps: 3, dedicatedCores: 4 });
    expect((await post('/servers', order('a', { server_type: 'ccx13' }))).status).toBe(201);
    expect((await post('/servers', order('b'))).body.error.message).toBe('Primary IP limit exceeded');
    const publicNet = { public_net: { enable_ipv6: false } };
    expect(
      (await post('/servers', order('b', { server_type: 'ccx23', ...publicNet }))).body.error.message,
    ).toBe('dedicated core limit exceeded');
    expect((await post('/servers', order('b', { server_type: 'ccx13', ...publicNet }))).status).toBe(201);
  });

  it('allow twice as many primary IPs as servers by default', async () => {
    const { post, cloud } = simulatedCloud();
    cloud.setQuotas({ servers: 2 });
    await post('/servers', order('a'));
    for (const name of ['x', 'y']) {
      expect((await post('/primary_ips', { name, type: 'ipv4', location: 'fsn1' })).status).toBe(201);
    }
    expect((await post('/primary_ips', { name: 'z', type: 'ipv4', location: 'fsn1' })).status).toBe(403);
  });
});
