import type { NodeSelectorObject, PodObject } from '../../reference/oracle/api-objects.js';
import {
  makeBoundClaim,
  makeClaim,
  makeNode,
  makePod,
  makeVolume,
  selectLabels,
  withClaims,
} from '../../reference/oracle/make.js';
import { runRows } from './question.js';

const NO_VOLUME = "VolumeBinding: node(s) didn't find available persistent volumes to bind";
const WRONG_NODE = "VolumeBinding: node(s) didn't match PersistentVolume's node affinity";
const IN_USE =
  'VolumeRestrictions: node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';
const LOCATION = 'csi.hetzner.cloud/location';
const PROVIDED_BY = 'instance.hetzner.cloud/provided-by';
const DRIVER = 'csi.hetzner.cloud';

const claiming = (...names: string[]) => makePod('p', { spec: withClaims(...names) });
const late = {
  metadata: { name: 'late' },
  provisioner: DRIVER,
  volumeBindingMode: 'WaitForFirstConsumer',
};
const early = { ...late, metadata: { name: 'early' }, volumeBindingMode: 'Immediate' };
const local = { ...late, metadata: { name: 'local' }, provisioner: 'kubernetes.io/no-provisioner' };
const only = {
  ...late,
  allowedTopologies: [{ matchLabelExpressions: [{ key: PROVIDED_BY, values: ['cloud'] }] }],
};
const unbound = makeClaim('d', { storageClassName: 'late' });

function required(key: string, ...values: string[]): { required: NodeSelectorObject } {
  return { required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values }] }] } };
}

const at = (location: string) => [makeNode('n1', { labels: { [LOCATION]: location } })];
const providedBy = (value: string) => [makeNode('n1', { labels: { [PROVIDED_BY]: value } })];

describe('the oracle on claims (6.I)', () => {
  runRows([
    {
      it: '104: a missing claim',
      pod: claiming('data'),
      expect: 'VolumeRestrictions: persistentvolumeclaim "data" not found [PreFilter failed]',
    },
    {
      it: '105: a missing ephemeral claim',
      pod: makePod('p', { spec: { volumes: [{ name: 'tmp', ephemeral: {} }] } }),
      expect:
        'VolumeBinding: waiting for ephemeral volume controller to create the persistentvolumeclaim "p-tmp" [PreFilter failed]',
    },
    {
      it: '106: an unbound claim of an immediate class',
      claims: [makeClaim('d', { storageClassName: 'early' })],
      storageClasses: [early],
      pod: claiming('d'),
      expect: 'VolumeBinding: pod has unbound immediate PersistentVolumeClaims [PreFilter failed]',
    },
    {
      it: '107: a claim that is going',
      claims: [makeClaim('d', { deletionTimestamp: '2026-01-01T00:00:00Z' })],
      pod: claiming('d'),
      expect: 'VolumeBinding: persistentvolumeclaim "d" is being deleted [PreFilter failed]',
    },
    {
      it: '108: late binding',
      claims: [unbound],
      storageClasses: [late],
      pod: claiming('d'),
      expect: 'fits',
    },
    {
      it: '109: a topology that is not allowed',
      nodes: providedBy('robot'),
      claims: [unbound],
      storageClasses: [only],
      pod: claiming('d'),
      expect: NO_VOLUME,
    },
    {
      it: '109: one that is',
      nodes: providedBy('cloud'),
      claims: [unbound],
      storageClasses: [only],
      pod: claiming('d'),
      expect: 'fits',
    },
    ...(
      [
        ['n1', 'fits'],
        ['n2', NO_VOLUME],
      ] as const
    ).map(([on, expected]) => ({
      it: `110: a local volume of n1, seen from ${on}`,
      claims: [makeClaim('d', { storageClassName: 'local' })],
      storageClasses: [local],
      persistentVolumes: [
        makeVolume('pv', {
          storageClassName: 'local',
          nodeAffinity: required('kubernetes.io/hostname', 'n1'),
        }),
      ],
      pod: claiming('d'),
      on,
      expect: expected,
    })),
    ...(
      [
        ['nbg1', WRONG_NODE],
        ['fsn1', 'fits'],
      ] as const
    ).map(([location, expected]) => ({
      it: `111: a bound volume of fsn1 on a node of ${location}`,
      nodes: at(location),
      claims: [makeBoundClaim('d', 'pv')],
      persistentVolumes: [makeVolume('pv', { nodeAffinity: required(LOCATION, 'fsn1') })],
      pod: claiming('d'),
      expect: expected,
    })),
    {
      it: '112: another node was selected',
      claims: [
        makeClaim('d', {
          storageClassName: 'late',
          annotations: { 'volume.kubernetes.io/selected-node': 'n2' },
        }),
      ],
      storageClasses: [late],
      pod: claiming('d'),
      expect: NO_VOLUME,
    },
    ...(
      [
        [{ 'topology.kubernetes.io/zone': 'hel1' }, 'VolumeZone: node(s) had no available volume zone'],
        [{ 'topology.kubernetes.io/zone': 'nbg1' }, 'fits'],
        [{}, 'fits'],
      ] as const
    ).map(([labels, expected]) => ({
      it: `113: a volume of two zones on ${JSON.stringify(labels)}`,
      nodes: [makeNode('n1', { labels })],
      claims: [makeBoundClaim('d', 'pv')],
      persistentVolumes: [makeVolume('pv', {}, { 'topology.kubernetes.io/zone': 'fsn1__nbg1' })],
      pod: claiming('d'),
      expect: expected,
    })),
    {
      it: '114: a volume that is gone',
      claims: [makeBoundClaim('d', 'gone')],
      pod: claiming('d'),
      expect: 'VolumeZone: persistentvolume "gone" not found [PreFilter failed]',
    },
  ]);
});

