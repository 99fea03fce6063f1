import { parseSelector } from '../../../src/sandbox/hetzner/api/labels.js';
import { simulatedCloud } from './simulated-cloud.js';
import type { Reply } from './simulated-cloud.js';

const names = (reply: Reply, plural = 'servers'): string[] => reply.body[plural].map((one: any) => one.name);

function withServers(count: number, options = {}) {
  const world = simulatedCloud(options);
  world.cloud.setQuotas({ servers: 1000 });
  for (let index = 1; index <= count; index++) {
    world.cloud.seedServer({
      name: `s${String(index).padStart(3, '0')}`,
      labels: { half: index % 2 === 0 ? 'even' : 'odd' },
    });
  }
  return world;
}

describe('Lists of the simulated Hetzner API', () => {
  // hetzner 2.3
  it('come in pages, with numbers and links', async () => {
    const { get } = withServers(117);
    const first = await get('/servers?per_page=50');
    expect(first.body.meta.pagination).toEqual({
      page: 1,
      per_page: 50,
      previous_page: null,
      next_page: 2,
      last_page: 3,
      total_entries: 117,
    });
    const last = await get('/servers?per_page=50&page=3');
    expect(last.body.meta.pagination).toMatchObject({ page: 3, previous_page: 2, next_page: null });
    expect(names(last)).toHaveLength(17);
    expect(last.headers['link']).toBe(
      '<http://api.hetzner.cloud/v1/servers?per_page=50&page=2>; rel="prev", <http://api.hetzner.cloud/v1/servers?per_page=50&page=3>; rel="last"',
    );
    expect(names(await get('/servers?page=9'))).toEqual([]);
  });

  it('have 25 entries a page by default, 50 at most', async () => {
    const { get } = withServers(60);
    expect(names(await get('/servers'))).toHaveLength(25);
    expect((await get('/servers?per_page=500')).body.meta.pagination.per_page).toBe(50);
    for (const query of ['page=0', 'page=x', 'per_page=-1', 'per_page=1.5']) {
      expect((await get(`/servers?${query}`)).body.error?.code).toBe('invalid_input');
    }
    const strict = withServers(1, { settings: { strictPageSize: true } });
    expect((await strict.get('/servers?per_page=51')).status).toBe(422);
  });

  it('are sorted by id unless asked otherwise, by several fields, in both directions', async () => {
    const { get, cloud } = simulatedCloud();
    for (const [id, name] of [
      [30, 'a'],
      [10, 'c'],
      [20, 'b'],
    ] as const)
      cloud.seedServer({ id, name });
    expect(names(await get('/servers'))).toEqual(['c', 'b', 'a']);
    expect(names(await get('/servers?sort=name'))).toEqual(['a', 'b', 'c']);
    expect(names(await get('/servers?sort=created:desc&sort=name:desc'))).toEqual(['c', 'b', 'a']);
    for (const order of ['colour', 'id:up', 'constructor']) {
      expect((await get(`/servers?sort=${order}`)).body.error?.code).toBe('invalid_input');
    }
    expect((await get('/server_types?sort=id')).body.error.code).toBe('invalid_input');
  });

  it('come in any order without sort where that is switched on', async () => {
    const { get } = withServers(30, { settings: { shuffledDefaultOrder: true } });
    const shuffled = names(await get('/servers?per_page=50'));
    const sorted = names(await get('/servers?per_page=50&sort=id'));
    expect(shuffled).not.toEqual(sorted);
    expect([...shuffled].sort()).toEqual(sorted);
  });

  it('are filtered by exact name, by status, and by label', async () => {
    const { get, cloud } = withServers(4);
    cloud.setServerStatus('s001', 'off');
    cloud.setServerStatus('s002', 'migrating');
    expect(names(await get('/servers?name=s003'))).toEqual(['s003']);
    expect(names(await get('/servers?name=S003'))).toEqual([]);
    expect(names(await get('/servers?status=off&status=migrating'))).toEqual(['s001', 's002']);
    expect(names(await get('/servers?label_selector=half%3Deven'))).toEqual(['s002', 's004']);
    expect(names(await get('/servers?label_selector=half%3Deven&status=off&colour=red'))).toEqual([]);
  });

  it('of images leave out deprecated ones, and are filtered by type, status and architecture', async () => {
    const { get } = simulatedCloud();
    const ids = async (query: string) =>
      (await get(`/images?sort=id&${query}`)).body.images.map((one: any) => one.id);
    expect(await ids('name=ubuntu-20.04')).toEqual([]);
    expect(await ids('name=ubuntu-20.04&include_deprecated=true')).toEqual([15512617]);
    expect(await ids('architecture=x86&name=ubuntu-24.04&include_deprecated=true')).toEqual([161547269]);
    const newest = await get(
      '/images?architecture=x86&label_selector=role%3Dk8s-amd&sort=created:desc&status=available&type=snapshot',
    );
    expect(newest.body.images.map((one: any) => one.id)).toEqual([233445502, 233445501]);
  });

  it('of actions need ids, and skip unknown ones', async () => {
    const { get, post, cloud } = simulatedCloud();
    cloud.seedServer({ name: 'a', id: 5 });
    const { action } = (await post('/servers/5/actions/reboot')).body;
    const none = await get('/actions');
    expect([none.status, none.body.error.code]).toEqual([410, 'deprecated_api_endpoint']);
    const some = await get(`/actions?id=${action.id}&id=1&id=${action.id}&page=1&sort=status&sort=id`);
    expect(some.body.actions.map((one: any) => one.id)).toEqual([action.id]);
    expect((await get('/servers/5/actions?status=running&sort=id:desc')).body.actions).toHaveLength(1);
    expect((await get('/servers/6/actions')).status).toBe(404);
  });

  it.each([
    ['/locations', 'locations', 6],
    ['/server_types?per_page=50', 'server_types', 16],
    ['/networks', 'networks', 2],
    ['/firewalls', 'firewalls', 3],
    ['/ssh_keys', 'ssh_keys', 1],
    ['/placement_groups', 'placement_groups', 2],
    ['/primary_ips', 'primary_ips', 0],
    ['/volumes', 'volumes', 0],
  ])('of %s hold the fixtures', async (path, plural, count) => {
    const { get } = simulatedCloud();
    expect((await get(path)).body[plural]).toHaveLength(count);
  });

  it.each([
    ['/firewalls/4711', 'firewall', { name: 'cluster-fw' }],
    ['/networks/5500', 'network', { name: 'cluster-net', ip_range: '10.20.0.0/16' }],
    ['/ssh_keys/3301', 'ssh_key', { name: 'ops' }],
    ['/placement_groups/991', 'placement_group', { name: 'crowded', type: 'spread' }],
    ['/images/233445566', 'image', { architecture: 'arm', labels: { role: 'k8s-arm' } }],
    ['/locations/3', 'location', { name: 'hel1', network_zone: 'eu-central' }],
    ['/server_types/45', 'server_type', { name: 'cax11', architecture: 'arm', memory: 4 }],
  ])('have single entries at %s', async (path, singular, expected) => {
    const { get } = simulatedCloud();
    expect((await get(path)).body[singular]).toMatchObject(expected);
    expect((await get(path.replace(/\d+$/, '999999'))).body.error.code).toBe('not_found');
  });

  it('of prices cover more locations than a type is sold in', async () => {
    const { get } = simulatedCloud();
    const type = (await get('/server_types?name=cpx11')).body.server_types[0];
    expect(type.prices).toHaveLength(6);
    expect(type.locations.map((one: any) => one.name)).toEqual(['ash', 'hil']);
    const { pricing } = (await get('/pricing')).body;
    const cx33 = pricing.server_types.find((one: any) => one.name === 'cx33');
    expect(cx33.prices[0].price_hourly).toEqual({ net: '0.0088000000', gross: '0.0104720000000000' });
  });

  it('of data centres are gone, or as they were', async () => {
    const { get } = simulatedCloud();
    expect((await get('/datacenters')).status).toBe(410);
    const legacy = simulatedCloud({ settings: { legacyDatacenters: true } });
    expect(names(await legacy.get('/datacenters'), 'datacenters')).toContain('fsn1-dc14');
    expect((await legacy.get('/datacenters/2')).body.datacenter.name).toBe('nbg1-dc3');
  });

  it('of a project without fixtures are empty', async () => {
    const { get } = simulatedCloud({ fixtures: false });
    expect((await get('/networks')).body.networks).toEqual([]);
  });
});

