import { KubernetesClusterReader } from '../../../src/adapters/kubernetes/index.js';
import type { ClusterStorage } from '../../../src/domain/kubernetes/storage.js';
import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { Sandbox } from './sandbox.js';

const OBJECTS: readonly Manifest[] = [
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'hcloud-volumes' },
    provisioner: 'csi.hetzner.cloud',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
  {
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: { storageClassName: 'hcloud-volumes', resources: { requests: { storage: '10Gi' } } },
  },
  { kind: 'PersistentVolume', metadata: { name: 'pv' }, spec: { capacity: { storage: '10Gi' } } },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'n1' },
    spec: { drivers: [{ name: 'csi.hetzner.cloud', nodeID: '1', allocatable: { count: 16 } }] },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'csi.hetzner.cloud' },
    spec: { storageCapacity: true },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    metadata: { name: 'cap', namespace: 'default' },
    storageClassName: 'hcloud-volumes',
    capacity: '1Gi',
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'att' },
    spec: { nodeName: 'n1', attacher: 'csi.hetzner.cloud', source: { persistentVolumeName: 'pv' } },
  },
];

describe('reading of storage objects', () => {
  it('holds every kind, keeps one object while nothing changes, and follows changes', async () => {
    const sandbox = new Sandbox();
    const { random, incidents, logger } = sandbox.process();
    const reader = new KubernetesClusterReader(await sandbox.connect(), random, incidents, logger);
    for (const object of OBJECTS) sandbox.cluster.create(object);
    await sandbox.clock.complete(reader.start(new AbortController().signal));
    const storage = (): ClusterStorage => reader.state().storage!;

    expect(storage()).toMatchObject({
      classes: [{ name: 'hcloud-volumes', bindingMode: 'WaitForFirstConsumer' }],
      claims: [{ name: 'data', className: 'hcloud-volumes', volumeName: '' }],
      volumes: [{ name: 'pv', capacityBytes: 10 * 1024 ** 3 }],
      csiNodes: [{ nodeName: 'n1', limits: new Map([['csi.hetzner.cloud', 16]]) }],
      csiDrivers: [{ name: 'csi.hetzner.cloud', storageCapacity: true }],
      capacities: [{ className: 'hcloud-volumes', largestBytes: 1024 ** 3 }],
      attachments: [{ nodeName: 'n1', volumeName: 'pv' }],
    });
    const before = storage();
    sandbox.createNode('n1');
    await sandbox.clock.advance(1_000);
    expect(storage()).toBe(before);
    sandbox.cluster.apply({
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default' },
      spec: { volumeName: 'pv' },
    });
    await sandbox.clock.advance(1_000);
    expect(storage().claims).toMatchObject([{ name: 'data', volumeName: 'pv' }]);
    expect(storage().volumes).toBe(before.volumes);
    await sandbox.clock.complete(reader.stop());
  });

  // interface 8.1: the example manifests for Hetzner grant no attachments, old servers have no capacities.
  it('counts what may not be read as none, where judging can do without', async () => {
    const sandbox = new Sandbox();
    const { random, incidents, logger } = sandbox.process();
    const reader = new KubernetesClusterReader(await sandbox.connect(), random, incidents, logger);
    for (const object of OBJECTS) sandbox.cluster.create(object);
    const hidden = ['csinodes', 'csidrivers', 'csistoragecapacities', 'volumeattachments'];
    sandbox.cluster.faults.forbids = ({ resource }) => hidden.some((name) => resource.startsWith(name));
    await sandbox.clock.complete(reader.start(new AbortController().signal));
    expect(reader.state().storage).toMatchObject({
      claims: [{ name: 'data' }],
      csiNodes: [],
      csiDrivers: [],
      capacities: [],
      attachments: [],
    });
    expect(logger.events().filter((event) => event === 'resource-absent')).toHaveLength(4);
    await sandbox.clock.complete(reader.stop());
  });

  it('does not start without claims, volumes and classes: pods would be judged wrong', async () => {
    for (const resource of ['persistentvolumeclaims', 'persistentvolumes', 'storageclasses']) {
      const sandbox = new Sandbox();
      const { random, incidents, logger } = sandbox.process();
      const reader = new KubernetesClusterReader(await sandbox.connect(), random, incidents, logger);
      sandbox.cluster.faults.forbids = (request) => request.resource.startsWith(resource);
      const starting = sandbox.clock.complete(reader.start(new AbortController().signal));
      await expect(starting).rejects.toMatchObject({ code: 'forbidden' });
    }
  });
});
