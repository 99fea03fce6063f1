import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { Program, createWorld, runningPods } from './program.js';
import type { World } from './program.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DRIVER = 'csi.hetzner.cloud';
const LOCATION = 'csi.hetzner.cloud/location';

const storageClass: Manifest = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'hcloud-volumes' },
  provisioner: DRIVER,
  volumeBindingMode: 'WaitForFirstConsumer',
};

function claim(name: string, more: Readonly<Record<string, unknown>> = {}): Manifest {
  const resources = { requests: { storage: '10Gi' } };
  const spec = { storageClassName: 'hcloud-volumes', accessModes: ['ReadWriteOnce'], resources, ...more };
  return { kind: 'PersistentVolumeClaim', metadata: { name, namespace: 'default' }, spec };
}

/** A claim that is bound to a volume of one location. */
function boundClaim(name: string, location: string): Manifest[] {
  const matchExpressions = [{ key: LOCATION, operator: 'In', values: [location] }];
  const bound = claim(name, { volumeName: `pv-${name}` });
  return [
    {
      ...bound,
      metadata: { ...bound.metadata, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    },
    {
      kind: 'PersistentVolume',
      metadata: { name: `pv-${name}` },
      spec: {
        storageClassName: 'hcloud-volumes',
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace: 'default', name },
        csi: { driver: DRIVER, volumeHandle: name },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      },
    },
  ];
}

function podWith(name: string, app: string, claimName: string): Manifest {
  return {
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app } },
    spec: {
      containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '10m' } } }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    },
  };
}

/** As driver and kubelet do for every node, once the cloud has said where it is. */
function registerDriver({ sandbox }: World): void {
  const { cluster } = sandbox;
  cluster.registry.store.collection(kinds.NODES).listen(({ type, current }) => {
    const { name, labels = {} } = current.object.metadata;
    const location = labels['topology.kubernetes.io/region'];
    if (type === 'DELETED' || location === undefined || labels[LOCATION] !== undefined) return;
    const drivers = [{ name: DRIVER, nodeID: name, topologyKeys: [LOCATION], allocatable: { count: 16 } }];
    cluster.create({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name },
      spec: { drivers },
    });
    cluster.modify(kinds.NODES, { namespace: '', name }, (draft) => {
      draft.metadata.labels = { ...draft.metadata.labels, [LOCATION]: location };
    });
  });
}

function nodesOf({ sandbox }: World, app: string): ReadonlySet<string> {
  const pods = sandbox.cluster.pods('default').filter(({ metadata }) => metadata.labels?.['app'] === app);
  return new Set(pods.flatMap(({ spec }) => spec.nodeName ?? []));
}

describe('the composed program, with volumes', () => {
  // scheduling 4.4 item 6, 5.7 step 1
  it('grows a pool by as many nodes as the volumes need that a node can hold', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    registerDriver(world);
    const program = await Program.start(world, ['--nodes=0:5:cx33:fsn1:data']);
    sandbox.cluster.apply(storageClass);
    for (let i = 0; i < 20; i++) {
      sandbox.cluster.apply(claim(`data-db-${i}`), podWith(`db-${i}`, 'db', `data-db-${i}`));
    }
    await clock.runUntil(() => runningPods(world, 'db') === 20, 10 * MINUTE);
    // One node has the CPU for all of them, and holds 16 volumes.
    expect(sandbox.poolServers('data')).toHaveLength(2);
    expect(program.linesOf('scale-up-decided')).toHaveLength(1);
    expect(nodesOf(world, 'db').size).toBe(2);
    expect(program.linesOf('iteration-failed')).toEqual([]);
    await program.stop();
  });

  it('never grows a pool in a location that the volume of a pod can not be reached from', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    registerDriver(world);
    const program = await Program.start(world, ['--nodes=0:5:cx33:nbg1:other', '--nodes=0:5:cx33:fsn1:home']);
    sandbox.cluster.apply(storageClass, ...boundClaim('data', 'fsn1'), podWith('db', 'db', 'data'));
    await clock.runUntil(() => runningPods(world, 'db') === 1, 10 * MINUTE);
    expect([sandbox.poolServers('home').length, sandbox.poolServers('other').length]).toEqual([1, 0]);
    await program.stop();
  });

  it('says why no pool can help', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    const program = await Program.start(world, ['--nodes=0:5:cx33:nbg1:other']);
    sandbox.cluster.apply(storageClass, ...boundClaim('data', 'fsn1'), podWith('far', 'db', 'data'));
    sandbox.cluster.apply(podWith('lost', 'db', 'missing'));
    await clock.advance(2 * MINUTE);
    expect(sandbox.poolServers('other')).toEqual([]);
    const told = sandbox.cluster.events('NotTriggerScaleUp');
    const byPod = new Map(told.map(({ involvedObject, message }) => [involvedObject.name, message]));
    expect(Object.fromEntries(byPod)).toEqual({
      far: "pod didn't trigger scale-up: 1 node(s) didn't match PersistentVolume's node affinity",
      lost: 'pod didn\'t trigger scale-up: 1 persistentvolumeclaim "missing" not found',
    });
    await program.stop();
  });

  it('does not buy for a pod whose claim another pod has for itself', async () => {
    const world = createWorld();
    const { sandbox, clock } = world;
    registerDriver(world);
    const program = await Program.start(world, ['--nodes=0:5:cx33:fsn1:data']);
    sandbox.cluster.apply(storageClass, claim('own', { accessModes: ['ReadWriteOncePod'] }));
    for (const name of ['first', 'second', 'third']) sandbox.cluster.apply(podWith(name, 'db', 'own'));
    await clock.runUntil(() => runningPods(world, 'db') === 1, 10 * MINUTE);
    await clock.advance(5 * MINUTE);
    expect(runningPods(world, 'db')).toBe(1);
    expect(sandbox.poolServers('data')).toHaveLength(1);
    await program.stop();
  });
});
