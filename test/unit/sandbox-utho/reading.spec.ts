import { DEFAULT_TOKEN } from '../../../src/sandbox/utho/index.js';
import { simulatedUtho } from './simulated-utho.js';
import type { SimulatedUtho } from './simulated-utho.js';
import type { SettingsChange } from '../../../src/sandbox/utho/index.js';

/** Two pools: one that is scaled, with a worker that runs, one that waits and one ordered; one that is not. */
function twoPools(settings: SettingsChange = {}): SimulatedUtho {
  const utho = simulatedUtho({ timings: { visibleAfterMs: Infinity, activeAfterMs: Infinity }, ...settings });
  utho.cloud.seedPool({
    id: 'pool-a',
    ...{ min: 1, max: 5, count: 3 },
    workers: [
      { cloudId: '11', hostname: 'pool-A-a1' },
      { cloudId: '12', hostname: 'pool-A-b2', state: 'pending' },
    ],
  });
  utho.cloud.seedPool({ id: 'static', ...{ planId: '10045', autoScale: false, min: null, max: null } });
  return utho;
}

describe('the detail of a cluster', () => {
  it('has the shape of the documentation', async () => {
    // utho 3.4
    const { body, headers } = await twoPools().read();
    expect(headers['content-type']).toBe('application/json');
    expect(Object.keys(body)).toEqual([
      ...['info', 'vpc', 'nodepools', 'load_balancers', 'target_groups', 'security_groups', 'rcode'],
    ]);
    expect(body.info.cluster).toMatchObject({
      ...{ id: '701234', version: '1.32.10-utho', dcslug: 'inmumbaizone2', status: 'Active' },
      ...{ powerstatus: 'Running', nodepools: '2', vpc: 'vpc-1', created_at: '2026-01-01 00:00:00' },
      dclocation: { location: 'Mumbai', country: 'India', dc: 'inmumbaizone2', dccc: 'in' },
    });
    expect(body.info.master).toMatchObject({
      ...{ cloudid: expect.stringMatching(/^\d+$/), planid: '10045', ram: '4096', cpu: '2' },
      private_network: { ip: '10.0.0.2', vpc: 'vpc-1', vpc_network: '10.0.0.0/24' },
    });
    expect(Object.keys(body.nodepools)).toEqual(['pool-a', 'static']);
  });

  it('shows pools with their workers, but not those that were only ordered', async () => {
    const { nodepools } = (await twoPools().read()).body;
    const { workers, ...pool } = nodepools['pool-a'];
    expect(pool).toEqual({
      ...{ id: 'pool-a', size: '10355', planid: '10355', cost: 8_400, ip: '', count: '3' },
      ...{ auto_scale: true, min_size: 1, max_size: 5, policies: [] },
    });
    expect(workers).toEqual([
      {
        ...{ cloudid: '11', nodepool: 'pool-a', hostname: 'pool-A-a1', ram: '8192', cpu: '4' },
        ...{ disksize: '160', cost: '2800.00', bandwidth: '1000', planid: '10355' },
        ...{ status: 'Active', app_status: 'Installed', ip: '203.0.113.8' },
        private_network: { ip: '10.0.0.3', vpc: 'vpc-1', vpc_network: '10.0.0.0/24' },
      },
      {
        ...{ cloudid: '12', nodepool: 'pool-a', hostname: 'pool-A-b2', ram: '8192', cpu: '4' },
        ...{ disksize: '160', cost: '2800.00', bandwidth: '1000', planid: '10355' },
        ...{ status: 'Pending', app_status: 'Pending', ip: '' },
        private_network: { ip: '', vpc: '', vpc_network: '' },
      },
    ]);
    expect(nodepools['static']).not.toHaveProperty('min_size');
    expect(nodepools['static']).not.toHaveProperty('max_size');
  });

  it.each([
    ['sdk', 'Active', 'Active'],
    ['ccm', 'Installed', 'Installed'],
    ['mixed', 'Active', 'Installed'],
  ] as const)('speaks dialect %s', async (dialect, status, app_status) => {
    const [active, pending] = (await twoPools({ dialect }).pool('pool-a')).workers;
    expect(active).toMatchObject({ status, app_status });
    expect(pending).toMatchObject({ status: 'Pending', app_status: 'Pending' });
  });

  it('may leave the shape of workers out that never ran', async () => {
    const { workers } = await twoPools({ emptyPendingShape: true }).pool('pool-a');
    expect(workers.map(({ cpu, ram }: any) => [cpu, ram])).toEqual([
      ['4', '8192'],
      ['', ''],
    ]);
  });

  it.each([
    [{ readStatus: 'success' }, { status: 'success', rcode: 'success' }],
    [{ readRcode: '0' }, { rcode: '0' }],
    [{ readRcode: 'omitted' }, {}],
  ] as const)('says that it succeeded as %j has it', async (settings, expected) => {
    const { status, rcode } = (await twoPools(settings).read()).body;
    expect(JSON.parse(JSON.stringify({ status, rcode }))).toEqual(expected);
  });

  it('may leave the names of pools out of their records', async () => {
    expect(await twoPools({ poolIds: 'omitted' }).pool('pool-a')).not.toHaveProperty('id');
  });

  it('shows whatever words and fields it is told to', async () => {
    const utho = twoPools();
    utho.cloud.setWorkerWords('11', { status: 'Suspended', appStatus: '' });
    utho.cloud.distortWorker('12', { cloudid: '', cpu: null, extra: [1] });
    utho.cloud.distortPool('static', { count: 'many' });
    utho.cloud.setClusterStatus({ status: 'Destroying' });
    const { info, nodepools } = (await utho.read()).body;
    expect(info.cluster.status).toBe('Destroying');
    expect(nodepools['pool-a'].workers).toMatchObject([
      { status: 'Suspended', app_status: '' },
      { cloudid: '', cpu: null, extra: [1] },
    ]);
    expect(nodepools['static'].count).toBe('many');
    utho.cloud.setWorkerWords('11', null);
    expect((await utho.pool('pool-a')).workers[0].status).toBe('Active');
  });
});