describe('Placement groups of the simulated Hetzner API', () => {
  it('are created, renamed and deleted; names are unique, and members are released', async () => {
    const { get, post, send, remove, cloud } = simulatedCloud();
    const made = await post('/placement_groups', { name: 'c1', type: 'spread', labels: { a: 'b' } });
    expect(made.status).toBe(201);
    const { id } = made.body.placement_group;
    expect((await post('/placement_groups', { name: 'c1', type: 'spread' })).body.error).toMatchObject({
      code: 'uniqueness_error',
      details: { fields: [{ name: 'name' }] },
    });
    expect((await post('/placement_groups', { name: 'c2', type: 'row' })).body.error.code).toBe(
      'invalid_input',
    );
    expect(
      (await send('PUT', `/v1/placement_groups/${id}`, { name: 'c3' })).body.placement_group,
    ).toMatchObject({ name: 'c3', labels: { a: 'b' } });
    cloud.seedServer({ name: 's', id: 5, status: 'off' });
    expect((await post('/servers/5/actions/add_to_placement_group', { placement_group: id })).status).toBe(
      201,
    );
    expect((await get(`/placement_groups/${id}`)).body.placement_group.servers).toEqual([5]);
    expect((await remove(`/placement_groups/${id}`)).status).toBe(204);
    expect((await get('/servers/5')).body.server.placement_group).toBeNull();
  });

  it('take stopped servers only, ten at most, and let them go', async () => {
    const { post, cloud, clock } = simulatedCloud();
    cloud.seedServer({ name: 'on', id: 5 });
    cloud.seedServer({ name: 'off', id: 6, status: 'off' });
    const add = (id: number, group: number) =>
      post(`/servers/${id}/actions/add_to_placement_group`, { placement_group: group });
    expect((await add(5, 990)).body.error.code).toBe('server_not_stopped');
    expect((await add(6, 991)).status).toBe(201);
    await clock.advance(2000);
    expect((await add(6, 990)).body.error.code).toBe('invalid_input');
    await post('/servers/6/actions/remove_from_placement_group');
    await clock.advance(2000);
    expect(cloud.server(6).placementGroupId).toBeNull();
    for (const id of [1, 2]) cloud.project().placementGroups.get(991)!.members.add(id);
    expect((await add(6, 991)).body.error.message).toBe('placement group 991 contains already 10 servers');
  });

  it('are limited in number', async () => {
    const { post, cloud } = simulatedCloud();
    cloud.setQuotas({ placementGroups: 2 });
    expect((await post('/placement_groups', { name: 'c1', type: 'spread' })).status).toBe(403);
  });
});

