import { kinds, RUN_FOR, EXIT_CODE } from '../../../src/sandbox/kubernetes/index.js';
import type { Manifest, Pod } from '../../../src/sandbox/kubernetes/index.js';
import { budget, call, machine, podManifest, stage, workload } from './support.js';
import type { Stage } from './support.js';

const MINUTE = 60_000;

/** A started cluster with so many nodes of 2 cores, all ready. */
async function running(nodes = 2): Promise<Stage> {
  const world = stage({}, () => ({ joinAfterMs: 0, readyAfterMs: 0 }));
  world.cluster.start();
  for (let index = 1; index <= nodes; index++) world.fleet.powerOn(machine(`n${index}`));
  await world.clock.advance(10_000);
  return world;
}

function states(pods: readonly Pod[]): string[] {
  return pods
    .map(({ metadata, spec, status }) => `${metadata.name} ${spec.nodeName ?? '-'} ${status?.phase ?? ''}`)
    .sort();
}

describe('deployments', () => {
  it('run through a ReplicaSet, and follow their size', async () => {
    const { cluster, clock } = await running();
    cluster.create(workload('Deployment', 'web', { replicas: 3 }));
    await clock.advance(10_000);
    expect(cluster.pods().map((pod) => pod.status!.phase)).toEqual(['Running', 'Running', 'Running']);
    const [set] = cluster.list(kinds.REPLICA_SETS);
    expect(set!.metadata.name).toMatch(/^web-[a-z0-9]+$/);
    expect(cluster.pods()[0]!.metadata.ownerReferences).toMatchObject([
      { kind: 'ReplicaSet', name: set!.metadata.name, controller: true },
    ]);
    cluster.scaleDeployment('web', 1);
    await clock.advance(10_000);
    expect(cluster.pods()).toHaveLength(1);
    expect(cluster.get(kinds.DEPLOYMENTS, 'web')!.status).toMatchObject({
      replicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
    });
  });

  it('roll to a new template without falling below their size', async () => {
    const { cluster, clock } = await running();
    cluster.create(workload('Deployment', 'web', { replicas: 4 }));
    await clock.advance(10_000);
    cluster.modify(kinds.DEPLOYMENTS, { namespace: 'default', name: 'web' }, (draft) => {
      draft.spec.template.spec.containers[0]!.image = 'app:2';
    });
    let fewest = Infinity;
    for (let step = 0; step < 60; step++) {
      await clock.advance(1_000);
      const ready = cluster.get(kinds.DEPLOYMENTS, 'web')!.status!.readyReplicas ?? 0;
      fewest = Math.min(fewest, ready);
    }
    expect(cluster.pods().map((pod) => pod.spec.containers[0]!.image)).toEqual(Array(4).fill('app:2'));
    expect(fewest).toBeGreaterThanOrEqual(3);
  });

  it('replace a pod that is evicted', async () => {
    const { cluster, clock } = await running();
    cluster.create(workload('Deployment', 'web', { replicas: 2 }));
    await clock.advance(10_000);
    const { name, uid } = cluster.pods()[0]!.metadata;
    await call(cluster, 'POST', `/api/v1/namespaces/default/pods/${name}/eviction`, { metadata: { name } });
    await clock.advance(10_000);
    expect(cluster.pods()).toHaveLength(2);
    expect(cluster.pods().some((pod) => pod.metadata.uid === uid)).toBe(false);
  });

  it('leave nothing behind', async () => {
    const { cluster, clock } = await running();
    cluster.create(workload('Deployment', 'web', { replicas: 2 }));
    await clock.advance(10_000);
    cluster.delete(kinds.DEPLOYMENTS, 'web');
    await clock.advance(10_000);
    expect([cluster.pods(), cluster.list(kinds.REPLICA_SETS)]).toEqual([[], []]);
  });

  it('leave their pods when these are to be orphaned, and go last in the foreground', async () => {
    const { cluster, clock } = await running();
    cluster.create(workload('ReplicaSet', 'a', { replicas: 1 }));
    cluster.create(workload('ReplicaSet', 'b', { replicas: 1 }));
    await clock.advance(10_000);
    cluster.delete(kinds.REPLICA_SETS, 'a', 'default', { propagationPolicy: 'Orphan' });
    cluster.delete(kinds.REPLICA_SETS, 'b', 'default', { propagationPolicy: 'Foreground' });
    await clock.advance(500);
    expect(cluster.list(kinds.REPLICA_SETS).map((set) => set.metadata.name)).toEqual(['b']);
    await clock.advance(10_000);
    expect(cluster.list(kinds.REPLICA_SETS)).toEqual([]);
    expect(cluster.pods().map((pod) => pod.metadata.ownerReferences)).toEqual([[]]);
  });
});

