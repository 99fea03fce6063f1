import { applyFaultDocument, CLUSTER_FAULTS, frontWithAdmin } from '../../../src/sandbox/kubernetes/index.js';
import type { KubernetesCluster } from '../../../src/sandbox/kubernetes/index.js';
import { call, machine, podManifest, readyNode, send, stage, WatchReader } from './support.js';

const PODS = '/api/v1/namespaces/default/pods';

function names(body: any): string[] {
  return body.items.map((item: any) => item.metadata.name);
}

describe('faults of the API server', () => {
  it('answers in the place of the server, with the Status that goes with the number', async () => {
    const { cluster } = stage();
    applyFaultDocument(cluster, {
      method: 'GET',
      path: '/pods$',
      times: 1,
      action: { kind: 'answer', status: 429, message: 'slow down', retryAfterSeconds: 2 },
    });
    const response = await send(cluster, 'GET', PODS);
    expect([response.status, response.headers['retry-after']]).toEqual([429, '2']);
    expect(JSON.parse(response.body as string)).toMatchObject({
      kind: 'Status',
      reason: 'TooManyRequests',
      message: 'slow down',
      details: { retryAfterSeconds: 2 },
    });
    expect((await send(cluster, 'GET', PODS)).status).toBe(200);
  });

  it('does its work, and loses the reply', async () => {
    const { cluster } = stage();
    applyFaultDocument(cluster, { method: 'POST', times: 1, action: { kind: 'cut-after' } });
    expect((await send(cluster, 'POST', PODS, { body: podManifest('p') })).cut).toBe(true);
    expect(cluster.pod('p')).toBeDefined();
    expect(cluster.requests.list().map(({ method, status }) => [method, status])).toEqual([['POST', 0]]);
  });

  it('is slow', async () => {
    const { cluster, clock } = stage();
    applyFaultDocument(cluster, { times: 1, action: { kind: 'delay', ms: 5_000 } });
    const startedMs = clock.now();
    await clock.complete(send(cluster, 'GET', PODS));
    expect(clock.now() - startedMs).toBe(5_000);
  });

  it('is away for a while', async () => {
    const { cluster, clock } = stage();
    const reader = await WatchReader.open(cluster, `${PODS}?watch=true`);
    applyFaultDocument(cluster, { forMs: 10_000, action: { kind: 'api-down' } });
    await clock.advance(9_000);
    expect([(await send(cluster, 'GET', PODS)).cut, reader.ended]).toEqual([true, true]);
    await clock.advance(2_000);
    expect((await send(cluster, 'GET', PODS)).status).toBe(200);
  });

  it('lets a change be overtaken by that of another object, and holds bookmarks back meanwhile', async () => {
    const { cluster, clock } = stage();
    const reader = await WatchReader.open(cluster, `${PODS}?watch=true&allowWatchBookmarks=true`);
    applyFaultDocument(cluster, { action: { kind: 'watch-reordered' } });
    cluster.create(podManifest('a'));
    cluster.create(podManifest('b'));
    // Two changes of one object keep their order.
    cluster.setPodRunning('b');
    cluster.setPodUnschedulable('b');
    await clock.advance(1_000);
    expect(reader.summary()).toEqual(['ADDED b', 'ADDED a', 'MODIFIED b', 'MODIFIED b']);
    await clock.advance(58_900);
    cluster.create(podManifest('c'));
    await clock.advance(150);
    expect(reader.summary().slice(4)).toEqual([]);
    await clock.advance(100);
    expect(reader.summary().slice(4)).toEqual(['ADDED c']);
  });

  it('brings changes late, and in order', async () => {
    const { cluster, clock } = stage();
    const reader = await WatchReader.open(cluster, `${PODS}?watch=true`);
    applyFaultDocument(cluster, { forMs: 1_000, action: { kind: 'watch-slow', ms: 3_000 } });
    cluster.create(podManifest('a'));
    await clock.advance(1_500);
    cluster.create(podManifest('b'));
    await clock.advance(1_400);
    expect(reader.summary()).toEqual([]);
    await clock.advance(200);
    expect(reader.summary()).toEqual(['ADDED a', 'ADDED b']);
  });

  it('knows half, and what is stale, of one resource', async () => {
    const { cluster } = stage();
    for (let index = 0; index < 40; index++) cluster.create(podManifest(`p-${index}`));
    cluster.create(readyNode('n1'));
    applyFaultDocument(cluster, { action: { kind: 'list-half', resource: 'pods' } });
    const half = names((await call(cluster, 'GET', PODS)).body);
    expect(half.length).toBeGreaterThan(5);
    expect(half.length).toBeLessThan(35);
    expect(names((await call(cluster, 'GET', PODS)).body)).toEqual(half);
    expect(names((await call(cluster, 'GET', '/api/v1/nodes')).body)).toEqual(['n1']);
    cluster.faults.clear();
    applyFaultDocument(cluster, { action: { kind: 'list-stale', resource: 'pods' } });
    cluster.create(podManifest('new'));
    expect(names((await call(cluster, 'GET', PODS)).body)).toHaveLength(40);
  });

  it('accepts tokens no longer', async () => {
    const { cluster } = stage();
    applyFaultDocument(cluster, { action: { kind: 'token-expired', accepted: ['t2'] } });
    const as = async (token: string): Promise<number> =>
      (await send(cluster, 'GET', PODS, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await as('t1'), await as('t2')]).toEqual([401, 200]);
  });

  it('refuses what it is told to', async () => {
    const { cluster } = stage();
    applyFaultDocument(cluster, { action: { kind: 'forbidden', verb: 'list', resource: 'pods' } });
    applyFaultDocument(cluster, { action: { kind: 'forbidden', resource: 'nodes' } });
    const status = async (path: string): Promise<number> => (await send(cluster, 'GET', path)).status;
    expect(await Promise.all([PODS, '/api/v1/nodes', '/api/v1/namespaces'].map(status))).toEqual([
      403, 403, 200,
    ]);
  });

  it('keeps the nodes of machines that are gone, as ghosts', async () => {
    const { cluster, clock, fleet } = stage({}, () => ({ joinAfterMs: 0, readyAfterMs: 0 }));
    cluster.start();
    fleet.powerOn(machine('n1'));
    await clock.advance(10_000);
    applyFaultDocument(cluster, { forMs: 10 * 60_000, action: { kind: 'ghost-nodes' } });
    fleet.remove(machine('n1'));
    await clock.advance(9 * 60_000);
    expect(cluster.node('n1')?.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe(
      'Unknown',
    );
    await clock.advance(2 * 60_000);
    expect(cluster.node('n1')).toBeUndefined();
  });

  it.each([
    [{ action: { kind: 'nonsense' } }, 'action.kind of a fault rule is one of'],
    [{ action: { kind: 'watch-cut', resource: 'pod' } }, 'no such resource: "pod"'],
    [{ action: { kind: 'watch-slow' } }, 'ms of a fault is a number'],
    [{ forMs: 5, action: { kind: 'watch-cut' } }, 'happens once'],
    [{ times: 'x', action: { kind: 'drop' } }, 'times of a fault rule is a number'],
  ])('says what is wrong with %j', (document, message) => {
    const { cluster } = stage();
    expect(() => applyFaultDocument(cluster, document)).toThrow(message);
  });

  it('asks for no version that is still to come', async () => {
    const { cluster } = stage();
    expect(await call(cluster, 'GET', `${PODS}?watch=true&resourceVersion=99999`)).toMatchObject({
      status: 504,
    });
  });
});

describe('the admin interface', () => {
  async function admin(cluster: KubernetesCluster, method: string, path: string, body = ''): Promise<any> {
    const { pathname, searchParams } = new URL(path, 'http://sandbox');
    const request = { method, path: pathname, query: searchParams, headers: {}, body };
    const response = await frontWithAdmin(cluster).handle({
      ...request,
      signal: new AbortController().signal,
    });
    return { status: response.status, body: JSON.parse(response.body as string) };
  }

  it('tells what it has', async () => {
    const { body } = await admin(stage().cluster, 'GET', '/_sandbox');
    expect(body).toMatchObject({
      endpoints: expect.arrayContaining(['POST /_sandbox/faults']),
      faults: CLUSTER_FAULTS,
    });
  });

  it('arms, lists and clears faults', async () => {
    const { cluster } = stage();
    const rules = [
      { id: 'mine', path: 'pods', action: { kind: 'answer', status: 503 } },
      { action: { kind: 'watch-duplicates' } },
    ];
    const armed = await admin(cluster, 'POST', '/_sandbox/faults', JSON.stringify({ rules }));
    expect(armed.body).toEqual({ ids: ['mine', null] });
    expect((await send(cluster, 'GET', PODS)).status).toBe(503);
    expect((await admin(cluster, 'GET', '/_sandbox/faults')).body.faults).toEqual([
      { id: 'mine', seen: 1, hits: 1 },
    ]);
    expect(cluster.faults.duplicates).toBe(1);
    await admin(cluster, 'DELETE', '/_sandbox/faults');
    expect([(await send(cluster, 'GET', PODS)).status, cluster.faults.duplicates]).toEqual([200, 0]);
  });

  it('shows state and requests, and leaves the API alone', async () => {
    const { cluster } = stage();
    cluster.create(podManifest('p'));
    await send(cluster, 'GET', PODS);
    expect((await admin(cluster, 'GET', '/_sandbox/state')).body).toMatchObject({
      objects: { pods: 1 },
      requests: 1,
    });
    expect((await admin(cluster, 'GET', '/_sandbox/requests?since=0')).body.requests).toMatchObject([
      { path: PODS },
    ]);
    expect((await admin(cluster, 'GET', PODS)).body.kind).toBe('PodList');
  });

  it.each([
    ['GET', '/_sandbox/nothing', '', 404],
    ['POST', '/_sandbox/faults', '{"action":{"kind":"x"}}', 400],
    ['POST', '/_sandbox/faults', 'no json', 400],
  ])('refuses %s %s %s', async (method, path, body, status) => {
    expect((await admin(stage().cluster, method, path, body)).status).toBe(status);
  });
});
