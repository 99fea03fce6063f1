import { HOSTNAME_LABEL } from '../../../src/domain/kubernetes/labels.js';
import type { LegacyDisk, Pod, PodVolume } from '../../../src/domain/kubernetes/pod.js';
import type { ClusterStorage, VolumeAttachment } from '../../../src/domain/kubernetes/storage.js';
import { createSnapshot } from '../../../src/domain/simulation/index.js';
import type { ClusterSnapshot, Verdict } from '../../../src/domain/simulation/index.js';
import { GIB, buildNode, buildPod } from '../../support/builders.js';
import type { NodeOptions, PodOptions } from '../../support/builders.js';
import {
  HCLOUD_CLASS,
  HCLOUD_DRIVER,
  HCLOUD_LOCATION,
  buildBoundClaim,
  buildClaim,
  buildClass,
  buildStorage,
  buildVolume,
  nodesWith,
} from '../../support/storage-builders.js';

interface Given {
  readonly storage?: Partial<ClusterStorage>;
  readonly nodes?: Readonly<Record<string, NodeOptions>>;
  readonly existing?: Readonly<Record<string, readonly PodOptions[]>>;
}

function cluster({ storage = {}, nodes = { n1: {} }, existing = {} }: Given): ClusterSnapshot {
  const snapshot = createSnapshot({ storage: buildStorage(storage) });
  for (const [name, options] of Object.entries(nodes)) {
    const pods = (existing[name] ?? []).map((pod, i) =>
      buildPod(`on-${name}-${i}`, { nodeName: name, ...pod }),
    );
    snapshot.addNode(buildNode(name, options), pods);
  }
  return snapshot;
}

function render(verdict: Verdict): string {
  if (verdict.fit) return 'fits';
  const message = verdict.message === undefined ? '' : ` [${verdict.message}]`;
  return `${verdict.plugin}: ${verdict.reasons.map(({ text }) => text).join(', ')}${message}`;
}

/** Verdict on n1 unless said otherwise. */
function judge(given: Given, incoming: PodOptions, nodeName = 'n1'): string {
  return render(cluster(given).check(buildPod('p', incoming), nodeName));
}

const claiming = (...claims: string[]): PodOptions => ({ claims });
const ephemeral = (name: string): PodOptions => ({
  claims: [`p-${name}`],
  shape: { volumes: [{ name, kind: 'ephemeral' }] },
});
const NO_BIND = "VolumeBinding: node(s) didn't find available persistent volumes to bind";
const NO_REACH = "VolumeBinding: node(s) didn't match PersistentVolume's node affinity";
const NO_SPACE = 'VolumeBinding: node(s) did not have enough free storage';
const TOO_MANY = 'NodeVolumeLimits: node(s) exceed max volume count';
const NO_ZONE = 'VolumeZone: node(s) had no available volume zone';
const TAKEN =
  'VolumeRestrictions: node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod';
const NO_DISK = 'VolumeRestrictions: node(s) had no available disk';
const hcloud = { classes: [buildClass()] };

