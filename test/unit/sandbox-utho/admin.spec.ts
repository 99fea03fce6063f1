import { request } from 'undici';
import { InProcessDispatcher } from '../../../src/sandbox/http/index.js';
import { frontWithAdmin, SCENARIOS } from '../../../src/sandbox/utho/index.js';
import { simulatedUtho } from './simulated-utho.js';
import type { SimulatedUtho } from './simulated-utho.js';

const ORIGIN = 'http://sandbox';

interface Visited extends SimulatedUtho {
  readonly ask: (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>;
}

/** A pool of two workers that run, one that is not scaled, and the admin interface. */
function visited(): Visited {
  const utho = simulatedUtho();
  const workers = [{ cloudId: '11' }, { cloudId: '12' }];
  utho.cloud.seedPool({ id: 'static', autoScale: false });
  utho.cloud.seedPool({ id: 'pool-a', workers });
  const dispatcher = new InProcessDispatcher({ clock: utho.clock }).mount(ORIGIN, frontWithAdmin(utho.cloud));
  const ask: Visited['ask'] = async (method, path, body) => {
    const text = body === undefined ? null : JSON.stringify(body);
    const answer = await request(`${ORIGIN}${path}`, { dispatcher, method: method as 'GET', body: text });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
  return { ...utho, ask };
}

describe('the admin interface', () => {
  it('says what it can do', async () => {
    const { body } = await visited().ask('GET', '/_fake');
    expect(body.endpoints).toContain('POST /_fake/pools/{name}');
    expect(body.scenarios).toEqual(Object.keys(SCENARIOS));
    expect(body.switches.typing).toContain('legacy');
    expect(body.faults).toContain('slow-body');
  });

  it('shows state, requests, events and breaches', async () => {
    const { ask, update, cloud } = visited();
    await update('pool-a', { count: '1' });
    const { body: state } = await ask('GET', '/_fake/state');
    expect(state.clusters).toMatchObject([
      { id: '701234', pools: [{ id: 'static' }, { id: 'pool-a', count: 1, workers: { length: 2 } }] },
    ]);
    expect((await ask('GET', '/_fake/requests')).body.requests).toMatchObject([
      { number: 1, method: 'POST' },
    ]);
    const { atMs } = cloud.calls()[0]!;
    expect((await ask('GET', `/_fake/requests?since=${atMs + 1}`)).body.requests).toEqual([]);
    expect((await ask('GET', '/_fake/events')).body.events).toMatchObject([
      { kind: 'count' },
      { kind: 'victim' },
    ]);
    expect((await ask('GET', `/_fake/events?since=${atMs + 1}`)).body.events).toEqual([]);
    expect((await ask('GET', '/_fake/invariants')).body.broken).toHaveLength(1);
  });

  it('changes settings, and takes a time of null for never', async () => {
    const { ask, cloud } = visited();
    await ask('POST', '/_fake/settings', {
      ...{ typing: 'random', deleteDecrements: false, readLagReads: 2, capacityMessage: 'quota' },
      timings: { activeAfterMs: null, deleteTakesMs: 5 },
    });
    expect(cloud.settings).toMatchObject({
      ...{ typing: 'random', deleteDecrements: false, readLagReads: 2, capacityMessage: 'quota' },
      timings: { visibleAfterMs: 0, activeAfterMs: Infinity, deleteTakesMs: 5 },
    });
    const { settings } = (await ask('GET', '/_fake/state')).body;
    expect(settings.timings.activeAfterMs).toBeNull();
  });

  it.each([
    ['/_fake/settings', { typing: 'wild' }, 'typing is one of documented, strings'],
    ['/_fake/settings', { typos: 1 }, "'typos' is none of"],
    ['/_fake/settings', { readLagMs: '1' }, 'readLagMs is a number'],
    ['/_fake/settings', { timings: [] }, 'timings is an object'],
    ['/_fake/settings', { timings: { bootMs: 1 } }, "'bootMs' is none of visibleAfterMs"],
    ['/_fake/scenario', { name: 'constructor' }, "no scenario 'constructor'; known: happy"],
    ['/_fake/scenario', {}, 'name is a string'],
    ['/_fake/pools', { id: 'x', planId: 5 }, 'planId is a string'],
    ['/_fake/pools/none', { count: 3 }, "has no pool 'none'"],
    ['/_fake/pools/pool-a', { counts: 3 }, "'counts' is none of"],
    ['/_fake/workers/99', { state: 'active' }, 'there is no worker 99'],
    ['/_fake/workers/11', { state: 'gone' }, 'state is one of active, failed'],
    ['/_fake/policy', { steps: 1 }, 'steps is a list'],
    ['/_fake/faults', { pth: 'x', action: { kind: 'cut-before' } }, "'pth' is none of id, method, path"],
    ['/_fake/clusters/1/power', { to: 'off' }, 'there is no cluster 1'],
    ['/_fake/clusters', {}, 'there is a cluster 701234 already'],
    ['/_fake/clusters', { name: 'x' }, "'name' is none of id, label"],
    ['/_fake/tokens', { value: 'k', readonly: true }, "'readonly' is none of value, name"],
    ['/_fake/reset', { sed: 'x' }, "'sed' is none of seed, settings"],
    ['/_fake/pools', { id: 'static' }, "has a pool 'static' already"],
    ['/_fake/pools', { id: 'x', planId: '1' }, "the catalogue has no plan '1'"],
    ['/_fake/pools', { id: 'x', workers: 1.5 }, 'workers is a whole number from 0 to 10000'],
    ['/_fake/pools/pool-a', { rename: 'static' }, "has a pool 'static' already"],
    ['/_fake/pools/pool-a', { count: -1 }, 'count is a whole number from 0 to 10000'],
    ['/_fake/policy', { steps: [{ afterMs: 1, pool: 'pool-a' }] }, 'a step has either count or change'],
    ['/_fake/policy', { steps: [{ afterMs: 1, pool: 'pool-a', to: 3 }] }, "'to' is none of afterMs, pool"],
  ])('%s refuses %j', async (path, body, message) => {
    const { ask, cloud, fleet } = visited();
    const before = structuredClone(cloud.clusters());
    const reply = await ask('POST', path, body);
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } });
    expect(cloud.clusters()).toEqual(before);
    expect(fleet.running()).toHaveLength(4);
  });

