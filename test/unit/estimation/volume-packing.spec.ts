import fc from 'fast-check';
import { estimateByRuns } from '../../../src/domain/estimation/estimate-by-runs.js';
import type { Estimate } from '../../../src/domain/estimation/estimate.js';
import type { LegacyDisk, Pod } from '../../../src/domain/kubernetes/pod.js';
import type { ClusterStorage } from '../../../src/domain/kubernetes/storage.js';
import { VolumeClasses, classifyPods, createSnapshot } from '../../../src/domain/simulation/index.js';
import { packOneByOne } from '../../reference/pack-one-by-one.js';
import { buildNode, buildPod, buildTemplate } from '../../support/builders.js';
import type { NodeOptions, PodOptions } from '../../support/builders.js';
import {
  HCLOUD_DRIVER,
  HCLOUD_LOCATION,
  buildBoundClaim,
  buildClaim,
  buildClass,
  buildStorage,
  buildVolume,
  nodesWith,
} from '../../support/storage-builders.js';

const LIMIT_16 = { volumeLimits: new Map([[HCLOUD_DRIVER, 16]]) };

interface Given {
  readonly storage: Partial<ClusterStorage>;
  readonly template?: NodeOptions;
  readonly pods: readonly Pod[];
  readonly existing?: readonly Pod[];
  readonly own?: readonly Pod[];
  readonly maxNodes?: number;
}

function pack({ storage, template = LIMIT_16, pods, existing = [], own = [], maxNodes }: Given): {
  estimate: Estimate;
  byName: (prefix: string) => number;
} {
  const all = buildStorage(storage);
  const snapshot = createSnapshot({ storage: all });
  snapshot.addNode(buildNode('old', { pods: existing.length }), existing);
  const { classes } = classifyPods(pods, null, new VolumeClasses(all, [...pods, ...existing]));
  const stencil = buildTemplate('g', template, own);
  const estimate = estimateByRuns(snapshot, stencil, classes, { maxNodes: maxNodes ?? null });
  const placed = classes.flatMap((each, i) => each.pods.slice(0, estimate.placed[i]));
  return { estimate, byName: (prefix) => placed.filter(({ name }) => name.startsWith(prefix)).length };
}

const hcloud = { classes: [buildClass()] };

function stateful(count: number, claimsEach = 1, options: PodOptions = {}): Pick<Given, 'pods' | 'storage'> {
  const claimsOf = (i: number): string[] => Array.from({ length: claimsEach }, (_, k) => `data-${k}-db-${i}`);
  const numbers = Array.from({ length: count }, (_, i) => i);
  return {
    pods: numbers.map((i) => buildPod(`db-${i}`, { cpuMilli: 10, claims: claimsOf(i), ...options })),
    storage: { ...hcloud, claims: numbers.flatMap(claimsOf).map((name) => buildClaim(name)) },
  };
}

function shared(count: number, accessModes: readonly string[]): Pick<Given, 'pods' | 'storage'> {
  return {
    pods: Array.from({ length: count }, (_, i) =>
      buildPod(`web-${i}`, { cpuMilli: 1_000, claims: ['common'] }),
    ),
    storage: { ...hcloud, claims: [buildClaim('common', { accessModes })] },
  };
}

function disk(fields: Partial<LegacyDisk>): PodOptions {
  const whole: LegacyDisk = {
    type: 'gcePersistentDisk',
    name: 'd',
    monitors: [],
    readOnly: false,
    ...fields,
  };
  return { shape: { volumes: [{ name: 'd', kind: 'other', disk: whole }] } };
}