describe('claims that keep a pod off every node', () => {
  it.each<[string, Given, PodOptions, string]>([
    // scheduling 6.I/104
    [
      'one that does not exist',
      {},
      claiming('data'),
      'VolumeRestrictions: persistentvolumeclaim "data" not found',
    ],
    // scheduling 6.I/105
    [
      'an ephemeral one that is still to be made',
      { storage: hcloud },
      ephemeral('tmp'),
      'VolumeBinding: waiting for ephemeral volume controller to create the persistentvolumeclaim "p-tmp"',
    ],
    // scheduling 6.I/106
    [
      'an unbound one of a class that binds at once',
      { storage: { claims: [buildClaim('d')], classes: [buildClass({ bindingMode: 'Immediate' })] } },
      claiming('d'),
      'VolumeBinding: pod has unbound immediate PersistentVolumeClaims',
    ],
    // scheduling 6.I/107
    [
      'one that is being deleted',
      { storage: { ...hcloud, claims: [buildClaim('d', { terminating: true })] } },
      claiming('d'),
      'VolumeBinding: persistentvolumeclaim "d" is being deleted',
    ],
    // scheduling 6.I/114
    [
      'one whose volume is gone',
      { storage: { ...hcloud, claims: [buildBoundClaim('d', { volumeName: 'gone' })] } },
      claiming('d'),
      'VolumeZone: persistentvolume "gone" not found',
    ],
    [
      'a lost one',
      { storage: { ...hcloud, claims: [buildBoundClaim('d', { phase: 'Lost' })] } },
      claiming('d'),
      'VolumeBinding: persistentvolumeclaim "d" bound to non-existent persistentvolume "pv-d"',
    ],
    [
      'an ephemeral one of somebody else',
      { storage: { ...hcloud, claims: [buildClaim('p-tmp', { controllerUid: 'other' })] } },
      ephemeral('tmp'),
      'VolumeBinding: PVC default/p-tmp was not created for pod default/p (pod is not owner)',
    ],
    [
      'one without a class',
      { storage: { claims: [buildClaim('d', { className: '' })] } },
      claiming('d'),
      'VolumeBinding: pod has unbound immediate PersistentVolumeClaims',
    ],
    [
      'one of a class that does not exist',
      { storage: { claims: [buildClaim('d')] } },
      claiming('d'),
      'VolumeBinding: pod has unbound immediate PersistentVolumeClaims',
    ],
    [
      'one that names a volume and waits to be bound to it',
      {
        storage: {
          ...hcloud,
          claims: [buildClaim('d', { volumeName: 'pv-d' })],
          volumes: [buildVolume('pv-d')],
        },
      },
      claiming('d'),
      'VolumeBinding: pod has unbound immediate PersistentVolumeClaims',
    ],
    [
      'one of a class that says nothing of binding',
      { storage: { claims: [buildClaim('d')], classes: [buildClass({ bindingMode: null })] } },
      claiming('d'),
      'VolumeBinding: VolumeBindingMode not set for StorageClass "hcloud-volumes"',
    ],
    [
      'the first of several problems: a missing claim before all others',
      { storage: { ...hcloud, claims: [buildClaim('d', { terminating: true })] } },
      claiming('d', 'missing'),
      'VolumeRestrictions: persistentvolumeclaim "missing" not found',
    ],
    [
      'the first of several problems: by the order of volumes',
      {
        storage: {
          ...hcloud,
          claims: [buildClaim('a', { terminating: true }), buildClaim('b', { phase: 'Lost' })],
        },
      },
      claiming('a', 'b'),
      'VolumeBinding: persistentvolumeclaim "a" is being deleted',
    ],
    [
      'a claim of another namespace',
      { storage: { ...hcloud, claims: [buildClaim('d', { namespace: 'x' })] } },
      claiming('d'),
      'VolumeRestrictions: persistentvolumeclaim "d" not found',
    ],
    [
      'a claim without a name',
      { storage: hcloud },
      claiming(''),
      'VolumeRestrictions: persistentvolumeclaim "" not found',
    ],
  ])('%s', (_, given, incoming, expected) => {
    // scheduling 0.2: said even of a node that is full and tainted
    const taints = [{ key: 'a', value: '', effect: 'NoSchedule' as const }];
    const nodes = { n1: { pods: 0, taints } };
    expect(judge({ ...given, nodes }, incoming)).toBe(`${expected} [PreFilter failed]`);
  });
});

