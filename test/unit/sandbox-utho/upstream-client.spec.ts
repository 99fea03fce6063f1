import { request } from 'undici';
import { DEFAULT_TOKEN, frontWithAdmin } from '../../../src/sandbox/utho/index.js';
import { LoopbackServer } from '../../../src/sandbox/http/index.js';
import { simulatedUtho } from './simulated-utho.js';
import type { SimulatedUtho } from './simulated-utho.js';

/**
 * The requests of the Go program, byte for byte, over a socket: a client built from it can be served by this world
 * (`utho` 3.6).
 */
describe('the requests of the Go program', () => {
  let utho: SimulatedUtho;
  let server: LoopbackServer;

  beforeEach(async () => {
    utho = simulatedUtho({ timings: { activeAfterMs: 0, deleteTakesMs: 0 } });
    utho.cloud.seedCluster({ id: '1111' });
    utho.cloud.seedPool(
      { id: 'pool-123', max: 3, workers: [{ cloudId: '123' }, { cloudId: '456' }] },
      '1111',
    );
    server = await LoopbackServer.listen(frontWithAdmin(utho.cloud));
  });

  afterEach(() => server.close());

  async function send(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: string | null = null,
  ): Promise<any> {
    const answer = await request(`${server.origin}/v2/${path}`, {
      method,
      body,
      headers: {
        'user-agent': 'Go-http-client/1.1',
        'accept-encoding': 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${DEFAULT_TOKEN}`,
      },
    });
    expect(answer.statusCode).toBe(200);
    return answer.body.json();
  }

  it('read the cluster', async () => {
    const { info, nodepools } = await send('GET', 'kubernetes/1111');
    expect(info.cluster.id).toBe('1111');
    expect(nodepools['pool-123']).toMatchObject({ count: '2', auto_scale: true, min_size: 1, max_size: 3 });
  });

  it('grow a pool: the names that leak into the body are ignored', async () => {
    const body = '{"ClusterId":1111,"NodePoolId":"pool-123","count":"3"}';
    expect(await send('POST', 'kubernetes/1111/nodepool/pool-123/update', body)).toMatchObject({
      status: 'success',
    });
    expect(utho.cloud.pool('pool-123', '1111')).toMatchObject({ id: 'pool-123', count: 3 });
    expect(utho.cloud.writes()).toMatchObject([
      { body, json: { count: '3', ClusterId: 1_111 }, token: 'default', status: 200 },
    ]);
  });

  it.each([
    ['ignore', 'pool-123', '10355'],
    ['apply', 'utho.com', '1'],
  ] as const)('shrink a pool, with fields that are %sd', async (extraFields, id, planId) => {
    // utho 8/34
    utho.cloud.configure({ extraFields });
    const body = '{"ClusterId":1111,"NodePoolId":"pool-123","count":"1","label":"utho.com","size":"1"}';
    const answer = await send('POST', 'kubernetes/1111/nodepool/pool-123/update', body);
    // No count: that client takes it for a failure, after the fact.
    expect(answer).toEqual({
      status: 'success',
      message: 'Node Pool updated and node count adjusted to 1',
      id: '1111',
    });
    expect(utho.cloud.pool(id, '1111')).toMatchObject({ count: 1, planId });
  });

  it('delete a worker', async () => {
    // utho 8/36
    expect(await send('DELETE', 'kubernetes/1111/nodepool/pool-123/123/delete')).toEqual({
      status: 'success',
      message: 'Node removed from the node pool.',
    });
    const { nodepools } = await send('GET', 'kubernetes/1111');
    expect(nodepools['pool-123']).toMatchObject({ count: '1', workers: [{ cloudid: '456' }] });
  });

  it.each([
    ['the how-to', '{"label":"pool-123","size":"10045","count":"1"}', 1, '10045'],
    ['the newer Terraform client', '{"count":"5","min_nodes":"2","max_nodes":"10"}', 5, '10355'],
  ])('and those of %s are served too', async (_who, body, count, planId) => {
    await send('POST', 'kubernetes/1111/nodepool/pool-123/update', body);
    expect(utho.cloud.pool('pool-123', '1111')).toMatchObject({ count, planId });
  });
});