describe('Primary IPs of the simulated Hetzner API', () => {
  it('are assigned to stopped servers and unassigned again', async () => {
    const { get, post, remove, cloud, clock } = simulatedCloud();
    const server = cloud.seedServer({ name: 's', id: 5, status: 'off' });
    const implicit = server.ipv4Id!;
    expect((await post(`/primary_ips/${implicit}/actions/unassign`)).status).toBe(201);
    await clock.advance(2000);
    expect((await get('/servers/5')).body.server.public_net.ipv4).toBeNull();
    const made = (
      await post('/primary_ips', { name: 'p', type: 'ipv4', assignee_id: 5, assignee_type: 'server' })
    ).body;
    expect(made.action.command).toBe('assign_primary_ip');
    await clock.advance(2000);
    expect((await get('/servers/5')).body.server.public_net.ipv4.id).toBe(made.primary_ip.id);
    expect((await remove(`/primary_ips/${made.primary_ip.id}`)).body.error.code).toBe('must_be_unassigned');
    expect((await remove(`/primary_ips/${implicit}`)).status).toBe(204);
    expect(
      (await post(`/primary_ips/${server.ipv6Id}/actions/assign`, { assignee_id: 5 })).body.error.code,
    ).toBe('primary_ip_assigned');
    cloud.setServerStatus('s', 'running');
    expect((await post(`/primary_ips/${made.primary_ip.id}/actions/unassign`)).body.error.code).toBe(
      'server_not_stopped',
    );
  });
});

describe('Label selectors of the simulated Hetzner API', () => {
  const labels = { env: 'prod', role: 'web', empty: '' };

  // hetzner 4.10, table
  it.each([
    ['env', true],
    ['!env', false],
    ['!other', true],
    ['env=prod', true],
    ['env==prod', true],
    ['env!=prod', false],
    ['other!=x', true],
    ['env in (prod,dev)', true],
    ['env notin (prod)', false],
    ['other notin (x)', true],
    ['env=prod,role=web', true],
    ['env=prod,role=db', false],
    ['empty=', true],
    ['hcloud/node-group in (a,b)', false],
    ['', true],
    [' env = prod , role in ( web , db ) ', true],
  ])('%j matches: %s', (selector, expected) => {
    expect(parseSelector(selector)(labels)).toBe(expected);
  });

  it.each([
    'env in ()',
    '=x',
    'env===x',
    'env prod',
    ',env',
    'env,',
    'env in (a',
    'env in (a,)',
    '!',
    '-env',
  ])('%j is refused, and the field is named', async (selector) => {
    const { get } = simulatedCloud();
    const reply = await get(`/servers?label_selector=${encodeURIComponent(selector)}`);
    expect(reply.status).toBe(422);
    expect(reply.body.error).toMatchObject({
      code: 'invalid_input',
      details: { fields: [{ name: 'label_selector' }] },
    });
  });
});
