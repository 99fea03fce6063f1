import { DEFAULT_CLUSTER, DEFAULT_TOKEN } from '../../../src/sandbox/utho/index.js';
import { simulatedUtho } from './simulated-utho.js';

const UNAUTHORIZED = {
  status: 'error',
  message: 'Unauthorized access. Please provide a valid API key.',
};
const NOT_FOUND = 'Sorry we unable to find this cluster or you dont have access!';
const UPDATE = `/v2/kubernetes/${DEFAULT_CLUSTER}/nodepool/pool-a/update`;

describe('an unknown cluster', () => {
  it.each([
    ['E1', 200, { status: 'error', message: 'Invalid Cluster ID or Security Group ID.' }],
    ['E4', 200, { rcode: 'error', message: NOT_FOUND }],
    ['404', 404, { status: 'error', message: NOT_FOUND }],
  ] as const)('is refused in shape %s', async (unknownCluster, status, body) => {
    // utho 8/16
    const utho = simulatedUtho({ unknownCluster });
    for (const [method, path] of [
      ['GET', '/v2/kubernetes/99'],
      ['POST', '/v2/kubernetes/99/nodepool/pool-a/update'],
    ] as const) {
      const reply = await utho.send(method, path, method === 'POST' ? { count: '1' } : undefined);
      expect([reply.status, reply.body]).toEqual([status, body]);
    }
  });

  it('in shape E5 looks like an empty one', async () => {
    const utho = simulatedUtho({ unknownCluster: 'E5' });
    const { body } = await utho.send('GET', '/v2/kubernetes/99');
    expect(body).toMatchObject({ info: { cluster: { id: '' } }, nodepools: [], rcode: 'success' });
    expect(body).not.toHaveProperty('status');
    expect((await utho.send('POST', '/v2/kubernetes/99/stop')).body.status).toBe('error');
  });

  it('is also one that the key may not see', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a' });
    utho.cloud.addToken('other', { clusters: ['99'] });
    const headers = { authorization: 'Bearer other' };
    const path = `/v2/kubernetes/${DEFAULT_CLUSTER}`;
    expect((await utho.send('GET', path, undefined, headers)).body).toEqual({
      rcode: 'error',
      message: NOT_FOUND,
    });
    expect((await utho.send('GET', '/v2/kubernetes', undefined, headers)).body.k8s).toEqual([]);
    const cloudId = utho.cloud.workers('pool-a')[0]!.cloudId!;
    const destroyed = await utho.send('DELETE', `/v2/cloud/${cloudId}/destroy`, undefined, headers);
    expect(destroyed.body.status).toBe('error');
  });
});

describe('a key', () => {
  it.each([
    ['401+E2', 401, UNAUTHORIZED],
    ['200+E2', 200, UNAUTHORIZED],
    ['403', 403, { status: 'error', message: expect.any(String) }],
  ] as const)('that is wrong is told so by %s', async (badToken, status, body) => {
    const utho = simulatedUtho({ badToken });
    const wrong = [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: DEFAULT_TOKEN },
      { authorization: `Bearer  ${DEFAULT_TOKEN}` },
      { authorization: `Basic ${DEFAULT_TOKEN}` },
    ];
    for (const headers of wrong) {
      const reply = await utho.send('GET', `/v2/kubernetes/${DEFAULT_CLUSTER}`, undefined, headers);
      expect([reply.status, reply.body]).toEqual([status, body]);
    }
    expect(utho.cloud.calls().map(({ token }) => token)).toEqual(wrong.map(() => null));
  });

  it('that was revoked is wrong', async () => {
    const utho = simulatedUtho();
    utho.cloud.revokeToken(DEFAULT_TOKEN);
    expect((await utho.read()).status).toBe(401);
  });

  it.each([
    ['403', 403],
    ['200', 200],
  ] as const)('that may only read is told so by %s when it writes', async (readOnlyToken, status) => {
    const utho = simulatedUtho({ readOnlyToken });
    utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }] });
    utho.cloud.setTokenWritable(DEFAULT_TOKEN, false);
    expect((await utho.read()).body.rcode).toBe('success');
    for (const reply of [await utho.update('pool-a', { count: '2' }), await utho.remove('pool-a', '11')]) {
      expect([reply.status, reply.body]).toEqual([
        status,
        { status: 'error', message: 'Unauthorized access. This API key is read only.' },
      ]);
    }
    expect(utho.cloud.events()).toEqual([]);
  });

  it('is in the journal by its name only', async () => {
    const utho = simulatedUtho();
    utho.cloud.addToken('geheim', { name: 'second' });
    await utho.send('GET', '/v2/kubernetes', undefined, { authorization: 'Bearer geheim', accept: 'a/b' });
    expect(utho.cloud.calls()).toMatchObject([{ token: 'second', headers: { accept: 'a/b' } }]);
    expect(JSON.stringify(utho.cloud.calls())).not.toContain('geheim');
  });
});