  it('knows no other paths', async () => {
    const { ask } = visited();
    expect((await ask('POST', '/_fake/nonsense')).status).toBe(404);
    expect((await ask('GET', '/_fakes')).status).toBe(404);
  });

  it('builds clusters and pools', async () => {
    const { ask, cloud } = visited();
    await ask('POST', '/_fake/clusters', { id: '5', dcslug: 'defra1' });
    expect(cloud.cluster('5')).toMatchObject({ id: '5', dcslug: 'defra1' });
    await ask('POST', '/_fake/pools', {
      id: 'new',
      planId: '10045',
      workers: 1,
      count: 2,
      min: 0,
      max: null,
    });
    expect(cloud.pool('new')).toMatchObject({ planId: '10045', count: 2, minSize: 0, maxSize: undefined });
    await ask('DELETE', '/_fake/pools/new');
    expect(cloud.hasPool('new')).toBe(false);
    await ask('POST', '/_fake/clusters/701234/power', { to: 'off' });
    expect(cloud.cluster().powerStatus).toBe('Off');
    await ask('POST', '/_fake/clusters/701234/power', { to: 'on' });
    expect(cloud.cluster().powerStatus).toBe('Running');
    await ask('DELETE', '/_fake/clusters/5');
    expect(cloud.clusters()).toHaveLength(1);
  });

  it('changes pools and workers', async () => {
    const { ask, cloud, pool } = visited();
    const change = { autoScale: false, min: 2, max: 9, capacity: 'clip', count: 3, rename: 'pool-b' };
    await ask('POST', '/_fake/pools/pool-a', change);
    expect(cloud.pool('pool-b')).toMatchObject({
      ...{ autoScale: false, minSize: 2, maxSize: 9, capacity: 'clip', count: 3 },
    });
    const waiting = cloud.workers('pool-b')[2]!.cloudId!;
    await ask('POST', `/_fake/workers/${waiting}`, { state: 'active' });
    await ask('POST', '/_fake/workers/11', { state: 'failed', message: 'disk' });
    await ask('POST', '/_fake/workers/12', { status: 'Building' });
    expect((await pool('pool-b')).workers).toMatchObject([
      { status: 'Failed', message: 'disk' },
      { status: 'Building', app_status: '' },
      { status: 'Active' },
    ]);
    await ask('DELETE', '/_fake/workers/11');
    expect(cloud.events('lost')).toMatchObject([{ workerId: '11', cause: { kind: 'console' } }]);
  });

  it('plays policies, moves time, and resets', async () => {
    const { ask, cloud, clock } = visited();
    await ask('POST', '/_fake/policy', {
      steps: [
        { afterMs: 10, pool: 'pool-a', change: 1 },
        { afterMs: 20, pool: 'pool-a', count: 2 },
      ],
    });
    const before = clock.now();
    expect((await ask('POST', '/_fake/clock/advance', { ms: 15 })).body.nowMs).toBe(before + 15);
    expect(cloud.pool('pool-a').count).toBe(3);
    await ask('POST', '/_fake/reset', { seed: 'x', settings: { dialect: 'ccm' } });
    expect(cloud.clusters()).toEqual([]);
    expect(cloud.settings.dialect).toBe('ccm');
  });