describe('daemon sets', () => {
  it('run one pod on every node that they tolerate, also on new ones and cordoned ones', async () => {
    const { cluster, clock, fleet } = await running(2);
    cluster.modify(kinds.NODES, { namespace: '', name: 'n2' }, (node) => {
      node.spec!.taints = [{ key: 'gpu', effect: 'NoSchedule' }];
    });
    cluster.create(workload('DaemonSet', 'agent'));
    await clock.advance(10_000);
    expect(cluster.pods().map((pod) => pod.spec.nodeName)).toEqual(['n1']);
    fleet.powerOn(machine('n3'));
    await clock.advance(10_000);
    cluster.modify(kinds.NODES, { namespace: '', name: 'n3' }, (node) => (node.spec!.unschedulable = true));
    await clock.advance(10_000);
    expect(cluster.pods().map((pod) => pod.spec.nodeName)).toEqual(['n1', 'n3']);
    expect(cluster.get(kinds.DAEMON_SETS, 'agent')!.status).toMatchObject({
      desiredNumberScheduled: 2,
      numberReady: 2,
    });
  });

  it('pin their pods by name', async () => {
    const { cluster, clock } = await running(1);
    cluster.create(workload('DaemonSet', 'agent'));
    await clock.advance(5_000);
    const [pod] = cluster.pods();
    expect(
      pod!.spec.affinity!.nodeAffinity!.requiredDuringSchedulingIgnoredDuringExecution!.nodeSelectorTerms,
    ).toEqual([{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }]);
  });
});

describe('stateful sets', () => {
  it('number their pods, one after another', async () => {
    const { cluster, clock } = await running();
    cluster.create(workload('StatefulSet', 'db', { replicas: 2 }));
    await clock.advance(1_000);
    expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['db-0']);
    await clock.advance(10_000);
    expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['db-0', 'db-1']);
    cluster.modify(
      kinds.STATEFUL_SETS,
      { namespace: 'default', name: 'db' },
      (set) => (set.spec.replicas = 1),
    );
    await clock.advance(10_000);
    expect(cluster.pods().map((pod) => pod.metadata.name)).toEqual(['db-0']);
  });
});

function job(name: string, annotations: Record<string, string>, spec: object = {}): Manifest {
  const { spec: pod } = podManifest('x', { spec: { restartPolicy: 'Never' } });
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { metadata: { annotations }, spec: pod }, ...spec },
  };
}