describe('VolumeBinding', () => {
  const delayed = { ...hcloud, claims: [buildClaim('d')] };

  // scheduling 6.I/108
  it('lets the driver make a volume where the pod goes', () => {
    expect(judge({ storage: delayed }, claiming('d'))).toBe('fits');
  });

  // scheduling 6.I/109
  it('keeps to the topologies that the class allows', () => {
    const allowedTopologies = [[{ key: 'instance.hetzner.cloud/provided-by', values: ['cloud'] }]];
    const storage = { ...delayed, classes: [buildClass({ allowedTopologies })] };
    const on = (provider: string): string =>
      judge(
        { storage, nodes: { n1: { labels: { 'instance.hetzner.cloud/provided-by': provider } } } },
        claiming('d'),
      );
    expect([on('robot'), on('cloud'), judge({ storage }, claiming('d'))]).toEqual([NO_BIND, 'fits', NO_BIND]);
  });

  it.each([
    ['all requirements of one term', { a: '1', b: '2' }, 'fits'],
    ['not one of two', { a: '1', b: '9' }, NO_BIND],
    ['another term', { c: '3' }, 'fits'],
    ['an empty term is none', {}, NO_BIND],
  ])('reads terms as alternatives: %s', (_, labels, expected) => {
    const allowedTopologies = [
      [
        { key: 'a', values: ['1'] },
        { key: 'b', values: ['2'] },
      ],
      [{ key: 'c', values: ['3'] }],
      [],
    ];
    const storage = { ...delayed, classes: [buildClass({ allowedTopologies })] };
    expect(judge({ storage, nodes: { n1: { labels } } }, claiming('d'))).toBe(expected);
  });

  // scheduling 6.I/110
  it('finds a local volume only on the node that has it', () => {
    const storage = {
      classes: [buildClass({ provisioner: 'kubernetes.io/no-provisioner' })],
      claims: [buildClaim('d')],
      volumes: [buildVolume('local', { csi: null, nodeAffinity: nodesWith(HOSTNAME_LABEL, 'n1') })],
    };
    const given = { storage, nodes: { n1: {}, n2: {} } };
    expect([judge(given, claiming('d')), judge(given, claiming('d'), 'n2')]).toEqual(['fits', NO_BIND]);
  });

  // scheduling 6.I/111
  it('follows a bound volume', () => {
    const storage = {
      ...hcloud,
      claims: [buildBoundClaim('d')],
      volumes: [buildVolume('pv-d', { nodeAffinity: nodesWith(HCLOUD_LOCATION, 'fsn1') })],
    };
    const on = (location: string): string =>
      judge({ storage, nodes: { n1: { labels: { [HCLOUD_LOCATION]: location } } } }, claiming('d'));
    expect([on('nbg1'), on('fsn1')]).toEqual([NO_REACH, 'fits']);
  });

  it('looks at no fields of nodes, and takes an affinity without terms for one that nobody has', () => {
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['elsewhere'] }];
    const given = (nodeAffinity: ReturnType<typeof nodesWith>): Given => ({
      storage: {
        ...hcloud,
        claims: [buildBoundClaim('d')],
        volumes: [buildVolume('pv-d', { nodeAffinity })],
      },
    });
    expect(judge(given({ terms: [{ matchExpressions: [], matchFields }] }), claiming('d'))).toBe('fits');
    expect(judge(given({ terms: [] }), claiming('d'))).toBe(NO_REACH);
  });

  // scheduling 6.I/112
  it('goes where the volume is being made', () => {
    const storage = { ...hcloud, claims: [buildClaim('d', { selectedNode: 'n2' })] };
    const given = { storage, nodes: { n1: {}, n2: {} } };
    expect([judge(given, claiming('d')), judge(given, claiming('d'), 'n2')]).toEqual([NO_BIND, 'fits']);
  });

  // scheduling 6.I/119
  it('asks a driver that publishes its capacity', () => {
    const given = (size: number, location = 'fsn1'): Given => ({
      storage: {
        ...hcloud,
        claims: [buildClaim('d', { requestBytes: size })],
        csiDrivers: [{ name: HCLOUD_DRIVER, storageCapacity: true }],
        capacities: [
          {
            className: HCLOUD_CLASS,
            nodeTopology: {
              matchLabels: new Map([['location', 'fsn1']]),
              matchExpressions: [],
            },
            largestBytes: 50 * GIB,
          },
        ],
      },
      nodes: { n1: { labels: { location } } },
    });
    expect(judge(given(100 * GIB), claiming('d'))).toBe(NO_SPACE);
    expect(judge(given(50 * GIB), claiming('d'))).toBe('fits');
    expect(judge(given(50 * GIB, 'nbg1'), claiming('d'))).toBe(NO_SPACE);
  });

  it.each([
    ['the claim states no size', { claims: [buildClaim('d', { requestBytes: null })] }],
    ['the driver publishes nothing', { csiDrivers: [{ name: HCLOUD_DRIVER, storageCapacity: false }] }],
    ['the driver is not known', { csiDrivers: [] }],
  ])('does not ask for capacity where %s', (_, parts) => {
    const csiDrivers = [{ name: HCLOUD_DRIVER, storageCapacity: true }];
    expect(judge({ storage: { ...delayed, csiDrivers } }, claiming('d'))).toBe(NO_SPACE);
    expect(judge({ storage: { ...delayed, csiDrivers, ...parts } }, claiming('d'))).toBe('fits');
  });

  describe('chooses an existing volume', () => {
    const local = { classes: [buildClass({ provisioner: '' })], claims: [buildClaim('d')] };

    it.each<[string, Parameters<typeof buildVolume>[1], string]>([
      ['one that is large enough', {}, 'fits'],
      ['none that is too small', { capacityBytes: 9 * GIB }, NO_BIND],
      ['none of another class', { className: 'other' }, NO_BIND],
      ['none of another mode', { volumeMode: 'Block' }, NO_BIND],
      ['none with other attributes', { attributesClassName: 'fast' }, NO_BIND],
      ['none with other access', { accessModes: ['ReadOnlyMany'] }, NO_BIND],
      ['none that is released', { phase: 'Released' }, NO_BIND],
      ['none that is being deleted', { terminating: true }, NO_BIND],
      ['none of another claim', { claimRef: { namespace: 'default', name: 'x', uid: '' } }, NO_BIND],
      [
        'none of an earlier claim of the name',
        { claimRef: { namespace: 'default', name: 'd', uid: 'x' } },
        NO_BIND,
      ],
      [
        'the one that names the claim, whatever its phase and modes',
        { claimRef: { namespace: 'default', name: 'd', uid: '' }, phase: 'Released', accessModes: [] },
        'fits',
      ],
    ])('%s', (_, fields, expected) => {
      const storage = { ...local, volumes: [buildVolume('pv', fields)] };
      expect(judge({ storage }, claiming('d'))).toBe(expected);
    });

    it('the one that its selector names', () => {
      const selector = { matchLabels: new Map([['disk', 'ssd']]), matchExpressions: [] };
      const given = (disk: string): Given => ({
        storage: {
          ...local,
          claims: [buildClaim('d', { selector })],
          volumes: [buildVolume('pv', { labels: new Map([['disk', disk]]) })],
        },
      });
      expect([judge(given('ssd'), claiming('d')), judge(given('hdd'), claiming('d'))]).toEqual([
        'fits',
        NO_BIND,
      ]);
    });

    it('no other where the one that names the claim is out of reach', () => {
      const named = buildVolume('named', {
        claimRef: { namespace: 'default', name: 'd', uid: 'uid-claim-d' },
        nodeAffinity: nodesWith(HOSTNAME_LABEL, 'n2'),
      });
      const storage = { ...local, volumes: [buildVolume('open'), named] };
      const given = { storage, nodes: { n1: {}, n2: {} } };
      expect([judge(given, claiming('d')), judge(given, claiming('d'), 'n2')]).toEqual([NO_BIND, 'fits']);
    });

    it('each at most once for a pod, the smallest that does for the smallest claim', () => {
      const claims = [buildClaim('large', { requestBytes: 20 * GIB }), buildClaim('small')];
      const given = (...sizes: number[]): Given => ({
        storage: {
          ...local,
          claims,
          volumes: sizes.map((size, i) => buildVolume(`pv-${i}`, { capacityBytes: size * GIB })),
        },
      });
      const both = claiming('large', 'small');
      expect(judge(given(20), both)).toBe(NO_BIND);
      expect(judge(given(30, 20), both)).toBe('fits');
      expect(judge(given(20, 10), both)).toBe('fits');
      expect(judge(given(10, 10), both)).toBe(NO_BIND);
    });
  });

  it('tells several reasons in a fixed order', () => {
    const storage = {
      classes: [buildClass(), buildClass({ name: 'none', provisioner: '' })],
      claims: [
        buildBoundClaim('a'),
        buildClaim('b', { className: 'none' }),
        buildBoundClaim('p-c', { controllerUid: 'me', volumeName: 'gone' }),
      ],
      volumes: [buildVolume('pv-a', { nodeAffinity: { terms: [] } })],
    };
    const text = NO_BIND.replace('VolumeBinding: ', '');
    expect(judge({ storage }, claiming('b', 'a'))).toBe(`${NO_REACH}, ${text}`);
    const volumes: PodVolume[] = [
      { name: 'c', kind: 'ephemeral' },
      { name: 'b', kind: 'claim' },
    ];
    expect(judge({ storage }, { uid: 'me', claims: ['p-c', 'b'], shape: { volumes } })).toBe(
      `${NO_BIND}, node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)`,
    );
  });
});

