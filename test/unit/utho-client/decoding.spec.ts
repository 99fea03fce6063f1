import fc from 'fast-check';
import { readAnswer } from '../../../src/adapters/utho/client/answers.js';
import { decodeCluster, decodeClusterList } from '../../../src/adapters/utho/client/decode-cluster.js';
import { decodePlans } from '../../../src/adapters/utho/client/decode-plans.js';
import { decodePool } from '../../../src/adapters/utho/client/decode-pool.js';
import {
  readDecimal,
  readDigits,
  readFlag,
  readInteger,
  readList,
  readMap,
} from '../../../src/adapters/utho/client/lenient.js';
import { UthoError } from '../../../src/adapters/utho/client/utho-error.js';
import { clusterBody } from './scripted-api.js';

const DOCUMENTED_WORKER = {
  cloudid: '1284417',
  nodepool: 'pool-1',
  hostname: 'pool-1-a1',
  ram: '8192',
  cost: '933.50',
  cpu: '4',
  disksize: '160',
  app_status: 'Installed',
  planid: '10355',
  status: 'Active',
};
const DOCUMENTED_POOL = {
  id: 'pool-1',
  size: '10355',
  cost: 2800.5,
  planid: '10355',
  count: '3',
  auto_scale: true,
  min_size: 1,
  max_size: 5,
  policies: [],
  workers: [DOCUMENTED_WORKER],
};

const pool = (value: unknown) =>
  decodeCluster(clusterBody({ 'pool-1': value }), '701234').pools.get('pool-1');

describe('values whose types drift', () => {
  it.each([
    [3, 3],
    ['3', 3],
    [' -3\n', -3],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
    ['3.5', undefined],
    [3.5, undefined],
    ['x', undefined],
    ['9007199254740993', undefined],
    [true, undefined],
    [[], undefined],
  ])('integer of %j', (value, result) => {
    expect(readInteger(value)).toBe(result);
  });

  it.each([
    [933.5, 933.5],
    ['933.50', 933.5],
    ['INR 5', undefined],
    ['', undefined],
    [Number.NaN, undefined],
  ])('decimal of %j', (value, result) => {
    expect(readDecimal(value)).toBe(result);
  });

  it.each([
    [701234, '701234'],
    ['701234', '701234'],
    [' 701234\n', '701234'],
    ['99999999999999999999', '99999999999999999999'],
    [-1, ''],
    ['-1', ''],
    [1.5, ''],
    ['pool', ''],
    [null, ''],
  ])('digits of %j', (value, result) => {
    expect(readDigits(value)).toBe(result);
  });

  it.each([true, 1, '1', 'true', 'TRUE', 'on', 'Yes', ' yes '])('%j is yes', (value) => {
    expect(readFlag(value)).toBe(true);
  });

  it.each([false, 0, '0', '', 'off', 'no', 'enabled', null, undefined, 2, [], {}])('%j is no', (value) => {
    expect(readFlag(value)).toBe(false);
  });

  it('takes an empty list for an empty object, and an object for a list with gaps', () => {
    expect([[], {}, null, undefined].map(readMap)).toEqual([{}, {}, {}, {}]);
    expect([[1], 'x', 7].map(readMap)).toEqual([undefined, undefined, undefined]);
    expect([[], {}, null, undefined, { 0: 'a', 2: 'b' }].map(readList)).toEqual([[], [], [], [], ['a', 'b']]);
    expect(['x', 7, true].map(readList)).toEqual([undefined, undefined, undefined]);
  });
});