describe('packing of pods with volumes', () => {
  // scheduling 5.7 step 1
  it.each([
    ['one volume each', 1, 40, 3],
    ['two volumes each', 2, 40, 5],
    ['three volumes each', 3, 40, 8],
    ['more than a node holds', 17, 2, 0],
  ])('divides the places of a node: %s', (_, claimsEach, count, nodeCount) => {
    const { estimate } = pack(stateful(count, claimsEach));
    expect(estimate.nodeCount).toBe(nodeCount);
    expect(estimate.placed.reduce((sum, placed) => sum + placed, 0)).toBe(nodeCount === 0 ? 0 : count);
  });

  it('makes one class of pods that differ in the names of their claims', () => {
    const { pods, storage } = stateful(40);
    const { classes } = classifyPods(pods, null, new VolumeClasses(buildStorage(storage), pods));
    expect(classes.map((each) => each.pods.length)).toEqual([40]);
  });

  it('has no limit where none is known', () => {
    expect(pack({ ...stateful(40), template: {} }).estimate.nodeCount).toBe(1);
  });

  it('leaves places to what every node brings along', () => {
    const { pods, storage } = stateful(28);
    const own = [buildPod('agent', { claims: ['agent-a', 'agent-b'] })];
    const claims = [...storage.claims!, buildBoundClaim('agent-a'), buildBoundClaim('agent-b')];
    const volumes = [buildVolume('pv-agent-a'), buildVolume('pv-agent-b')];
    expect(pack({ pods, own, storage: { ...storage, claims, volumes } }).estimate.nodeCount).toBe(2);
  });

  it('fills the places that another class leaves', () => {
    const two = stateful(12, 2, { cpuMilli: 20 });
    const pods = [
      ...two.pods,
      ...Array.from({ length: 8 }, (_, i) => buildPod(`one-${i}`, { claims: [`c${i}`] })),
    ];
    const claims = [...two.storage.claims!, ...pods.slice(12).map((pod) => buildClaim(pod.claims[0]!))];
    expect(pack({ pods, storage: { ...hcloud, claims } }).estimate.nodeCount).toBe(2);
  });

  it('attaches a shared volume once to each node', () => {
    const one = { volumeLimits: new Map([[HCLOUD_DRIVER, 1]]) };
    const { estimate } = pack({ ...shared(8, ['ReadWriteMany']), template: one });
    expect([estimate.nodeCount, estimate.placed]).toEqual([2, [8]]);
    const none = { volumeLimits: new Map([[HCLOUD_DRIVER, 0]]) };
    expect(pack({ ...shared(8, ['ReadWriteMany']), template: none }).estimate.nodeCount).toBe(0);
  });

  // scheduling 5.7 step 2
  it('places one pod of several that ask for a claim for one', () => {
    const { estimate } = pack(shared(3, ['ReadWriteOncePod']));
    expect([estimate.nodeCount, estimate.placed]).toEqual([1, [1]]);
    expect(estimate.rejections[0]).toMatchObject({ plugin: 'VolumeRestrictions' });
    expect(estimate.stoppedBy).toBeNull();
  });

  it('places one pod of several classes that ask for a claim for one', () => {
    const claims = [buildClaim('common', { accessModes: ['ReadWriteOncePod'] })];
    const pods = [1_000, 500].map((cpuMilli) => buildPod(`p-${cpuMilli}`, { cpuMilli, claims: ['common'] }));
    const { estimate, byName } = pack({ pods, storage: { ...hcloud, claims } });
    expect([estimate.nodeCount, byName('p-1000'), byName('p-500')]).toEqual([1, 1, 0]);
  });

  it('gives every pod its own claim for one', () => {
    const { pods, storage } = stateful(20);
    const claims = storage.claims!.map((claim) => ({ ...claim, accessModes: ['ReadWriteOncePod'] }));
    expect(pack({ pods, storage: { ...storage, claims } }).estimate.placed).toEqual([20]);
  });

  it.each<[string, PodOptions, number]>([
    ['one pod on a node for a disk that is written', disk({}), 5],
    ['any for a disk that is only read', disk({ readOnly: true }), 1],
    ['one for an EBS disk, however it is used', disk({ type: 'awsElasticBlockStore', readOnly: true }), 5],
  ])('keeps %s', (_, options, nodeCount) => {
    const pods = Array.from({ length: 5 }, (_unused, i) => buildPod(`p-${i}`, options));
    expect(pack({ pods, storage: {} }).estimate.nodeCount).toBe(nodeCount);
  });

  it('places nothing where the volumes are out of reach', () => {
    const { pods } = stateful(3);
    const storage = {
      ...hcloud,
      claims: pods.map((pod) => buildBoundClaim(pod.claims[0]!)),
      volumes: pods.map((pod) =>
        buildVolume(`pv-${pod.claims[0]!}`, { nodeAffinity: nodesWith(HCLOUD_LOCATION, 'fsn1') }),
      ),
    };
    const at = (location: string): number =>
      pack({ pods, storage, template: { ...LIMIT_16, labels: { [HCLOUD_LOCATION]: location } } }).estimate
        .nodeCount;
    expect([at('nbg1'), at('fsn1')]).toEqual([0, 1]);
  });
});

