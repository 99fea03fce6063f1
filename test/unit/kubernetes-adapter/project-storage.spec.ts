import { projectLegacyDisk } from '../../../src/adapters/kubernetes/projection/project-legacy-disk.js';
import { projectPod } from '../../../src/adapters/kubernetes/projection/project-pod.js';
import {
  projectCsiDriver,
  projectCsiNode,
  projectCsiStorageCapacity,
  projectStorageClass,
  projectVolumeAttachment,
} from '../../../src/adapters/kubernetes/projection/project-storage.js';
import { projectClaim, projectVolume } from '../../../src/adapters/kubernetes/projection/project-volume.js';
import { BrokenObjectError, SharedRecords } from '../../../src/adapters/kubernetes/projection/projection.js';
import { QuantityError } from '../../../src/domain/kubernetes/quantity.js';
import { podJson } from './api-json.js';

const GIB = 1024 ** 3;
const metadata = { name: 'x', uid: 'uid-x' };
const shared = (): SharedRecords => new SharedRecords();

describe('projection of storage objects', () => {
  test('keeps of a volume what binding reads', () => {
    const terms = [{ matchExpressions: [{ key: 'location', operator: 'In', values: ['fsn1'] }] }];
    const volume = projectVolume(
      {
        metadata: { ...metadata, labels: { disk: 'ssd' }, deletionTimestamp: '2026-01-01T00:00:00Z' },
        spec: {
          storageClassName: 'hcloud-volumes',
          capacity: { storage: '10Gi' },
          accessModes: ['ReadWriteOnce'],
          volumeMode: 'Block',
          volumeAttributesClassName: 'fast',
          claimRef: { namespace: 'default', name: 'data', uid: 'u' },
          nodeAffinity: { required: { nodeSelectorTerms: terms } },
          csi: { driver: 'csi.hetzner.cloud', volumeHandle: '42' },
        },
        status: { phase: 'Bound' },
      },
      shared(),
    );
    expect(volume).toEqual({
      name: 'x',
      labels: new Map([['disk', 'ssd']]),
      className: 'hcloud-volumes',
      capacityBytes: 10 * GIB,
      accessModes: ['ReadWriteOnce'],
      volumeMode: 'Block',
      attributesClassName: 'fast',
      phase: 'Bound',
      terminating: true,
      claimRef: { namespace: 'default', name: 'data', uid: 'u' },
      nodeAffinity: {
        terms: [
          { matchExpressions: [{ key: 'location', operator: 'In', values: ['fsn1'] }], matchFields: [] },
        ],
      },
      csi: { driver: 'csi.hetzner.cloud', volumeHandle: '42' },
    });
  });

  test('keeps of a claim what binding reads', () => {
    const claim = projectClaim(
      {
        metadata: {
          ...metadata,
          namespace: 'default',
          annotations: {
            'volume.beta.kubernetes.io/storage-class': 'old',
            'pv.kubernetes.io/bind-completed': 'yes',
            'volume.kubernetes.io/selected-node': 'n1',
          },
          ownerReferences: [
            { uid: 'other', kind: 'Pod' },
            { uid: 'pod', kind: 'Pod', controller: true },
          ],
        },
        spec: {
          storageClassName: 'new',
          volumeName: 'pv-1',
          accessModes: ['ReadWriteOncePod'],
          selector: {},
          resources: { requests: { storage: '1500m' } },
        },
        status: { phase: 'Lost' },
      },
      shared(),
    );
    expect(claim).toEqual({
      uid: 'uid-x',
      namespace: 'default',
      name: 'x',
      // scheduling 3.8: the annotation wins.
      className: 'old',
      volumeName: 'pv-1',
      bindCompleted: true,
      phase: 'Lost',
      terminating: false,
      controllerUid: 'pod',
      accessModes: ['ReadWriteOncePod'],
      volumeMode: 'Filesystem',
      attributesClassName: '',
      selector: { matchLabels: new Map(), matchExpressions: [] },
      requestBytes: 2,
      selectedNode: 'n1',
    });
  });

  test('takes bare objects', () => {
    expect(projectVolume({ metadata }, shared())).toMatchObject({
      capacityBytes: 0,
      accessModes: [],
      volumeMode: 'Filesystem',
      claimRef: null,
      nodeAffinity: null,
      csi: null,
    });
    expect(projectClaim({ metadata, spec: null }, shared())).toMatchObject({
      className: '',
      bindCompleted: false,
      selector: null,
      requestBytes: null,
      selectedNode: null,
      controllerUid: '',
    });
    expect(projectStorageClass({ metadata })).toEqual({
      name: 'x',
      provisioner: '',
      bindingMode: null,
      allowedTopologies: [],
    });
    expect(projectCsiNode({ metadata }, shared())).toEqual({ nodeName: 'x', limits: new Map() });
    expect(projectCsiDriver({ metadata })).toEqual({ name: 'x', storageCapacity: false });
    expect(projectCsiStorageCapacity({ metadata }, shared())).toEqual({
      className: '',
      nodeTopology: null,
      largestBytes: null,
    });
    expect(projectVolumeAttachment({ metadata }, shared())).toEqual({
      nodeName: '',
      attacher: '',
      volumeName: '',
    });
  });

  test('an affinity without terms is not the same as none', () => {
    const volume = projectVolume({ metadata, spec: { nodeAffinity: { required: {} } } }, shared());
    expect(volume.nodeAffinity).toEqual({ terms: [] });
    expect(projectVolume({ metadata, spec: { nodeAffinity: {} } }, shared()).nodeAffinity).toBeNull();
  });

  test('tells a driver without a limit from one with a limit of 0', () => {
    const drivers = [
      { name: 'a', allocatable: { count: 16 } },
      { name: 'b', allocatable: { count: 0 } },
      { name: 'c', allocatable: {} },
      { name: 'd' },
    ];
    expect(projectCsiNode({ metadata, spec: { drivers } }, shared()).limits).toEqual(
      new Map([
        ['a', 16],
        ['b', 0],
        ['c', Infinity],
        ['d', Infinity],
      ]),
    );
  });

  test('keeps topologies, sizes and attachments', () => {
    const allowedTopologies = [
      { matchLabelExpressions: [{ key: 'location', values: ['fsn1', 'nbg1'] }] },
      { matchLabelExpressions: null },
    ];
    expect(projectStorageClass({ metadata, allowedTopologies }).allowedTopologies).toEqual([
      [{ key: 'location', values: ['fsn1', 'nbg1'] }],
      [],
    ]);
    const capacity = { metadata, storageClassName: 'c', capacity: '5Gi', nodeTopology: {} };
    expect(projectCsiStorageCapacity(capacity, shared()).largestBytes).toBe(5 * GIB);
    const bounded = projectCsiStorageCapacity({ ...capacity, maximumVolumeSize: '2Gi' }, shared());
    expect(bounded).toEqual({
      className: 'c',
      nodeTopology: { matchLabels: new Map(), matchExpressions: [] },
      largestBytes: 2 * GIB,
    });
    const spec = { nodeName: 'n', attacher: 'd', source: { persistentVolumeName: 'pv' } };
    expect(projectVolumeAttachment({ metadata, spec }, shared())).toEqual({
      nodeName: 'n',
      attacher: 'd',
      volumeName: 'pv',
    });
  });

  test('shares what many volumes repeat', () => {
    const table = shared();
    const terms = [{ matchExpressions: [{ key: 'location', operator: 'In', values: ['fsn1'] }] }];
    const spec = { accessModes: ['ReadWriteOnce'], nodeAffinity: { required: { nodeSelectorTerms: terms } } };
    const [one, other] = [structuredClone(spec), structuredClone(spec)].map((each) =>
      projectVolume({ metadata, spec: each }, table),
    );
    expect(one!.nodeAffinity).toBe(other!.nodeAffinity);
    expect(one!.accessModes).toBe(other!.accessModes);
  });

  test('refuses what has no name or a size that is no quantity', () => {
    expect(() => projectVolume({ metadata: { uid: 'u' } }, shared())).toThrow(BrokenObjectError);
    expect(() => projectStorageClass({})).toThrow(BrokenObjectError);
    const spec = { resources: { requests: { storage: 'much' } } };
    expect(() => projectClaim({ metadata, spec }, shared())).toThrow(QuantityError);
  });
});