describe('cluster of the Utho API', () => {
  it('is read as documented', () => {
    const answer = {
      info: {
        cluster: {
          id: '701234',
          label: 'MyK8S-demo',
          dcslug: 'inmumbaizone2',
          status: 'Active',
          powerstatus: 'Running',
          vpc: 'vpc-1',
        },
        master: { cloudid: '1284400' },
      },
      vpc: [{ id: 'vpc-2' }],
      nodepools: { 'pool-1': DOCUMENTED_POOL },
      load_balancers: [{ id: {} }],
      rcode: 'success',
    };
    expect(decodeCluster(answer, '701234')).toEqual({
      id: '701234',
      label: 'MyK8S-demo',
      dcslug: 'inmumbaizone2',
      vpc: 'vpc-1',
      status: 'Active',
      powerStatus: 'Running',
      masterId: '1284400',
      brokenPools: [],
      pools: new Map([
        [
          'pool-1',
          {
            id: 'pool-1',
            planId: '10355',
            count: 3,
            autoScale: true,
            minSize: 1,
            maxSize: 5,
            policyCount: 0,
            problems: [],
            workers: [
              {
                id: '1284417',
                hostname: 'pool-1-a1',
                status: 'Active',
                appStatus: 'Installed',
                planId: '10355',
                cpu: 4,
                ramMb: 8192,
                diskGb: 160,
                cost: 933.5,
                message: '',
              },
            ],
          },
        ],
      ]),
    });
  });

  it('finds data centre and network also where they stand elsewhere', () => {
    const cluster = decodeCluster(
      {
        info: { cluster: { id: 701234, dclocation: { dc: 'innoida' } }, master: [] },
        vpc: [{ id: 'vpc-2' }],
      },
      '701234',
    );
    expect(cluster).toMatchObject({ dcslug: 'innoida', vpc: 'vpc-2', masterId: '', status: '' });
  });

  // utho 8/14
  it.each([[[]], [{}], [null], [undefined]])('has no pools for %j', (nodepools) => {
    expect(decodeCluster(clusterBody(nodepools), '701234').pools.size).toBe(0);
  });

  // utho 8/16
  it.each([
    [{}, 'notFound'],
    [{ info: [] }, 'notFound'],
    [{ info: { cluster: [] }, nodepools: [] }, 'notFound'],
    [{ info: { cluster: { id: '' } }, nodepools: {} }, 'notFound'],
    [{ info: { cluster: { id: '701235' } }, nodepools: {} }, 'api'],
    [clusterBody('none'), 'api'],
    [clusterBody([DOCUMENTED_POOL]), 'api'],
  ])('is no cluster: %j', (answer, errorClass) => {
    let thrown: unknown;
    try {
      decodeCluster(answer, '701234');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UthoError);
    expect(thrown).toMatchObject({ class: errorClass, outcome: 'refused' });
  });

  // utho 8/18
  it.each([
    ['strings', { count: '3', auto_scale: '1', min_size: '1', max_size: '5', workers: [DOCUMENTED_WORKER] }],
    [
      'numbers',
      {
        count: 3,
        auto_scale: 1,
        planid: 10355,
        size: 10355,
        cost: '2800.50',
        workers: [
          {
            ...DOCUMENTED_WORKER,
            cloudid: 1284417,
            ram: 8192,
            cpu: 4,
            disksize: 160,
            planid: 10355,
            cost: 933.5,
          },
        ],
      },
    ],
    [
      'legacy',
      {
        auto_scale: '1',
        min_size: undefined,
        max_size: undefined,
        min_nodes: '1',
        max_nodes: '5',
        id: undefined,
      },
    ],
    ['gaps', { workers: { 1: DOCUMENTED_WORKER }, policies: {} }],
  ])('gives the same pool for the typing %s', (_, changes) => {
    expect(pool({ ...DOCUMENTED_POOL, ...changes })).toEqual(pool(DOCUMENTED_POOL));
  });

  // utho 8/19
  it('drops a worker without a usable id and keeps one that has no size yet', () => {
    const broken = { ...DOCUMENTED_WORKER, cloudid: '' };
    const pending = { cloudid: '8', cpu: '', ram: '0', status: 'Pending', planid: null };
    const other = { ...DOCUMENTED_POOL, count: 1 };
    const cluster = decodeCluster(
      clusterBody({ 'pool-1': { ...DOCUMENTED_POOL, workers: [DOCUMENTED_WORKER, broken, pending] }, other }),
      '701234',
    );
    expect(cluster.pools.get('pool-1')?.problems).toEqual(['worker 2 has no usable cloudid: ""']);
    expect(cluster.pools.get('pool-1')?.workers).toMatchObject([
      { id: '1284417' },
      { id: '8', cpu: undefined, ramMb: undefined, diskGb: undefined, planId: '', status: 'Pending' },
    ]);
    expect(cluster.pools.get('other')).toMatchObject({ count: 1, problems: [] });
    expect(cluster.brokenPools).toEqual([]);
  });

  // utho 8/42
  it('drops 0, negative ids and duplicates', () => {
    const ids = ['123', '0', -1, '456', 123, 'abc', null, { cloudid: 'x' }];
    const decoded = pool({
      ...DOCUMENTED_POOL,
      workers: [...ids.map((cloudid) => ({ cloudid })), 'text', null],
    });
    expect(decoded?.workers.map((worker) => worker.id)).toEqual(['123', '456']);
    expect(decoded?.problems).toHaveLength(7);
  });

  it.each([
    [null, 'it is no object'],
    ['pool', 'it is no object'],
    [[], 'it is no object'],
    [{ ...DOCUMENTED_POOL, count: undefined }, 'its count (missing) is not a number of workers'],
    [{ ...DOCUMENTED_POOL, count: '' }, 'its count "" is not a number of workers'],
    [{ ...DOCUMENTED_POOL, count: -1 }, 'its count -1 is not a number of workers'],
    [{ ...DOCUMENTED_POOL, workers: 'three' }, 'its workers "three" are no list'],
  ])('keeps a broken pool apart: %j', (value, problem) => {
    const cluster = decodeCluster(clusterBody({ bad: value, good: DOCUMENTED_POOL }), '701234');
    expect([...cluster.pools.keys()]).toEqual(['good']);
    expect(cluster.brokenPools).toEqual([{ id: 'bad', problem }]);
  });

  it('keeps words, bounds and plans as they are', () => {
    const workers = [{ cloudid: 1, status: ' Exploded ', app_status: 'Fancy', message: 'no disk' }];
    const decoded = decodePool('p', {
      count: 0,
      size: 'basic',
      policies: [{}, {}],
      workers,
      max_size: 'many',
    });
    expect(decoded).toMatchObject({
      planId: 'basic',
      count: 0,
      autoScale: false,
      minSize: undefined,
      maxSize: undefined,
      policyCount: 2,
      workers: [{ status: 'Exploded', appStatus: 'Fancy', message: 'no disk' }],
    });
  });
});