describe('packing of pods with volumes, in general', () => {
  const claimName = fc.constantFrom('s0', 's1', 's2', 'o0', 'o1');
  const kind = fc.record({
    cpuMilli: fc.constantFrom(0, 1, 2, 3),
    own: fc.constantFrom(0, 0, 1, 2),
    otherOwn: fc.constantFrom(0, 0, 1),
    shared: fc.uniqueArray(claimName, { maxLength: 2 }),
    disk: fc.option(fc.record({ name: fc.constantFrom('a', 'b'), readOnly: fc.boolean() }), { freq: 3 }),
    count: fc.integer({ min: 1, max: 7 }),
  });
  const limit = fc.option(fc.integer({ min: 0, max: 4 }), { freq: 3 });
  const world = fc.record({
    kinds: fc.array(kind, { minLength: 1, maxLength: 4 }),
    limits: fc.tuple(limit, limit),
    maxNodes: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 3 }),
    agent: fc.option(fc.uniqueArray(claimName, { maxLength: 2 }), { freq: 2 }),
    used: fc.option(claimName, { freq: 2 }),
  });

  type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

  /** Claims `s…` may be shared, `o…` are for one pod; the rest is of one pod of its own. */
  function build({ kinds, agent, used }: World) {
    const classes = [buildClass(), buildClass({ name: 'other', provisioner: 'other' })];
    const claims = ['s0', 's1', 's2'].map((name) =>
      buildClaim(name, { className: name === 's2' ? 'other' : 'hcloud-volumes' }),
    );
    claims.push(...['o0', 'o1'].map((name) => buildClaim(name, { accessModes: ['ReadWriteOncePod'] })));
    const pods = kinds.flatMap(({ cpuMilli, own, otherOwn, shared: names, disk: mount, count }, k) =>
      Array.from({ length: count }, (_, i) => {
        const mine = Array.from({ length: own }, (_unused, c) => `own-${k}-${i}-${c}`);
        const others = Array.from({ length: otherOwn }, (_unused, c) => `other-${k}-${i}-${c}`);
        claims.push(...mine.map((name) => buildClaim(name)));
        claims.push(...others.map((name) => buildClaim(name, { className: 'other' })));
        const options = mount === null ? {} : disk(mount);
        return buildPod(`p-${k}-${i}`, { cpuMilli, claims: [...mine, ...others, ...names], ...options });
      }),
    );
    const own = agent === null ? [] : [buildPod('agent', { claims: agent })];
    const existing = used === null ? [] : [buildPod('user', { claims: [used], nodeName: 'old' })];
    return { storage: buildStorage({ classes, claims }), pods, own, existing };
  }

  // scheduling 5.7, 5.8
  it('is that of placing the pods one by one', () => {
    fc.assert(
      fc.property(world, (given) => {
        const { storage, pods, own, existing } = build(given);
        const [hetzner, other] = given.limits;
        const volumeLimits = new Map<string, number>();
        if (hetzner !== null) volumeLimits.set(HCLOUD_DRIVER, hetzner);
        if (other !== null) volumeLimits.set('other', other);
        const template = buildTemplate('g', { cpuMilli: 6, pods: 6, volumeLimits }, own);
        const { classes } = classifyPods(
          pods,
          null,
          new VolumeClasses(storage, [...pods, ...own, ...existing]),
        );
        const snapshot = (): ReturnType<typeof createSnapshot> => {
          const made = createSnapshot({ storage });
          made.addNode(buildNode('old', { pods: 0 }), existing);
          return made;
        };
        const limits = { maxNodes: given.maxNodes };
        const { nodeCount, placed } = estimateByRuns(snapshot(), template, classes, limits);
        expect({ nodeCount, placed }).toEqual(packOneByOne(snapshot(), template, classes, limits));
      }),
      { numRuns: 1_000 },
    );
  });
});