describe('VolumeZone', () => {
  const zone = 'topology.kubernetes.io/zone';
  const beta = 'failure-domain.beta.kubernetes.io/zone';
  const on = (volume: Record<string, string>, labels: Record<string, string>): string =>
    judge(
      {
        storage: {
          ...hcloud,
          claims: [buildBoundClaim('d')],
          volumes: [buildVolume('pv-d', { labels: new Map(Object.entries(volume)) })],
        },
        nodes: { n1: { labels } },
      },
      claiming('d'),
    );

  it.each<[string, Record<string, string>, Record<string, string>, string]>([
    // scheduling 6.I/113
    ['refuses another zone', { [zone]: 'fsn1__nbg1' }, { [zone]: 'hel1' }, NO_ZONE],
    // scheduling 6.I/113
    ['takes one of several zones', { [zone]: 'fsn1__nbg1' }, { [zone]: 'nbg1' }, 'fits'],
    // scheduling 6.I/113
    ['takes a node without zone and region', { [zone]: 'fsn1__nbg1' }, {}, 'fits'],
    [
      'misses the key on a node that has another',
      { [zone]: 'a' },
      { 'topology.kubernetes.io/region': 'r' },
      NO_ZONE,
    ],
    ['reads a beta key under its new name', { [beta]: 'a' }, { [zone]: 'a' }, 'fits'],
    ['does not read a new key under its beta name', { [zone]: 'a' }, { [beta]: 'a' }, NO_ZONE],
    ['drops blanks around names', { [zone]: ' a __ b ' }, { [zone]: 'b' }, 'fits'],
    ['ignores a label with an empty part', { [zone]: 'a__' }, { [zone]: 'b' }, 'fits'],
  ])('%s', (_, volume, labels, expected) => {
    expect(on(volume, labels)).toBe(expected);
  });
});