describe('emptyCollections', () => {
  it.each([
    ['[]', []],
    ['{}', {}],
    ['null', null],
    ['omitted', undefined],
  ] as const)('%s stands for no pools, no workers and no policies', async (emptyCollections, expected) => {
    // utho 8/14
    const utho = simulatedUtho({ emptyCollections });
    expect((await utho.read()).body.nodepools).toEqual(expected);
    utho.cloud.seedPool({ id: 'pool-a', count: 0 });
    const { workers, policies } = await utho.pool('pool-a');
    expect([workers, policies]).toEqual([expected, expected]);
  });
});

describe('junkPrefix', () => {
  it.each([
    ['none', ''],
    ['newline', '\r\n\n'],
    ['BOM', '\uFEFF'],
    ['text', 'Notice: Undefined index: nodepools on line 12\n'],
  ] as const)('%s comes before the JSON of every answer', async (junkPrefix, prefix) => {
    const { cloud } = simulatedUtho({ junkPrefix });
    for (const path of ['/v2/kubernetes', '/v2/kubernetes/99', '/v2/nonsense']) {
      const headers = { authorization: `Bearer ${DEFAULT_TOKEN}` };
      const parts = { method: 'GET', path, query: new URLSearchParams(), headers, body: '' };
      // Not by a client: decoders of UTF-8 take the mark at the beginning for their own.
      const { body } = await cloud.front.handle({ ...parts, signal: new AbortController().signal });
      const start = (body as string).indexOf('{');
      expect((body as string).slice(0, start)).toBe(prefix);
      expect(JSON.parse((body as string).slice(start))).toBeInstanceOf(Object);
    }
  });
});

/** What a client makes of a pool that takes every form in which a field was ever seen (`utho` 3.5). */
function understood(pool: any): unknown {
  const number = (value: unknown) => (value === undefined || value === '' ? null : Number(value));
  const isTrue = (value: unknown) => /^(true|1|on|yes)$/i.test(String(value));
  return {
    ...{ count: number(pool.count), plan: String(pool.planid), cost: number(pool.cost) },
    ...{ autoScale: isTrue(pool.auto_scale) },
    ...{ min: number(pool.min_size ?? pool.min_nodes), max: number(pool.max_size ?? pool.max_nodes) },
    workers: pool.workers.map((worker: any) => ({
      ...{ id: String(worker.cloudid), cpu: number(worker.cpu), ram: number(worker.ram) },
      ...{ disk: number(worker.disksize), cost: number(worker.cost), plan: String(worker.planid) },
    })),
  };
}

describe('typing', () => {
  const modes = ['documented', 'strings', 'numbers', 'legacy', 'random'] as const;

  it.each([
    ['documented', ['string', 'boolean', 'number', 'string', 'number', 'string']],
    ['strings', ['string', 'string', 'string', 'string', 'string', 'string']],
    ['numbers', ['number', 'number', 'number', 'number', 'number', 'number']],
    ['legacy', ['string', 'string', 'undefined', 'string', 'string', 'number']],
  ] as const)('%s decides on the types of fields', async (typing, types) => {
    const pool = await twoPools({ typing }).pool('pool-a');
    const [worker] = pool.workers;
    const fields = [pool.count, pool.auto_scale, pool.min_size, worker.cpu, pool.cost, worker.cost];
    expect(fields.map((field) => typeof field)).toEqual(types);
  });

  it('legacy has the old names of bounds, as text', async () => {
    expect(await twoPools({ typing: 'legacy' }).pool('pool-a')).toMatchObject({
      ...{ auto_scale: '1', min_nodes: '1', max_nodes: '5' },
    });
  });

  it.each(modes)('%s loses nothing', async (typing) => {
    // utho 8/18
    const expected = (await twoPools().read()).body.nodepools;
    const { nodepools } = (await twoPools({ typing }).read()).body;
    for (const id of ['pool-a', 'static'])
      expect(understood(nodepools[id])).toEqual(understood(expected[id]));
  });

  it('random shows many forms in one answer, the same for the same seed', async () => {
    const types = new Set<string>();
    const utho = twoPools({ typing: 'random' });
    for (let read = 0; read < 40; read++) {
      const { count, auto_scale, min_size, min_nodes } = await utho.pool('pool-a');
      types.add(`count ${typeof count}`).add(`switch ${typeof auto_scale}`);
      types.add(`size ${typeof min_size}`).add(`nodes ${typeof min_nodes}`);
    }
    expect([...types].sort()).toEqual([
      ...['count number', 'count string', 'nodes string', 'nodes undefined', 'size number', 'size string'],
      ...['size undefined', 'switch boolean', 'switch number', 'switch string'],
    ]);
    const [first, second] = [twoPools({ typing: 'random' }), twoPools({ typing: 'random' })];
    expect((await first.read()).text).toBe((await second.read()).text);
  });
});
