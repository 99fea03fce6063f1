import type { ApiRequest, ApiTransport } from '../../../src/adapters/kubernetes/connection/api-transport.js';
import { NodePods } from '../../../src/adapters/kubernetes/writing/node-pods.js';

const pod = (name: string, cpu = '1') => ({
  metadata: { name, uid: `uid-${name}`, namespace: 'default' },
  spec: { nodeName: 'n', containers: [{ name: 'c', resources: { requests: { cpu } } }] },
});

/** Reads node `n` where the server answers so. */
function read(answer: unknown, asked: ApiRequest[] = []) {
  const send = (request: ApiRequest) => {
    asked.push(request);
    return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(answer) });
  };
  return new NodePods({ send } as unknown as ApiTransport).read('n');
}

describe('the pods of a node', () => {
  it('are asked for without finished ones', async () => {
    const asked: ApiRequest[] = [];
    const pods = await read({ kind: 'PodList', metadata: {}, items: [pod('a'), pod('b')] }, asked);
    expect(pods.map(({ name }) => name)).toEqual(['a', 'b']);
    const url = new URL(asked[0]!.path, 'http://server');
    expect([url.pathname, url.searchParams.get('fieldSelector')]).toEqual([
      '/api/v1/pods',
      'spec.nodeName=n,status.phase!=Succeeded,status.phase!=Failed',
    ]);
  });

  it('may be none', async () => {
    expect(await read({ kind: 'PodList', items: null })).toEqual([]);
  });

  // W6: the node must not look emptier than it is
  it.each<[string, unknown]>([
    ['a pod that can not be read', { kind: 'PodList', items: [pod('a'), pod('b', 'much')] }],
    ['an answer that is no list', { kind: 'Status', status: 'Success' }],
    ['an answer of nothing', {}],
    ['a list that goes on', { kind: 'PodList', metadata: { continue: 'x' }, items: [pod('a')] }],
  ])('are not told after %s', async (_what, answer) => {
    await expect(read(answer)).rejects.toMatchObject({ name: 'ClusterWriteError', code: 'invalid' });
  });
});