describe('NodeVolumeLimits', () => {
  const volumeLimits = new Map([[HCLOUD_DRIVER, 16]]);
  const names = Array.from({ length: 40 }, (_, i) => `c${i}`);
  const storage = {
    ...hcloud,
    claims: names.map((name) => buildBoundClaim(name)),
    volumes: names.map((name) => buildVolume(`pv-${name}`)),
  };
  const fresh = { ...storage, claims: [...storage.claims, buildClaim('new'), buildClaim('new-2')] };
  const given = (used: number, node: NodeOptions = { volumeLimits }): Given => ({
    storage: fresh,
    nodes: { n1: node },
    existing: { n1: names.slice(0, used).map((name) => claiming(name)) },
  });

  it.each<[string, Given, PodOptions, string]>([
    // scheduling 6.I/115
    ['takes the last volume', given(15), claiming('new'), 'fits'],
    // scheduling 6.I/115
    ['refuses one more', given(16), claiming('new'), TOO_MANY],
    // scheduling 6.I/115
    ['refuses two where one is left', given(15), claiming('new', 'new-2'), TOO_MANY],
    // scheduling 6.I/116
    ['does not count a volume twice', given(16), claiming('c0'), 'fits'],
    // scheduling 6.I/117
    ['has no limit where none is known', given(16, {}), claiming('new'), 'fits'],
    [
      'has no limit for a driver that names none',
      given(16, { volumeLimits: new Map([[HCLOUD_DRIVER, Infinity]]) }),
      claiming('new'),
      'fits',
    ],
    [
      'has no limit for other drivers',
      given(16, { volumeLimits: new Map([['other', 1]]) }),
      claiming('new'),
      'fits',
    ],
    ['takes what is shared with a pod there beside something new', given(15), claiming('c0', 'new'), 'fits'],
    ['takes a pod that brings nothing new even beyond the limit', given(17), claiming('c0'), 'fits'],
  ])('%s', (_, world, incoming, expected) => {
    expect(judge(world, incoming)).toBe(expected);
  });

  it('says how many there may be', () => {
    const verdict = cluster(given(16)).check(buildPod('p', claiming('new', 'new-2')), 'n1');
    expect(verdict).toMatchObject({ reasons: [{ subject: HCLOUD_DRIVER, asked: 2, free: 0, limit: 16 }] });
  });

  it('counts attached volumes once, and one that no pod uses against a pod that wants it', () => {
    const attachments: VolumeAttachment[] = ['pv-c0', 'pv-c1', 'gone'].map((volumeName) => ({
      nodeName: 'n1',
      attacher: HCLOUD_DRIVER,
      volumeName,
    }));
    const limited = { volumeLimits: new Map([[HCLOUD_DRIVER, 2]]) };
    const world = (used: readonly string[]): Given => ({
      storage: { ...fresh, attachments },
      nodes: { n1: limited },
      existing: { n1: used.map((name) => claiming(name)) },
    });
    expect(judge(world(['c0', 'c1']), claiming('c0'))).toBe('fits');
    expect(judge(world(['c0']), claiming('c1'))).toBe(TOO_MANY);
    expect(judge(world([]), claiming('new'))).toBe(TOO_MANY);
    const two = { ...world(['c0']), nodes: { n1: { volumeLimits: new Map([[HCLOUD_DRIVER, 3]]) } } };
    expect(judge(two, claiming('new'))).toBe('fits');
    expect(judge(two, claiming('new', 'new-2'))).toBe(TOO_MANY);
  });

  it.each<[string, Partial<ClusterStorage>]>([
    [
      'is of no CSI driver',
      { volumes: [buildVolume('pv-d', { csi: null })], claims: [buildBoundClaim('d')] },
    ],
    [
      'has no handle',
      {
        volumes: [buildVolume('pv-d', { csi: { driver: HCLOUD_DRIVER, volumeHandle: '' } })],
        claims: [buildBoundClaim('d')],
      },
    ],
  ])('does not count a volume that %s', (_, parts) => {
    const full = { n1: { volumeLimits: new Map([[HCLOUD_DRIVER, 0]]) } };
    expect(judge({ storage: { ...hcloud, ...parts }, nodes: full }, claiming('d'))).toBe('fits');
  });

  it('follows pods through forks, and one volume through several pods', () => {
    const snapshot = cluster({
      storage: fresh,
      nodes: { n1: { volumeLimits: new Map([[HCLOUD_DRIVER, 2]]) }, n2: {} },
    });
    const check = (...claims: string[]): string =>
      render(snapshot.check(buildPod('p', claiming(...claims)), 'n1'));
    const place = (name: string): Pod => {
      const pod = buildPod(name, claiming(name));
      expect(snapshot.place(pod, 'n1').fit).toBe(true);
      return pod;
    };
    place('c0');
    snapshot.fork();
    const second = place('c1');
    expect([check('new'), check('c1'), check('c0', 'c1')]).toEqual([TOO_MANY, 'fits', 'fits']);
    const twin = buildPod('twin', claiming('c1'));
    snapshot.addPod(twin, 'n1');
    snapshot.removePod(second, 'n1');
    expect(check('new')).toBe(TOO_MANY);
    snapshot.removePod(twin, 'n1');
    expect(check('new')).toBe('fits');
    snapshot.revert();
    expect([check('c1'), check('new'), check('new', 'new-2')]).toEqual(['fits', 'fits', TOO_MANY]);
    snapshot.fork();
    snapshot.removeNode('n1');
    expect(snapshot.place(buildPod('moved', claiming('c0')), 'n2').fit).toBe(true);
    snapshot.revert();
    expect([check('new'), check('new', 'new-2')]).toEqual(['fits', TOO_MANY]);
  });

  it('finds a node anew that another pod has made fit by sharing', () => {
    const limits = { volumeLimits: new Map([[HCLOUD_DRIVER, 1]]) };
    const snapshot = cluster({
      storage: fresh,
      nodes: { n1: limits, n2: limits, n3: {} },
      existing: { n1: [claiming('c1')], n2: [claiming('c2')], n3: [claiming('c0')] },
    });
    snapshot.removeNode('n3');
    snapshot.addNode(buildNode('n4', { pods: 1 }), [buildPod('user', claiming('c0'))]);
    expect(snapshot.placeAnywhere(buildPod('p', claiming('c0'))).fit).toBe(false);
    snapshot.addPod(buildPod('forced', claiming('c0')), 'n2');
    expect(snapshot.placeAnywhere(buildPod('p', claiming('c0')))).toEqual({ fit: true, nodeName: 'n2' });
  });
});