describe('jobs', () => {
  it('run until enough pods have succeeded', async () => {
    const { cluster, clock } = await running();
    cluster.create(job('batch', { [RUN_FOR]: '30' }, { completions: 3, parallelism: 2 }));
    await clock.advance(20_000);
    expect(cluster.pods()).toHaveLength(2);
    await clock.advance(2 * MINUTE);
    expect(cluster.get(kinds.JOBS, 'batch')!.status).toMatchObject({
      succeeded: 3,
      active: 0,
      conditions: [{ type: 'Complete', status: 'True' }],
    });
    expect(cluster.pods().map((pod) => pod.status!.phase)).toEqual(Array(3).fill('Succeeded'));
  });

  it('give up after backoffLimit failures, with growing pauses', async () => {
    const { cluster, clock } = await running();
    cluster.create(job('batch', { [RUN_FOR]: '1', [EXIT_CODE]: '1' }, { backoffLimit: 2 }));
    await clock.advance(10_000);
    expect(cluster.pods()).toHaveLength(1);
    await clock.advance(5 * MINUTE);
    expect(cluster.pods()).toHaveLength(3);
    expect(cluster.get(kinds.JOBS, 'batch')!.status!.conditions).toMatchObject([
      { type: 'Failed', reason: 'BackoffLimitExceeded' },
    ]);
  });
});

describe('disruption budgets', () => {
  it.each([
    [{ minAvailable: 2 }, { desiredHealthy: 2, disruptionsAllowed: 2, expectedPods: 4 }],
    [{ minAvailable: '60%' }, { desiredHealthy: 3, disruptionsAllowed: 1, expectedPods: 4 }],
    [{ maxUnavailable: 1 }, { desiredHealthy: 3, disruptionsAllowed: 1, expectedPods: 4 }],
    [{ maxUnavailable: '30%' }, { desiredHealthy: 2, disruptionsAllowed: 2, expectedPods: 4 }],
    [{ maxUnavailable: 0 }, { desiredHealthy: 4, disruptionsAllowed: 0, expectedPods: 4 }],
  ])('count %j over a deployment of four', async (spec, expected) => {
    const { cluster, clock } = await running();
    cluster.create(workload('Deployment', 'web', { replicas: 4 }));
    cluster.create(budget('web', 'web', spec));
    await clock.advance(10_000);
    expect(cluster.get(kinds.DISRUPTION_BUDGETS, 'web')!.status).toMatchObject({
      currentHealthy: 4,
      observedGeneration: 1,
      ...expected,
    });
  });
});

describe('namespaces', () => {
  it('get a service account, and take their content with them', async () => {
    const { cluster, clock } = await running();
    cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
    await clock.advance(1_000);
    expect(cluster.get(kinds.SERVICE_ACCOUNTS, 'default', 'team')).toBeDefined();
    cluster.create({ ...podManifest('p'), metadata: { name: 'p', namespace: 'team' } });
    cluster.delete(kinds.NAMESPACES, 'team');
    const refused = await call(cluster, 'POST', '/api/v1/namespaces/team/pods', podManifest('q'));
    expect(refused.status).toBe(403);
    await clock.advance(MINUTE);
    expect([cluster.get(kinds.NAMESPACES, 'team'), cluster.pods('team')]).toEqual([undefined, []]);
  });

  it('of the system can not be deleted', async () => {
    const { cluster } = stage();
    expect((await call(cluster, 'DELETE', '/api/v1/namespaces/kube-system')).status).toBe(403);
  });
});

describe('the whole control plane', () => {
  it('writes the same history for the same seed', async () => {
    const histories = [];
    for (let run = 0; run < 2; run++) {
      const { cluster, clock, fleet } = await running();
      cluster.create(workload('Deployment', 'web', { replicas: 30 }));
      await clock.advance(MINUTE);
      fleet.remove(fleet.running()[0]!);
      await clock.advance(10 * MINUTE);
      histories.push([states(cluster.pods()), cluster.registry.store.revision]);
    }
    expect(histories[0]).toEqual(histories[1]);
  });

  it('comes to rest', async () => {
    const { cluster, clock } = await running();
    cluster.create(workload('Deployment', 'web', { replicas: 3 }));
    cluster.create(workload('DaemonSet', 'agent'));
    cluster.create(budget('web', 'web', { minAvailable: 1 }));
    await clock.advance(MINUTE);
    const { revision } = cluster.registry.store;
    await clock.advance(30 * MINUTE);
    expect(cluster.registry.store.revision).toBe(revision);
  });
});
