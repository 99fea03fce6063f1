import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { call, machine, podManifest, readyNode, send, stage, workload } from './support.js';

const PODS = '/api/v1/namespaces/default/pods';

describe('admission', () => {
  it('gives a pod the priority of its class', async () => {
    const { cluster } = stage();
    cluster.apply({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 7,
    });
    const named = await call(
      cluster,
      'POST',
      PODS,
      podManifest('p', { spec: { priorityClassName: 'high' } }),
    );
    expect(named.body.spec.priority).toBe(7);
    const system = { spec: { priorityClassName: 'system-node-critical' } };
    expect((await call(cluster, 'POST', PODS, podManifest('q', system))).body.spec.priority).toBe(
      2_000_001_000,
    );
    const unknown = await call(
      cluster,
      'POST',
      PODS,
      podManifest('r', { spec: { priorityClassName: 'odd' } }),
    );
    expect(unknown).toMatchObject({
      status: 403,
      body: { message: 'pods "r" is forbidden: no PriorityClass with name odd was found' },
    });
  });

  it('adds the overhead and the nodes of a runtime class', async () => {
    const { cluster } = stage();
    cluster.apply({
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'vm' },
      handler: 'vm',
      overhead: { podFixed: { cpu: '250m' } },
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    });
    const { body } = await call(
      cluster,
      'POST',
      PODS,
      podManifest('p', { spec: { runtimeClassName: 'vm' } }),
    );
    expect(body.spec).toMatchObject({ overhead: { cpu: '250m' }, nodeSelector: { vm: 'yes' } });
    expect(body.spec.tolerations[0]).toEqual({ key: 'vm', operator: 'Exists' });
    const unknown = podManifest('q', { spec: { runtimeClassName: 'odd' } });
    expect((await call(cluster, 'POST', PODS, unknown)).status).toBe(403);
  });

  it('fills in how a deployment rolls', async () => {
    const { cluster } = stage();
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const { body } = await call(cluster, 'POST', path, workload('Deployment', 'web'));
    expect(body.spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
    });
  });
});

describe('what is not there', () => {
  it.each([
    ['GET', `${PODS}/p/log`, 501, 'the pods of the sandbox have no containers: there is no log'],
    ['POST', `${PODS}/p/exec`, 501, 'the pods of the sandbox have no containers: there is no exec'],
    ['GET', '/apis/metrics.k8s.io/v1beta1/pods', 404, 'the server could not find the requested resource'],
  ])('%s %s says so', async (method, path, status, message) => {
    const { cluster } = stage();
    expect(await call(cluster, method, path)).toMatchObject({ status, body: { message } });
  });

  it('server-side apply says so, for objects that exist and for others', async () => {
    const { cluster } = stage();
    const type = 'application/apply-patch+yaml';
    const response = await send(cluster, 'PATCH', `${PODS}/none?fieldManager=x`, { body: {}, type });
    expect(response.status).toBe(415);
    expect(response.body).toContain(
      'the sandbox has no server-side apply; use kubectl apply without --server-side',
    );
  });
});

describe('orphans', () => {
  it('are adopted by the workload that selects them', async () => {
    const { cluster, clock } = stage();
    cluster.apply(readyNode('n1'), workload('Deployment', 'web', { replicas: 2 }));
    cluster.start();
    await clock.advance(3_000);
    const before = cluster
      .pods()
      .map(({ metadata }) => metadata.uid)
      .sort();
    cluster.delete(kinds.DEPLOYMENTS, 'web', 'default', { propagationPolicy: 'Orphan' });
    await clock.advance(3_000);
    expect(cluster.list(kinds.REPLICA_SETS)[0]!.metadata.ownerReferences).toEqual([]);
    cluster.apply(workload('Deployment', 'web', { replicas: 3 }));
    await clock.advance(3_000);
    expect(cluster.list(kinds.REPLICA_SETS)).toHaveLength(1);
    expect(cluster.pods()).toHaveLength(3);
    expect(cluster.pods().map(({ metadata }) => metadata.uid)).toEqual(expect.arrayContaining(before));
  });

  it('count as replicas, also when they come later', async () => {
    const { cluster, clock } = stage();
    cluster.apply(readyNode('n1'), workload('ReplicaSet', 'web', { replicas: 1 }));
    cluster.start();
    await clock.advance(3_000);
    cluster.apply(
      podManifest('mine', { labels: { app: 'web' } }),
      podManifest('other', { labels: { app: 'x' } }),
    );
    await clock.advance(3_000);
    const active = cluster.pods().filter(({ metadata }) => metadata.labels?.['app'] === 'web');
    expect(active.filter(({ metadata }) => metadata.deletionTimestamp === undefined)).toHaveLength(1);
    expect(cluster.pod('other')!.metadata.ownerReferences).toBeUndefined();
  });
});

describe('heartbeats', () => {
  it('are given where they are asked for, and end with the machine', async () => {
    const { cluster, clock, fleet } = stage({ heartbeatMs: 10_000 }, () => ({ joinAfterMs: 0 }));
    cluster.start();
    fleet.powerOn(machine('n1'));
    await clock.advance(60_500);
    const renewed = (): string => (cluster.get(kinds.LEASES, 'n1', 'kube-node-lease') as any).spec.renewTime;
    expect(renewed()).toBe(new Date(clock.now() - 500).toISOString().replace('Z', '000Z'));
    fleet.powerOff(machine('n1'));
    const last = renewed();
    await clock.advance(60_000);
    expect(renewed()).toBe(last);
  });
});