describe('VolumeRestrictions', () => {
  const exclusive = { ...hcloud, claims: [buildClaim('d', { accessModes: ['ReadWriteOncePod'] })] };

  // scheduling 6.I/118
  it('lets one pod of the cluster have a claim for itself', () => {
    const given = { storage: exclusive, nodes: { n1: {}, n2: {} }, existing: { n2: [claiming('d')] } };
    expect(judge(given, claiming('d'))).toBe(TAKEN);
    expect(judge({ ...given, existing: { n2: [{ ...claiming('d'), namespace: 'x' }] } }, claiming('d'))).toBe(
      'fits',
    );
    expect(judge({ ...given, existing: { n2: [{ ...claiming('d'), deletionMs: 1 }] } }, claiming('d'))).toBe(
      TAKEN,
    );
  });

  it('frees the claim when its pod goes, and takes it again with a revert', () => {
    const snapshot = cluster({
      storage: exclusive,
      nodes: { n1: {}, n2: {} },
      existing: { n2: [claiming('d')] },
    });
    const check = (): string => render(snapshot.check(buildPod('p', claiming('d')), 'n1'));
    snapshot.fork();
    snapshot.removeNode('n2');
    expect(check()).toBe('fits');
    snapshot.revert();
    expect(check()).toBe(TAKEN);
  });

  it('does not keep a shared claim from several nodes', () => {
    const storage = { ...hcloud, claims: [buildClaim('d')] };
    const given = { storage, nodes: { n1: {}, n2: {} }, existing: { n2: [claiming('d')] } };
    expect(judge(given, claiming('d'))).toBe('fits');
  });

  const disk = (fields: Partial<LegacyDisk>): PodOptions => ({
    shape: {
      volumes: [
        {
          name: 'v',
          kind: 'other',
          disk: { type: 'gcePersistentDisk', name: 'd', monitors: [], readOnly: false, ...fields },
        },
      ],
    },
  });
  const rbd = (...monitors: string[]): PodOptions => disk({ type: 'rbd', name: 'rbd/i', monitors });

  it.each<[string, PodOptions, PodOptions, string]>([
    // scheduling 6.I/120
    [
      'an EBS disk',
      disk({ type: 'awsElasticBlockStore', name: 'vol-1' }),
      disk({ type: 'awsElasticBlockStore', name: 'vol-1', readOnly: true }),
      NO_DISK,
    ],
    [
      'an EBS disk that both only read',
      disk({ type: 'awsElasticBlockStore', readOnly: true }),
      disk({ type: 'awsElasticBlockStore', readOnly: true }),
      NO_DISK,
    ],
    [
      'another EBS disk',
      disk({ type: 'awsElasticBlockStore' }),
      disk({ type: 'awsElasticBlockStore', name: 'x' }),
      'fits',
    ],
    ['a GCE disk', disk({}), disk({ readOnly: true }), NO_DISK],
    ['a GCE disk that both only read', disk({ readOnly: true }), disk({ readOnly: true }), 'fits'],
    ['a disk of another type', disk({}), disk({ type: 'iscsi' }), 'fits'],
    ['an iSCSI disk', disk({ type: 'iscsi' }), disk({ type: 'iscsi' }), NO_DISK],
    ['a Ceph image of a common monitor', rbd('a', 'b'), rbd('b', 'c'), NO_DISK],
    ['a Ceph image of other monitors', rbd('a'), rbd('b'), 'fits'],
  ])('tells apart who mounts %s', (_, existing, incoming, expected) => {
    expect(judge({ existing: { n1: [existing] } }, incoming)).toBe(expected);
  });

  it('tells of disks before it tells of claims', () => {
    const wanted = { ...disk({}), ...claiming('d') };
    const given = {
      storage: exclusive,
      nodes: { n1: {}, n2: {} },
      existing: { n1: [disk({})], n2: [claiming('d')] },
    };
    expect([judge(given, wanted), judge(given, wanted, 'n2')]).toEqual([NO_DISK, TAKEN]);
  });

  it('follows disks through forks', () => {
    const snapshot = cluster({});
    const check = (): string => render(snapshot.check(buildPod('p', disk({})), 'n1'));
    expect(check()).toBe('fits');
    snapshot.fork();
    expect(snapshot.place(buildPod('q', disk({})), 'n1').fit).toBe(true);
    expect(check()).toBe(NO_DISK);
    snapshot.revert();
    expect(check()).toBe('fits');
  });
});
