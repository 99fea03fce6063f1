import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { machine, podManifest, readyNode, stage, workload } from './support.js';
import type { Stage } from './support.js';

const ZONE = 'topology.kubernetes.io/zone';

function storageClass(volumeBindingMode: string, fields: object = {}): Manifest {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'csi.example.org',
    volumeBindingMode,
    ...fields,
  };
}

function claim(name: string, spec: object = {}): Manifest {
  const resources = { requests: { storage: '10Gi' } };
  return {
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources, ...spec },
  };
}

function podWith(name: string, ...claims: string[]): Manifest {
  const volumes = claims.map((claimName, index) => ({
    name: `v${index}`,
    persistentVolumeClaim: { claimName },
  }));
  return podManifest(name, { spec: { volumes } });
}

function volume(name: string, spec: object = {}): Manifest {
  return {
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '20Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      ...spec,
    },
  };
}

function inZone(zone: string): object {
  const matchExpressions = [{ key: ZONE, operator: 'In', values: [zone] }];
  return { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } };
}

async function started(...manifests: Manifest[]): Promise<Stage> {
  const world = stage();
  world.cluster.apply(...manifests);
  world.cluster.start();
  await world.clock.advance(5_000);
  return world;
}

function verdict({ cluster }: Stage, pod: string): string {
  const { spec, status } = cluster.pod(pod)!;
  const message = status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';
  return spec.nodeName ?? message.replace(/ preemption:.*/, '');
}

const NODES = [readyNode('n1', { labels: { [ZONE]: 'z1' } }), readyNode('n2', { labels: { [ZONE]: 'z2' } })];

describe('claims', () => {
  it('are bound at once where their class says so', async () => {
    const { cluster } = await started(storageClass('Immediate'), claim('data'));
    const bound = cluster.get(kinds.CLAIMS, 'data')!;
    expect(bound.status).toEqual({
      phase: 'Bound',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '10Gi' },
    });
    expect(cluster.get(kinds.VOLUMES, bound.spec.volumeName!)).toMatchObject({
      spec: { csi: { driver: 'csi.example.org' }, claimRef: { name: 'data', uid: bound.metadata.uid } },
      status: { phase: 'Bound' },
    });
  });

  it('wait for the node of their first consumer, and get a volume in its zone', async () => {
    const world = await started(storageClass('WaitForFirstConsumer'), claim('data'));
    expect(world.cluster.get(kinds.CLAIMS, 'data')!.status).toEqual({ phase: 'Pending' });
    world.cluster.apply(NODES[1]!, podWith('p', 'data'));
    await world.clock.advance(2_000);
    expect(verdict(world, 'p')).toBe('n2');
    const { metadata, spec } = world.cluster.get(kinds.CLAIMS, 'data')!;
    expect(metadata.annotations).toMatchObject({ 'volume.kubernetes.io/selected-node': 'n2' });
    expect(world.cluster.get(kinds.VOLUMES, spec.volumeName!)!.spec).toMatchObject(inZone('z2'));
  });

  it('take a volume that is there, the smallest that is large enough', async () => {
    const { cluster } = await started(
      volume('large', { capacity: { storage: '1Ti' } }),
      volume('fitting'),
      volume('small', { capacity: { storage: '5G' } }),
      volume('other', { storageClassName: 'slow', capacity: { storage: '10Gi' } }),
      claim('data'),
    );
    expect(cluster.get(kinds.CLAIMS, 'data')!.spec.volumeName).toBe('fitting');
  });

  it('get the default class where they name none', async () => {
    const { cluster } = await started(
      storageClass('Immediate', {
        metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      }),
      { ...claim('data'), spec: { accessModes: ['ReadWriteOnce'] } },
    );
    expect(cluster.get(kinds.CLAIMS, 'data')!.spec.storageClassName).toBe('fast');
  });

  it('take their volume with them, or leave it, as its policy says', async () => {
    const { cluster, clock } = await started(
      storageClass('Immediate'),
      claim('gone'),
      volume('kept', { persistentVolumeReclaimPolicy: 'Retain', capacity: { storage: '50Gi' } }),
      claim('kept', { volumeName: 'kept' }),
    );
    cluster.delete(kinds.CLAIMS, 'gone');
    cluster.delete(kinds.CLAIMS, 'kept');
    await clock.advance(1_000);
    expect(cluster.list(kinds.VOLUMES).map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual(
      [['kept', 'Released']],
    );
  });

  it('are made for a generic ephemeral volume, and go with its pod', async () => {
    const volumeClaimTemplate = { spec: claim('x')['spec'] };
    const pod = podManifest('p', {
      spec: { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate } }] },
    });
    const world = await started(storageClass('WaitForFirstConsumer'), NODES[0]!, pod);
    expect(verdict(world, 'p')).toBe('n1');
    expect(world.cluster.get(kinds.CLAIMS, 'p-scratch')!.status?.phase).toBe('Bound');
    world.cluster.delete(kinds.PODS, 'p', 'default', { gracePeriodSeconds: 0 });
    await world.clock.advance(1_000);
    expect(world.cluster.get(kinds.CLAIMS, 'p-scratch')).toBeUndefined();
  });
});

