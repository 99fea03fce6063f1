import { kinds, RUN_FOR, STOP_AFTER } from '../../../src/sandbox/kubernetes/index.js';
import type { Node, NodeProfile } from '../../../src/sandbox/kubernetes/index.js';
import { call, GIB, machine, podManifest, stage, workload } from './support.js';
import type { Stage } from './support.js';

const MINUTE = 60_000;

function started(profile: NodeProfile = {}): Stage {
  const world = stage({}, () => profile);
  world.cluster.start();
  world.fleet.powerOn(machine('n1', { labels: { 'hcloud/node-group': 'pool' } }));
  return world;
}

function ready(node: Node | undefined): string {
  return node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'absent';
}

function taints(node: Node | undefined): string[] {
  return (node?.spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
}

describe('the life of a node', () => {
  it('joins, is initialized, becomes ready', async () => {
    const { cluster, clock } = started({ joinAfterMs: 30_000, readyAfterMs: 10_000, labels: { pool: 'a' } });
    await clock.advance(29_000);
    expect(cluster.nodes()).toEqual([]);
    await clock.advance(1_500);
    expect(taints(cluster.node('n1'))).toEqual(
      expect.arrayContaining([
        'node.cloudprovider.kubernetes.io/uninitialized:NoSchedule',
        'node.kubernetes.io/not-ready:NoSchedule',
      ]),
    );
    expect(cluster.node('n1')!.spec!.providerID).toBeUndefined();
    await clock.advance(2_000);
    expect(cluster.node('n1')!.spec!.providerID).toBe('hcloud://n1');
    expect(cluster.node('n1')!.metadata.labels).toMatchObject({
      'kubernetes.io/hostname': 'n1',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': 'cx22',
      'topology.kubernetes.io/region': 'eu-central',
      'topology.kubernetes.io/zone': 'fsn1',
      pool: 'a',
    });
    expect(ready(cluster.node('n1'))).toBe('False');
    await clock.advance(8_000);
    expect(ready(cluster.node('n1'))).toBe('True');
    expect(taints(cluster.node('n1'))).toEqual([]);
    expect(cluster.get(kinds.LEASES, 'n1', 'kube-node-lease')).toBeDefined();
  });

  it('offers what the machine has, less what is reserved', async () => {
    const { cluster, clock } = started({
      reserved: { cpuMilli: 200, memoryBytes: GIB },
      podsMax: 50,
      taints: [{ key: 'x', effect: 'NoSchedule' }],
    });
    await clock.advance(2 * MINUTE);
    const node = cluster.node('n1')!;
    expect(node.status!.capacity).toEqual({
      cpu: '2',
      memory: '4194304Ki',
      'ephemeral-storage': '41943040Ki',
      pods: '50',
    });
    expect(node.status!.allocatable).toEqual({
      cpu: '1800m',
      memory: '3145728Ki',
      'ephemeral-storage': '38654705664',
      pods: '50',
    });
    expect(taints(node)).toEqual(['x:NoSchedule']);
  });

  it('runs pods only once it is ready', async () => {
    const { cluster, clock } = started({ joinAfterMs: 0, readyAfterMs: 20_000 });
    cluster.create(workload('Deployment', 'web', { replicas: 1 }));
    await clock.advance(10_000);
    expect(cluster.pods()[0]!.status!.phase).toBe('Pending');
    await clock.advance(20_000);
    const pod = cluster.pods()[0]!;
    expect(pod.status).toMatchObject({ phase: 'Running', hostIP: '10.0.0.2', podIP: '10.244.0.2' });
    expect(pod.status!.containerStatuses).toMatchObject([{ name: 'main', ready: true, restartCount: 0 }]);
    expect(pod.status!.conditions!.filter(({ status }) => status === 'True').map(({ type }) => type)).toEqual(
      expect.arrayContaining(['PodScheduled', 'Initialized', 'Ready', 'ContainersReady']),
    );
  });

  it.each<[string, NodeProfile, string]>([
    ['never joins', { joins: false }, 'absent'],
    ['joins late', { joinAfterMs: 20 * MINUTE }, 'absent'],
    ['never becomes ready', { readyAfterMs: null }, 'False'],
    ['fails', { failsAfterMs: 5 * MINUTE }, 'Unknown'],
  ])('%s when told to', async (_name, profile, expected) => {
    const { cluster, clock } = started(profile);
    await clock.advance(10 * MINUTE);
    expect(ready(cluster.node('n1'))).toBe(expected);
  });

  it('flaps', async () => {
    const { cluster, clock } = started({
      joinAfterMs: 0,
      readyAfterMs: 0,
      flaps: { upMs: 60_000, downMs: 30_000 },
    });
    const seen: string[] = [];
    for (let step = 0; step < 6; step++) {
      await clock.advance(30_000);
      seen.push(ready(cluster.node('n1')));
    }
    expect(seen).toEqual(['True', 'False', 'True', 'True', 'False', 'True']);
  });

  it('shows its devices late (case U023)', async () => {
    const { cluster, clock } = started({
      joinAfterMs: 0,
      readyAfterMs: 0,
      devices: { 'nvidia.com/gpu': '1' },
      devicesAfterMs: 60_000,
    });
    await clock.advance(30_000);
    expect(cluster.node('n1')!.status!.allocatable!['nvidia.com/gpu']).toBeUndefined();
    await clock.advance(31_000);
    expect(cluster.node('n1')!.status!.allocatable!['nvidia.com/gpu']).toBe('1');
  });

  it('registers with an odd provider id where no cloud looks after it (case U005)', async () => {
    const { cluster, clock } = started({ cloudManaged: false, providerId: 'k3s://n1' });
    await clock.advance(5 * MINUTE);
    expect(cluster.node('n1')!.spec!.providerID).toBe('k3s://n1');
    expect(cluster.node('n1')!.metadata.labels!['node.kubernetes.io/instance-type']).toBeUndefined();
  });
});

describe('the end of a node', () => {
  async function withPods(): Promise<Stage> {
    const world = started({ joinAfterMs: 0, readyAfterMs: 0 });
    world.cluster.create(workload('Deployment', 'web', { replicas: 1 }));
    await world.clock.advance(10_000);
    return world;
  }

  it('becomes unknown when its machine is gone, then is deleted, and its pods go elsewhere', async () => {
    const { cluster, clock, fleet } = await withPods();
    const [before] = cluster.pods();
    fleet.remove(fleet.running()[0]!);
    await clock.advance(49_000);
    expect(ready(cluster.node('n1'))).toBe('True');
    await clock.advance(1_500);
    expect(cluster.node('n1')).toBeUndefined();
    fleet.powerOn(machine('n2'));
    await clock.advance(2 * MINUTE);
    expect(
      cluster.pods().map(({ metadata, spec }) => [metadata.uid === before!.metadata.uid, spec.nodeName]),
    ).toEqual([[false, 'n2']]);
  });

  it('keeps its object while the machine is only off, and evicts its pods after five minutes', async () => {
    const { cluster, clock, fleet } = await withPods();
    const [off] = fleet.running();
    fleet.powerOff(off!);
    await clock.advance(55_000);
    expect(ready(cluster.node('n1'))).toBe('Unknown');
    expect(taints(cluster.node('n1'))).toEqual([
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
      'node.cloudprovider.kubernetes.io/shutdown:NoSchedule',
    ]);
    const [pod] = cluster.pods();
    expect(pod!.status!.conditions!.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False' });
    await clock.advance(4 * MINUTE);
    expect(cluster.pods()).toHaveLength(1);
    await clock.advance(MINUTE);
    expect(cluster.pods().filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toHaveLength(1);
    expect(cluster.pods()).toHaveLength(2);
    fleet.powerOn(off!);
    await clock.advance(MINUTE);
    expect([ready(cluster.node('n1')), taints(cluster.node('n1')), cluster.nodes().length]).toEqual([
      'True',
      [],
      1,
    ]);
    expect(cluster.pods().map(({ status }) => status!.phase)).toEqual(['Running']);
  });

  it('forgets the pods of a node that somebody deleted', async () => {
    const { cluster, clock } = await withPods();
    await call(cluster, 'DELETE', '/api/v1/nodes/n1');
    await clock.advance(30_000);
    expect(cluster.pods()).toHaveLength(1);
    await clock.advance(20_000);
    expect(cluster.pods().map(({ spec }) => spec.nodeName)).toEqual([undefined]);
  });
});

describe('the end of a pod', () => {
  it.each([
    ['its own time', '10', {}, 10],
    ['the grace period at most', '120', {}, 30],
    ['a shorter grace that the client asks for', '120', { gracePeriodSeconds: 5 }, 5],
  ])('takes %s', async (_name, stopAfter, options, seconds) => {
    const { cluster, clock } = started({ joinAfterMs: 0, readyAfterMs: 0 });
    await clock.advance(5_000);
    cluster.create(podManifest('p', { annotations: { [STOP_AFTER]: stopAfter } }));
    await clock.advance(5_000);
    cluster.delete(kinds.PODS, 'p', 'default', options);
    await clock.advance(seconds * 1_000 - 1);
    expect(cluster.pod('p')!.metadata.deletionTimestamp).toBeDefined();
    await clock.advance(1);
    expect(cluster.pod('p')).toBeUndefined();
  });

  it('is followed by a restart where the policy says so', async () => {
    const { cluster, clock } = started({ joinAfterMs: 0, readyAfterMs: 0 });
    cluster.create(podManifest('p', { annotations: { [RUN_FOR]: '10' } }));
    await clock.advance(36_000);
    expect(cluster.pod('p')!.status).toMatchObject({
      phase: 'Running',
      containerStatuses: [{ restartCount: 3 }],
    });
  });
});