describe('lists of the Utho API', () => {
  it('names clusters by id and label', () => {
    const answer = {
      k8s: [{ id: '701234', hostname: 'demo' }, { id: 7, label: 'x' }, { hostname: 'no id' }, null],
    };
    expect(decodeClusterList(answer)).toEqual([
      { id: '701234', label: 'demo' },
      { id: '7', label: 'x' },
    ]);
    expect(decodeClusterList({})).toEqual([]);
  });

  it('reads plans of both catalogues and leaves out those without a size', () => {
    const plans = [
      { id: '10355', slug: 'basic', disk: '160', ram: '8192', cpu: '4', price: 2800, is_available: 'YES' },
      { id: 10400, slug: 'gpu', disk: '0', ram: 16384, cpu: 8, price: '9000.50', is_available: 'NO' },
      { id: '10045', disk: null, ram: '4096', cpu: '2', monthly: 900 },
      { id: '1', ram: '', cpu: '2' },
      { ram: '4096', cpu: '2' },
      null,
    ];
    expect(decodePlans({ plans })).toEqual([
      { id: '10355', cpu: 4, ramMb: 8192, diskGb: 160, price: 2800 },
      { id: '10400', cpu: 8, ramMb: 16384, diskGb: 0, price: 9000.5 },
      { id: '10045', cpu: 2, ramMb: 4096, diskGb: 0, price: 900 },
    ]);
    expect(decodePlans({ plans: 'none' })).toEqual([]);
  });
});

describe('whatever the Utho API answers', () => {
  /** What a reader made of it; only a UthoError may leave. */
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work();
    } catch (error) {
      expect(error).toBeInstanceOf(UthoError);
      return null;
    }
  };
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('', '0', '-1', '1', ' 7 ', 'true', -0, 1e300, 0.5, '1e3', '9'.repeat(30)),
  );
  const record = (keys: readonly string[]) =>
    fc.record(Object.fromEntries(keys.map((key) => [key, odd])), { requiredKeys: [] });
  const worker = fc.oneof(odd, record(['cloudid', 'hostname', 'status', 'planid', 'cpu', 'ram', 'cost']));
  const oddPool = fc
    .tuple(
      record(['count', 'auto_scale', 'min_size', 'max_size', 'min_nodes', 'size', 'policies', 'workers']),
      fc.option(fc.array(worker), { nil: undefined }),
    )
    .map(([members, workers]) => (workers === undefined ? members : { count: 3, ...members, workers }));

  it('is read as numbers of workers and ids, or refused', () => {
    const pools = fc.dictionary(fc.string(), fc.oneof(odd, oddPool), { noNullPrototype: true });
    let taken = 0;
    fc.assert(
      fc.property(pools, fc.oneof(odd, record(['cluster', 'master'])), (nodepools, vpc) => {
        const text = JSON.stringify(clusterBody({ ...nodepools, good: DOCUMENTED_POOL }, { vpc }));
        const answer = readAnswer({ status: 200, headers: {}, text }, 'GET');
        const { pools: read, brokenPools } = decodeCluster(answer, '701234');
        expect(read.size + brokenPools.length).toBe(new Set([...Object.keys(nodepools), 'good']).size);
        expect(read.get('good')).toEqual({ ...pool(DOCUMENTED_POOL), id: 'good' });
        for (const { count, minSize = 0, maxSize = 0, workers } of read.values()) {
          expect([count, minSize, maxSize].every(Number.isSafeInteger)).toBe(true);
          expect(count).toBeGreaterThanOrEqual(0);
          const ids = workers.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of ids) expect(id).toMatch(/^\d*[1-9]\d*$/);
          for (const { cpu = 1, ramMb = 1, diskGb = 1 } of workers) {
            expect(Math.min(cpu, ramMb, diskGb)).toBeGreaterThan(0);
          }
          taken++;
        }
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(300);
  });

  it('ends in a record or in an error of the API', () => {
    const envelope = record(['info', 'nodepools', 'status', 'rcode', 'message', 'errors', 'k8s', 'plans']);
    fc.assert(
      fc.property(fc.oneof(odd, envelope), fc.constantFrom(200, 204, 302, 400, 404, 500), (body, status) => {
        const answer = attempt(() => readAnswer({ status, headers: {}, text: JSON.stringify(body) }, 'GET'));
        if (answer === null) return;
        attempt(() => decodeCluster(answer, '701234'));
        decodeClusterList(answer);
        decodePlans(answer);
      }),
      { numRuns: 300 },
    );
  });

  it('ends so for any bytes, too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        attempt(() => readAnswer({ status: 200, headers: {}, text }, 'GET'));
      }),
    );
  });
});