describe('the scheduler and volumes', () => {
  // scheduling 3.7, 3.8
  it.each<[string, Manifest[], string]>([
    ['a claim that is missing', [], '0/2 nodes are available: persistentvolumeclaim "data" not found.'],
    [
      'a claim that nobody binds',
      [claim('data')],
      '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
    ],
    [
      'a volume in another zone',
      [volume('v', inZone('z9')), claim('data', { volumeName: 'v' })],
      "0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity.",
    ],
    [
      'a class without a provisioner',
      [storageClass('WaitForFirstConsumer', { provisioner: 'kubernetes.io/no-provisioner' }), claim('data')],
      "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.",
    ],
    [
      'a class for another zone',
      [
        storageClass('WaitForFirstConsumer', {
          allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['z9'] }] }],
        }),
        claim('data'),
      ],
      "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.",
    ],
  ])('knows %s', async (_what, objects, message) => {
    expect(verdict(await started(...NODES, ...objects, podWith('p', 'data')), 'p')).toBe(message);
  });

  it('follows the volume to its zone', async () => {
    const world = await started(
      ...NODES,
      volume('v', inZone('z2')),
      claim('data', { volumeName: 'v' }),
      podWith('p', 'data'),
    );
    expect(verdict(world, 'p')).toBe('n2');
  });

  it('tries again when the claim comes', async () => {
    const world = await started(...NODES, storageClass('Immediate'), podWith('p', 'data'));
    expect(verdict(world, 'p')).toContain('not found');
    world.cluster.create(claim('data'));
    await world.clock.advance(3_000);
    expect(['n1', 'n2']).toContain(verdict(world, 'p'));
  });

  it('stops at the limit of the driver, and attachments come and go', async () => {
    const csiDrivers = [
      { name: 'csi.example.org', topology: { 'csi.example.org/place': 'fsn1' }, volumesMax: 1 },
    ];
    const world = stage({ detachMs: 30_000 }, () => ({ joinAfterMs: 0, readyAfterMs: 0, csiDrivers }));
    const { cluster, clock, fleet } = world;
    cluster.apply(storageClass('WaitForFirstConsumer'), claim('a'), claim('b'));
    cluster.start();
    fleet.powerOn(machine('n1'));
    await clock.advance(5_000);
    expect(cluster.node('n1')!.metadata.labels).toMatchObject({ 'csi.example.org/place': 'fsn1' });
    cluster.apply(podWith('first', 'a'));
    await clock.advance(2_000);
    cluster.apply(podWith('second', 'b'));
    await clock.advance(2_000);
    expect(verdict(world, 'first')).toBe('n1');
    expect(verdict(world, 'second')).toBe('0/1 nodes are available: 1 node(s) exceed max volume count.');
    const attached = (): string[] => cluster.list(kinds.ATTACHMENTS).map(({ spec }) => spec.nodeName);
    expect(attached()).toEqual(['n1']);
    cluster.delete(kinds.PODS, 'second', 'default');
    cluster.delete(kinds.PODS, 'first', 'default', { gracePeriodSeconds: 0 });
    await clock.advance(20_000);
    expect(attached()).toEqual(['n1']);
    await clock.advance(15_000);
    expect(attached()).toEqual([]);
  });
});

describe('stateful sets', () => {
  it('make a claim for each pod, which stays and serves the next one', async () => {
    const set = workload('StatefulSet', 'db', {
      replicas: 2,
      spec: {
        podManagementPolicy: 'Parallel',
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim('x')['spec'] }],
      },
    });
    const world = await started(...NODES, storageClass('WaitForFirstConsumer'), set);
    const claims = (): string[] => world.cluster.list(kinds.CLAIMS).map(({ metadata }) => metadata.name);
    expect(claims()).toEqual(['data-db-0', 'data-db-1']);
    const nodeBefore = verdict(world, 'db-0');
    const volumeBefore = world.cluster.get(kinds.CLAIMS, 'data-db-0')!.spec.volumeName;
    world.cluster.delete(kinds.PODS, 'db-0', 'default', { gracePeriodSeconds: 0 });
    await world.clock.advance(2_000);
    expect(verdict(world, 'db-0')).toBe(nodeBefore);
    expect(world.cluster.get(kinds.CLAIMS, 'data-db-0')!.spec.volumeName).toBe(volumeBefore);
    world.cluster.modify(kinds.STATEFUL_SETS, { namespace: 'default', name: 'db' }, (draft) => {
      draft.spec.replicas = 1;
    });
    await world.clock.advance(2_000);
    expect(claims()).toEqual(['data-db-0', 'data-db-1']);
  });
});