const claims = Array.from({ length: 18 }, (_, index) =>
  makeClaim(`c${index.toString()}`, { storageClassName: 'late' }),
);
const using = (count: number) => ({
  n1: claims
    .slice(0, count)
    .map((claim, index) => makePod(`u${index.toString()}`, { spec: withClaims(claim.metadata?.name ?? '') })),
});
const limited = [
  { metadata: { name: 'n1' }, spec: { drivers: [{ name: DRIVER, allocatable: { count: 16 } }] } },
];
const FULL = 'NodeVolumeLimits: node(s) exceed max volume count';

describe('the oracle on volume limits (6.I)', () => {
  const shared = { claims, storageClasses: [late], csiNodes: limited };
  runRows([
    { ...shared, it: '115: the last place', placed: using(15), pod: claiming('c17'), expect: 'fits' },
    { ...shared, it: '115: no place', placed: using(16), pod: claiming('c17'), expect: FULL },
    { ...shared, it: '115: two for one place', placed: using(15), pod: claiming('c16', 'c17'), expect: FULL },
    {
      ...shared,
      it: '116: one that is there already',
      placed: using(16),
      pod: claiming('c0'),
      expect: 'fits',
    },
    {
      ...shared,
      it: '117: no CSINode',
      csiNodes: [],
      placed: using(16),
      pod: claiming('c17'),
      expect: 'fits',
    },
  ]);
});

const disk = (name: string): PodObject =>
  makePod(name, { spec: { volumes: [{ name: 'd', awsElasticBlockStore: { volumeID: 'vol-1' } }] } });

describe('the oracle on exclusive volumes and on capacity (6.I)', () => {
  runRows([
    {
      it: '118: ReadWriteOncePod, used on another node',
      claims: [makeClaim('d', { storageClassName: 'late', accessModes: ['ReadWriteOncePod'] })],
      storageClasses: [late],
      placed: { n2: [makePod('u', { spec: withClaims('d') })] },
      pod: claiming('d'),
      expect: IN_USE,
    },
    ...(
      [
        ['100Gi', 'VolumeBinding: node(s) did not have enough free storage'],
        ['50Gi', 'fits'],
      ] as const
    ).map(([storage, expected]) => ({
      it: `119: ${storage} of 50Gi`,
      nodes: at('fsn1'),
      claims: [makeClaim('d', { storageClassName: 'late', resources: { requests: { storage } } })],
      storageClasses: [late],
      csiDrivers: [{ metadata: { name: DRIVER }, spec: { storageCapacity: true } }],
      storageCapacities: [
        { storageClassName: 'late', nodeTopology: selectLabels({ [LOCATION]: 'fsn1' }), capacity: '50Gi' },
      ],
      pod: claiming('d'),
      expect: expected,
    })),
    {
      it: '120: the same inline disk',
      placed: { n1: [disk('e')] },
      pod: disk('p'),
      expect: 'VolumeRestrictions: node(s) had no available disk',
    },
  ]);
});