describe('projection of inline disks', () => {
  test.each([
    [
      { gcePersistentDisk: { pdName: 'd', readOnly: true } },
      { type: 'gcePersistentDisk', name: 'd', monitors: [], readOnly: true },
    ],
    [
      { awsElasticBlockStore: { volumeID: 'v' } },
      { type: 'awsElasticBlockStore', name: 'v', monitors: [], readOnly: false },
    ],
    [{ iscsi: { iqn: 'q' } }, { type: 'iscsi', name: 'q', monitors: [], readOnly: false }],
    [
      { rbd: { monitors: ['m1', 'm2'], image: 'i' } },
      { type: 'rbd', name: 'rbd/i', monitors: ['m1', 'm2'], readOnly: false },
    ],
    [{ name: 'share' }, null],
  ])('%j', (volume, disk) => {
    expect(projectLegacyDisk(volume)).toEqual(disk);
  });

  test('stands in the shape of the pod', () => {
    const volumes = [{ name: 'disk', awsElasticBlockStore: { volumeID: 'v' } }];
    expect(projectPod(podJson('p', { spec: { volumes } }), shared()).shape.volumes).toEqual([
      {
        name: 'disk',
        kind: 'other',
        disk: { type: 'awsElasticBlockStore', name: 'v', monitors: [], readOnly: false },
      },
    ]);
  });
});