describe('a path that is not there', () => {
  it.each(['/v2/nodes', '/v1/kubernetes', '/', '/v2/kubernetes/1/nodepool/a', '/v2/kubernetes/%zz'])(
    '%s is 404',
    async (path) => {
      const utho = simulatedUtho();
      const reply = await utho.send('GET', path);
      expect([reply.status, reply.body.status]).toEqual([404, 'error']);
      expect(utho.cloud.invariants()).toEqual([expect.stringContaining('is not implemented')]);
    },
  );

  it('below /v2/cloud/ is answered with one byte', async () => {
    // utho 0, fact 8
    const reply = await simulatedUtho().send('GET', '/v2/cloud/plans/all');
    expect(reply.status).toBe(200);
    expect(reply.text).toHaveLength(1);
    expect(reply.headers['x-debug-marker']).toBe('plans-handler-v2');
  });
});

describe('an update', () => {
  it.each([
    ['a negative count', { count: '-1' }],
    ['a negative number', { count: -1 }],
    ['words', { count: 'three' }],
    ['an empty count', { count: '' }],
    ['a broken number', { count: 2.5 }],
    ['something else', { count: [3] }],
    ['too many', { count: 10_001 }],
    ['nothing', {}],
    ['fields that mean nothing', { ClusterId: 1_111 }],
  ])('with %s is refused with 200', async (_what, body) => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a' });
    const reply = await utho.update('pool-a', body);
    expect([reply.status, reply.body.status]).toEqual([200, 'error']);
    expect(utho.cloud.events()).toEqual([]);
  });

  it.each([['no JSON'], ['[1]'], ['"3"']])('of %s is refused with 400', async (body) => {
    const reply = await simulatedUtho().send('POST', UPDATE, body);
    expect([reply.status, reply.body.status]).toEqual([400, 'error']);
  });

  it.each(['3', 3, ' 3 '])('takes a count of %j', async (count) => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a' });
    await utho.update('pool-a', { count });
    expect(utho.cloud.pool('pool-a').count).toBe(3);
  });

  it('may change bounds, type and policies without a count', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', autoScale: false });
    const policies = [{ adjust: 1, type: 'cpu', value: '80' }];
    const body = { min_nodes: '2', max_nodes: '10', pool_type: 'autoscale', policies };
    expect((await utho.update('pool-a', body)).body.status).toBe('success');
    expect(await utho.pool('pool-a')).toMatchObject({
      ...{ count: '1', min_size: 2, max_size: 10, auto_scale: true, policies },
    });
  });

  it('of an unknown pool is refused', async () => {
    const reply = await simulatedUtho().update('pool-x', { count: '3' });
    expect(reply.body).toEqual({ status: 'error', message: 'Node Pool not found in this cluster.' });
  });

  it('finds a pool whose name must be encoded', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'a/b?c%d' });
    await utho.update(encodeURIComponent('a/b?c%d'), { count: '3' });
    expect(utho.cloud.pool('a/b?c%d').count).toBe(3);
    for (const { hostname } of utho.cloud.workers('a/b?c%d'))
      expect(hostname).toMatch(/^a-b-c-d-[0-9a-f]{6}$/);
  });
});

it('a deletion of an unknown worker is refused', async () => {
  const utho = simulatedUtho();
  utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }] });
  utho.cloud.seedPool({ id: 'pool-b', workers: [{ cloudId: '21' }] });
  for (const worker of ['99', '21', '0']) {
    expect((await utho.remove('pool-a', worker)).body).toEqual({
      status: 'error',
      message: 'Node not found in this node pool.',
    });
  }
  expect((await utho.remove('pool-x', '11')).body.message).toContain('not found');
});

it('a cluster that is off is read, and not written', async () => {
  // utho 4.10
  const utho = simulatedUtho();
  utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }] });
  const path = `/v2/kubernetes/${DEFAULT_CLUSTER}`;
  expect((await utho.send('POST', `${path}/stop`)).body).toEqual({
    status: 'success',
    message: 'Power off Request has been completed!',
  });
  expect((await utho.read()).body.info.cluster).toMatchObject({ status: 'Stopped', powerstatus: 'Off' });
  expect((await utho.update('pool-a', { count: '2' })).body.status).toBe('error');
  expect((await utho.remove('pool-a', '11')).body.status).toBe('error');
  expect(utho.fleet.running()).toEqual([]);
  expect((await utho.send('POST', `${path}/start`)).body.message).toBe(
    'Power on Request has been completed!',
  );
  expect((await utho.update('pool-a', { count: '2' })).body.status).toBe('success');
  expect(utho.fleet.running()).toHaveLength(2);
});