  it('arms, lists and ends faults', async () => {
    const { ask, cloud, read } = visited();
    await ask('POST', '/_fake/faults', { id: 'one', method: 'GET', action: { kind: 'bad-gateway' } });
    await ask('POST', '/_fake/faults', { rules: [{ action: { kind: 'worker-fails' } }] });
    expect((await read()).status).toBe(502);
    expect((await ask('GET', '/_fake/faults')).body.faults).toEqual([{ id: 'one', seen: 1, hits: 1 }]);
    await ask('DELETE', '/_fake/faults');
    expect((await read()).status).toBe(200);
    cloud.resizePool('pool-a', 3);
    expect((await ask('POST', '/_fake/faults', { action: { kind: 'nonsense' } })).status).toBe(400);
  });

  it('hands out keys and takes them back', async () => {
    const { ask, send } = visited();
    await ask('POST', '/_fake/tokens', { value: 'k', name: 'second', writable: false, clusters: ['701234'] });
    const headers = { authorization: 'Bearer k' };
    expect((await send('GET', '/v2/kubernetes/701234', undefined, headers)).status).toBe(200);
    expect((await send('POST', '/v2/kubernetes/701234/stop', undefined, headers)).status).toBe(403);
    await ask('DELETE', '/_fake/tokens/k');
    expect((await send('GET', '/v2/kubernetes/701234', undefined, headers)).status).toBe(401);
  });
});

/** What a scenario does to a growth of one, a read, and a deletion: enough to tell each from a healthy platform. */
const EFFECTS: Readonly<Record<string, (utho: SimulatedUtho) => Promise<unknown>>> = {
  'happy-scale-up': growth,
  'scale-down-named': deletion,
  'read-lag-3-reads': growth,
  'read-lag-60s': growth,
  'write-applied-then-reset': (utho) => growth(utho).catch(() => utho.cloud.pool('pool-a').count),
  'manual-growth': (utho) => Promise.resolve(utho.cloud.pool('pool-a').count),
  'policy-grows-pool': async (utho) => {
    await utho.clock.advance(1_000);
    return utho.cloud.pool('pool-a').count;
  },
  'quota-count-stays': growth,
  'quota-refused': growth,
  'sold-out': growth,
  'worker-failed': growthThatEnds,
  'growth-half-stuck': growthThatEnds,
  'delete-recreates': deletion,
  'delete-hits-another': deletion,
  'out-of-band-destroy': (utho) => Promise.resolve(utho.cloud.events().map(({ kind }) => kind)),
  'count-0-removes': zero,
  'count-0-empties': zero,
  'pool-renamed': poolNames,
  'pool-removed': poolNames,
  'pool-switched-off': switches,
  'all-pools-off': switches,
  'cluster-stopped': async (utho) => (await utho.read()).body.info.cluster.status,
};

async function growth(utho: SimulatedUtho): Promise<unknown> {
  const { body } = await utho.update('pool-a', { count: '3' });
  return [body.status, (await utho.pool('pool-a')).count, utho.cloud.pool('pool-a').count];
}

async function growthThatEnds(utho: SimulatedUtho): Promise<unknown> {
  await utho.update('pool-a', { count: '6' });
  await utho.clock.advance(1_000);
  return (await utho.pool('pool-a')).workers.map(({ status }: any) => status);
}

async function deletion(utho: SimulatedUtho): Promise<unknown> {
  await utho.remove('pool-a', '11');
  await utho.clock.advance(20);
  return [utho.cloud.pool('pool-a').count, utho.cloud.worker('11')?.state];
}

async function zero(utho: SimulatedUtho): Promise<unknown> {
  await utho.update('pool-a', { count: 0 });
  return utho.cloud.hasPool('pool-a');
}

async function poolNames(utho: SimulatedUtho): Promise<unknown> {
  return Object.keys((await utho.read()).body.nodepools);
}

async function switches(utho: SimulatedUtho): Promise<unknown> {
  const { nodepools } = (await utho.read()).body;
  return Object.values(nodepools).map((pool: any) => pool.auto_scale);
}

