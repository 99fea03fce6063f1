import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import type { KubernetesCluster } from '../../../src/sandbox/kubernetes/index.js';
import { budget, call, podManifest, stage } from './support.js';
import type { Stage } from './support.js';

function addRunning(cluster: KubernetesCluster, name: string, app = 'web'): void {
  cluster.create(podManifest(name, { labels: { app } }));
  cluster.bind(name, 'n1');
  cluster.setPodRunning(name);
}

function evict(cluster: KubernetesCluster, name: string, deleteOptions?: object): ReturnType<typeof call> {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: 'default' },
    deleteOptions,
  };
  return call(cluster, 'POST', `/api/v1/namespaces/default/pods/${name}/eviction`, body);
}

/** Three web pods, and a budget that the controller has counted. */
async function budgeted(spec: object): Promise<Stage> {
  const world = stage();
  for (const name of ['w1', 'w2', 'w3']) addRunning(world.cluster, name);
  world.cluster.create(budget('web', 'web', spec));
  world.cluster.start();
  await world.clock.advance(1_000);
  return world;
}

function statusOf(cluster: KubernetesCluster): unknown {
  return cluster.get(kinds.DISRUPTION_BUDGETS, 'web')!.status;
}

describe('eviction', () => {
  it('deletes with grace where no budget stands against it', async () => {
    const { cluster } = stage();
    addRunning(cluster, 'w1');
    const { status, body } = await evict(cluster, 'w1');
    expect([status, body.status]).toEqual([201, 'Success']);
    const pod = cluster.pod('w1')!;
    expect(pod.metadata.deletionGracePeriodSeconds).toBe(30);
    expect(pod.status!.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }),
    );
  });

  it('counts in the budget, and refuses with the real 429 when it is used up', async () => {
    const { cluster } = await budgeted({ minAvailable: 2 });
    expect(statusOf(cluster)).toMatchObject({
      disruptionsAllowed: 1,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 3,
    });
    expect((await evict(cluster, 'w1')).status).toBe(201);
    expect(statusOf(cluster)).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { w1: '2026-01-01T00:00:01Z' },
    });
    const { status, body } = await evict(cluster, 'w2');
    expect(status).toBe(429);
    expect(body).toMatchObject({
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          {
            reason: 'DisruptionBudget',
            message: 'The disruption budget web needs 2 healthy pods and has 3 currently',
          },
        ],
      },
    });
    expect(cluster.pod('w2')!.metadata.deletionTimestamp).toBeUndefined();
  });

  it('allows again once the evicted pod is replaced', async () => {
    const { cluster, clock } = await budgeted({ minAvailable: 2 });
    await evict(cluster, 'w1');
    cluster.delete(kinds.PODS, 'w1', 'default', { gracePeriodSeconds: 0 });
    addRunning(cluster, 'w4');
    await clock.advance(1_000);
    expect(statusOf(cluster)).toMatchObject({ disruptionsAllowed: 1, currentHealthy: 3 });
    expect((statusOf(cluster) as any).disruptedPods).toBeUndefined();
  });

  it('asks to come back while the budget is new', async () => {
    const { cluster } = stage();
    addRunning(cluster, 'w1');
    cluster.create(budget('web', 'web', { minAvailable: 0 }));
    const { status, body } = await evict(cluster, 'w1');
    expect([status, body.details.retryAfterSeconds]).toEqual([429, 10]);
    expect(body.details.causes[0].message).toBe(
      'The disruption budget web is still being processed by the server.',
    );
  });

  it('refuses a pod of two budgets', async () => {
    const { cluster } = await budgeted({ minAvailable: 1 });
    cluster.create(budget('other', 'web', { minAvailable: 1 }));
    const { status, body } = await evict(cluster, 'w1');
    expect(status).toBe(500);
    expect(body.message).toBe(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  });

  it.each([
    [
      'a pending pod',
      (cluster: KubernetesCluster) => cluster.create(podManifest('w4', { labels: { app: 'web' } })),
    ],
    [
      'a finished pod',
      (cluster: KubernetesCluster) => {
        addRunning(cluster, 'w4');
        cluster.modify(
          kinds.PODS,
          { namespace: 'default', name: 'w4' },
          (pod) => (pod.status!.phase = 'Failed'),
          { status: true },
        );
      },
    ],
  ])('asks no budget for %s', async (_name, prepare) => {
    const { cluster } = await budgeted({ minAvailable: 4 });
    prepare(cluster);
    expect((await evict(cluster, 'w4')).status).toBe(201);
    expect(cluster.pod('w4')).toBeUndefined();
  });

  it.each([
    ['AlwaysAllow', 3, 201],
    ['IfHealthyBudget', 3, 429],
    ['IfHealthyBudget', 2, 201],
    [undefined, 2, 201],
  ])(
    'judges an unready pod by policy %s with %d pods wanted',
    async (unhealthyPodEvictionPolicy, minAvailable, code) => {
      const { cluster, clock } = await budgeted({
        minAvailable,
        ...(unhealthyPodEvictionPolicy === undefined ? {} : { unhealthyPodEvictionPolicy }),
      });
      const unready = { type: 'Ready', status: 'False' };
      cluster.modify(
        kinds.PODS,
        { namespace: 'default', name: 'w1' },
        (pod) => (pod.status!.conditions = [unready]),
        { status: true },
      );
      await clock.advance(1_000);
      expect((await evict(cluster, 'w1')).status).toBe(code);
    },
  );

  it('checks the pod’s UID', async () => {
    const { cluster } = stage();
    addRunning(cluster, 'w1');
    const { status } = await evict(cluster, 'w1', { preconditions: { uid: 'another' } });
    expect(status).toBe(409);
    expect(cluster.pod('w1')!.metadata.deletionTimestamp).toBeUndefined();
  });

  it('takes a grace period of its own', async () => {
    const { cluster } = stage();
    addRunning(cluster, 'w1');
    await evict(cluster, 'w1', { gracePeriodSeconds: 5 });
    expect(cluster.pod('w1')!.metadata.deletionGracePeriodSeconds).toBe(5);
  });

  it('says that a pod is gone', async () => {
    const { cluster } = stage();
    const { status, body } = await evict(cluster, 'w9');
    expect([status, body.message]).toEqual([404, 'pods "w9" not found']);
  });
});