describe('the scenario', () => {
  // utho 5.4
  it.each<[string, unknown]>([
    ['happy-scale-up', ['success', '3', 3]],
    ['read-lag-3-reads', ['success', '2', 3]],
    ['read-lag-60s', ['success', '2', 3]],
    ['write-applied-then-reset', 3],
    ['manual-growth', 5],
    ['policy-grows-pool', 4],
    ['quota-count-stays', ['success', '2', 2]],
    ['quota-refused', ['error', '2', 2]],
    ['sold-out', ['error', '2', 2]],
    ['worker-failed', ['Active', 'Active', 'Failed', 'Active', 'Active', 'Active']],
    ['growth-half-stuck', ['Active', 'Active', 'Pending', 'Pending', 'Active', 'Active']],
    ['scale-down-named', [1, undefined]],
    ['delete-recreates', [2, undefined]],
    ['delete-hits-another', [1, 'active']],
    ['out-of-band-destroy', ['lost']],
    ['count-0-removes', false],
    ['count-0-empties', true],
    ['pool-renamed', ['static', 'renamed']],
    ['pool-removed', ['static']],
    ['pool-switched-off', [false, false]],
    ['all-pools-off', [false, false]],
    ['cluster-stopped', 'Stopped'],
  ])('%s', async (name, expected) => {
    const utho = visited();
    expect((await utho.ask('POST', '/_fake/scenario', { name })).status).toBe(200);
    expect(await EFFECTS[name]!(utho)).toEqual(expected);
  });

  it.each<[string, (utho: SimulatedUtho) => Promise<unknown>, unknown]>([
    ['unknown-cluster-e1', read, [200, 'error']],
    ['unknown-cluster-e4', read, [200, undefined]],
    ['unknown-cluster-e5', read, [200, undefined]],
    ['unknown-cluster-404', read, [404, 'error']],
    ['bad-token', read, [401, 'error']],
    ['read-only-token', write, [403, 'error']],
    ['refused-everywhere', read, [200, 'error']],
    ['reads-refused', read, [200, 'error']],
    ['updates-refused', write, [200, 'error']],
    ['deletions-refused', async (utho) => shape(await utho.remove('pool-a', '11')), [200, 'error']],
    ['bad-gateway-5-times', read, [502, undefined]],
    ['rate-limited-3-times', read, [429, 'error']],
  ])('%s answers %#', async (name, act, expected) => {
    const utho = visited();
    await utho.ask('POST', '/_fake/scenario', { name });
    expect(await act(utho)).toEqual(expected);
  });

  it.each(['documented', 'strings', 'numbers', 'legacy', 'random'])('typing-%s', async (typing) => {
    const { ask, cloud } = visited();
    await ask('POST', '/_fake/scenario', { name: `typing-${typing}` });
    expect(cloud.settings.typing).toBe(typing);
  });

  it.each(['ignored', 'applied'])('legacy-payload-%s', async (what) => {
    const { ask, cloud, update } = visited();
    await ask('POST', '/_fake/scenario', { name: `legacy-payload-${what}` });
    await update('pool-a', { count: '2', label: 'utho.com', size: '2' });
    expect(cloud.hasPool('utho.com')).toBe(what === 'applied');
  });

  it('broken-worker', async () => {
    const { ask, pool } = visited();
    await ask('POST', '/_fake/scenario', { name: 'broken-worker' });
    expect((await pool('pool-a')).workers).toMatchObject([
      { cloudid: '', cpu: '' },
      { cloudid: '12', cpu: '4' },
    ]);
  });

  it.each(['slow-5s', 'slow-bodies-5s'])('%s', async (name) => {
    const { ask, clock, read: readCluster } = visited();
    await ask('POST', '/_fake/scenario', { name });
    const startMs = clock.now();
    const reading = readCluster().then(() => clock.now() - startMs);
    await clock.advance(5_000);
    expect(await reading).toBe(5_000);
  });

  it('is one of those that are tested here', () => {
    const others =
      /^(unknown-cluster|typing|legacy-payload|slow)-|refused$|-everywhere$|-token$|-times$|broken-/;
    const names = Object.keys(SCENARIOS).filter((name) => !others.test(name) || name in EFFECTS);
    expect(names.sort()).toEqual(Object.keys(EFFECTS).sort());
  });

  it('needs a pool where it speaks of one', async () => {
    const { ask, cloud } = visited();
    cloud.removePool('pool-a');
    const { body } = await ask('POST', '/_fake/scenario', { name: 'pool-renamed' });
    expect(body.message).toBe('no pool of the first cluster is autoscaled');
  });
});

function shape({ status, body }: { status: number; body: any }): unknown {
  return [status, body?.status];
}

async function read(utho: SimulatedUtho): Promise<unknown> {
  return shape(await utho.read());
}

async function write(utho: SimulatedUtho): Promise<unknown> {
  return shape(await utho.update('pool-a', { count: '3' }));
}
