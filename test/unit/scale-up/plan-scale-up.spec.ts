import { buildExpanderChain } from '../../../src/domain/expansion/index.js';
import type { Expander } from '../../../src/domain/expansion/index.js';
import type { Quota } from '../../../src/domain/node-group/index.js';
import {
  DEFAULT_SCALE_UP_POLICY,
  planScaleUp,
  podEvents,
  runToEnd,
} from '../../../src/domain/scale-up/index.js';
import { GIB, MINUTE, T0, buildNode, buildPod } from '../../support/builders.js';
import { fates, options, pending, plan, planInput, prepare, reasonTexts, sizes } from './scale-up-world.js';
import type { Cluster, Pool } from './scale-up-world.js';

/** Makes one group win whatever the others offer. */
const prefer = (groupId: string): readonly Expander[] => [
  { name: 'most-pods', score: (option) => (option.groupId === groupId ? 0 : 1) },
];
const quota = (limits: Record<string, number>, pool?: string): Quota => ({
  id: pool === undefined ? 'cluster-wide' : `CapacityQuota/${pool}`,
  selector: pool === undefined ? null : { matchLabels: new Map([['pool', pool]]), matchExpressions: [] },
  limits: new Map(Object.entries(limits)),
});
const cores = (count: number, fields: Pool = {}): Pool => ({ node: { cpuMilli: count * 1_000 }, ...fields });

describe('one pod', () => {
  // scale-up 14/1
  it('makes the group grow in which it fits', () => {
    const result = plan({
      pools: {
        ng1: { size: 1, node: { cpuMilli: 100 }, busyMilli: 80 },
        ng2: { size: 1, node: { cpuMilli: 1000 }, busyMilli: 800 },
      },
      pods: pending(1, 500),
    });
    expect(sizes(result)).toEqual(['ng2 1->2']);
    expect(fates(result.reports).triggered).toEqual(['p500-0']);
    const events = podEvents({ ...result, increases: result.increases });
    expect(events.map(({ reason, message }) => [reason, message])).toEqual([
      ['TriggeredScaleUp', 'pod triggered scale-up: [{ng2 1->2 (max: 100)}]'],
    ]);
  });

  // scale-up 14/28
  it('that fits nowhere is told so, by reason and number of groups', () => {
    const pods = pending(1, 500);
    const result = plan({
      pools: { ng1: { node: { cpuMilli: 100 } }, ng2: { node: { cpuMilli: 100 } } },
      pods,
    });
    expect(result.result).toBe('ScaleUpNoOptionsAvailable');
    expect(podEvents(result)).toEqual([
      {
        pod: pods[0],
        type: 'Normal',
        reason: 'NotTriggerScaleUp',
        message: "pod didn't trigger scale-up: 2 Insufficient cpu",
      },
    ]);
  });

  it('that nothing can help because there is no group ends the text after the colon', () => {
    const result = plan({ pools: {}, pods: pending(1, 1) });
    expect(podEvents(result)[0]?.message).toBe("pod didn't trigger scale-up: ");
  });
});

it('leaves the snapshot as it was', () => {
  const cluster: Cluster = { pools: { ng1: cores(4, { size: 2 }) }, pods: pending(9, 1000) };
  const prepared = prepare(cluster);
  const before = prepared.snapshot.nodeNames();
  runToEnd(planScaleUp(planInput(cluster, prepared), DEFAULT_SCALE_UP_POLICY));
  expect(prepared.snapshot.nodeNames()).toEqual(before);
});

// scale-up 14/2
it('reports pods that trigger, remain and await', () => {
  const pools = {
    ng1: { size: 1, node: { cpuMilli: 100, memoryBytes: 1000 } },
    ng2: { size: 1, node: { cpuMilli: 1000, memoryBytes: 100 } },
  };
  const pods = [
    buildPod('triggering', { cpuMilli: 900 }),
    buildPod('remaining', { cpuMilli: 2000 }),
    buildPod('awaiting', { memoryBytes: 200 }),
  ];
  const result = plan({ pools, pods, policy: { expanders: prefer('ng2') } });
  expect(sizes(result)).toEqual(['ng2 1->2']);
  expect(fates(result.reports)).toEqual({
    triggered: ['triggering'],
    remaining: ['remaining'],
    awaiting: ['awaiting'],
  });
});

describe('a group that may only be empty or full', () => {
  const atomic = (maxSize: number, fields: Pool = {}): Pool =>
    cores(1, { maxSize, options: { zeroOrMaxNodeScaling: true }, ...fields });

  // scale-up 14/3
  it('grows to its maximum at once', () => {
    expect(sizes(plan({ pools: { ng2: atomic(5) }, pods: pending(1, 1000) }))).toEqual(['ng2 0->5']);
  });

  it('grows by what is missing when it is not empty', () => {
    expect(sizes(plan({ pools: { ng2: atomic(5, { size: 2 }) }, pods: pending(1, 1000) }))).toEqual([
      'ng2 2->5',
    ]);
  });

  // scale-up 14/4
  it('is not balanced with others', () => {
    const policy = { balanceSimilarGroups: true, expanders: prefer('ng3') };
    const result = plan({ pools: { ng2: atomic(5), ng3: atomic(4) }, pods: pending(4, 1000), policy });
    expect(sizes(result)).toEqual(['ng3 0->4']);
  });

  // scale-up 14/5
  it('grows to its maximum for one pod of three', () => {
    const label = { labels: { kind: 'normal' } };
    const pods = [
      buildPod('fits', { cpuMilli: 1000 }),
      buildPod('nowhere', { cpuMilli: 9000 }),
      buildPod('elsewhere', { cpuMilli: 100, shape: { nodeSelector: new Map([['kind', 'normal']]) } }),
    ];
    const pools = { ng1: { node: { cpuMilli: 200, ...label } }, ng2: atomic(5) };
    const result = plan({ pools, pods, policy: { expanders: prefer('ng2') } });
    expect(sizes(result)).toEqual(['ng2 0->5']);
    expect(fates(result.reports)).toEqual({
      triggered: ['fits'],
      remaining: ['nowhere'],
      awaiting: ['elsewhere'],
    });
  });

  // scale-up 14/6, 14/7
  it.each([
    ['cpu', { cpu: 3 }],
    ['memory', { memory: 3000 }],
  ])('is skipped when a limit of %s forbids all of it', (resource, limits) => {
    const node = { cpuMilli: 1000, memoryBytes: 1000 };
    const foreign = [buildNode('other', node)];
    const result = plan({
      pools: { ng: { ...atomic(3), node } },
      foreign,
      pods: pending(1, 1000),
      quotas: [quota(limits)],
    });
    expect(sizes(result)).toEqual([]);
    expect(podEvents(result)[0]?.message).toBe(
      `pod didn't trigger scale-up: 1 exceeded quota: "cluster-wide", resources: ${resource}`,
    );
    expect(result.limitHits).toEqual([resource]);
  });

  // scale-up 14/8
  it('is skipped when the cluster would have too many nodes', () => {
    const foreign = [buildNode('a'), buildNode('b')].map((node) => ({ ...node, unschedulable: true }));
    const result = plan({
      pools: { ng: atomic(5) },
      foreign,
      pods: pending(1, 1000),
      policy: { maxNodesTotal: 5 },
    });
    expect(reasonTexts(result, 'skipped')).toEqual({
      ng: ['atomic scale-up exceeds cluster node count limit'],
    });
  });
});

describe('cluster-wide limits', () => {
  const twoCores = cores(2, { size: 1, busyMilli: 2_000 });

  // scale-up 14/9, 14/10; differs: only the pod that gets a place counts as triggering (scale-up 15/12)
  it.each([
    ['of groups', { ng1: cores(4, { size: 1, busyMilli: 4_000 }), ng2: twoCores }, []],
    ['of no group', { ng2: twoCores }, [buildNode('foreign', { cpuMilli: 4_000, unschedulable: true })]],
  ])('of cores cut the growth, nodes %s in use', (_, pools, foreign) => {
    const policy = { expanders: prefer('ng2') };
    const result = plan({ pools, foreign, pods: pending(2, 2_000), quotas: [quota({ cpu: 9 })], policy });
    expect(sizes(result)).toEqual(['ng2 1->2']);
    expect(options(result).ng2).toBe(2);
    expect(fates(result.reports)).toMatchObject({ triggered: ['p2000-0'], awaiting: ['p2000-1'] });
  });

  // scale-up 14/11
  it('of memory cut the growth', () => {
    const node = { memoryBytes: 100, cpuMilli: 1000 };
    const foreign = [buildNode('big', { memoryBytes: 1000, unschedulable: true })];
    const result = plan({
      pools: { ng: { size: 1, node, busyMilli: 1000 } },
      foreign,
      pods: pending(3, 1000),
      quotas: [quota({ memory: 1300 })],
    });
    expect(options(result)).toEqual({ ng: 3 });
    expect(sizes(result)).toEqual(['ng 1->3']);
  });

  // scale-up 14/20
  it('of nodes cut the growth, foreign nodes counted', () => {
    const foreign = [buildNode('foreign', { unschedulable: true })];
    const result = plan({
      pools: { ng: cores(1, { size: 1, busyMilli: 1000 }) },
      foreign,
      pods: pending(3, 1000),
      policy: { maxNodesTotal: 3 },
    });
    expect(sizes(result)).toEqual(['ng 1->2']);
    expect(fates(result.reports).triggered).toHaveLength(1);
  });

  it('of nodes that are reached already are told to the pods', () => {
    const foreign = [buildNode('foreign', { unschedulable: true })];
    const result = plan({
      pools: { ng: cores(1) },
      foreign,
      pods: pending(1, 1000),
      policy: { maxNodesTotal: 1 },
    });
    expect(result.result).toBe('ScaleUpNoOptionsAvailable');
    expect(fates(result.reports).remaining).toEqual(['p1000-0']);
    expect(podEvents(result)[0]?.message).toContain('1 no more new nodes allowed');
  });

  // scale-up 14/23
  it('skip every group that is too large for what is left', () => {
    const pools = {
      two: cores(2, { size: 1, busyMilli: 2000 }),
      four: cores(4, { size: 1, busyMilli: 4000 }),
    };
    const result = plan({ pools, pods: pending(1, 1000), quotas: [quota({ cpu: 7 })] });
    expect(sizes(result)).toEqual([]);
    expect(podEvents(result)[0]?.message).toContain('exceeded quota: "cluster-wide", resources: cpu');
  });
});

describe('quotas of some nodes', () => {
  const pool = (name: string, fields: Pool = {}): Pool => ({
    size: 1,
    busyMilli: 2_000,
    ...fields,
    node: { cpuMilli: 2_000, labels: { pool: name } },
  });
  const pools = { ng1: pool('ng1'), ng2: pool('ng2') };

  // scale-up 14/12
  it('leave both groups as options while there is room', () => {
    const result = plan({
      pools,
      pods: pending(1, 2000),
      quotas: [quota({ cpu: 8 }), quota({ cpu: 4 }, 'ng2')],
    });
    expect(options(result)).toEqual({ ng1: 1, ng2: 1 });
  });

  // scale-up 14/13
  it('take out the group that has used its own up', () => {
    const policy = { expanders: prefer('ng2') };
    const result = plan({ pools, pods: pending(1, 2000), quotas: [quota({ cpu: 2 }, 'ng2')], policy });
    expect(options(result)).toEqual({ ng1: 1 });
    expect(sizes(result)).toEqual(['ng1 1->2']);
  });

  // scale-up 14/14
  it('leave no option when all are used up', () => {
    const quotas = [quota({ cpu: 2 }, 'ng1'), quota({ cpu: 2 }, 'ng2')];
    const result = plan({ pools, pods: pending(1, 2000), quotas });
    expect(result.result).toBe('ScaleUpNoOptionsAvailable');
    expect(fates(result.reports).remaining).toEqual(['p2000-0']);
  });

  // scale-up 14/15
  it('cut the chosen option', () => {
    const result = plan({
      pools: { ng1: pools.ng1 },
      pods: pending(3, 2000),
      quotas: [quota({ cpu: 6 }, 'ng1')],
    });
    expect(options(result)).toEqual({ ng1: 3 });
    expect(sizes(result)).toEqual(['ng1 1->3']);
  });
});

describe('balancing', () => {
  const pool = (size: number, maxSize = 10, labels: Record<string, string> = {}): Pool => ({
    size,
    maxSize,
    busyMilli: 1000,
    node: { cpuMilli: 1000, labels },
  });
  const policy = {
    balanceSimilarGroups: true,
    similarity: { ...DEFAULT_SCALE_UP_POLICY.similarity, ignoredLabels: ['pool'] },
  };

  // scale-up 14/16
  it('spreads growth over similar groups', () => {
    const result = plan({ pools: { ng1: pool(1), ng2: pool(1) }, pods: pending(2, 1000), policy });
    expect(sizes(result)).toEqual(['ng1 1->2', 'ng2 1->2']);
    expect(fates(result.reports).triggered).toHaveLength(2);
  });

  // scale-up 14/30
  it('evens out sizes within the maxima', () => {
    const pools = { ng1: pool(1, 1), ng2: pool(1, 2), ng3: pool(1, 5), ng4: pool(3, 5) };
    const result = plan({ pools, pods: pending(2, 1000), policy });
    expect(sizes(result)).toEqual(['ng2 1->2', 'ng3 1->2']);
  });

  // scale-up 14/31, 14/32, 14/33, 14/34
  it.each<[string, number[], number, Quota[], string[]]>([
    [
      'one group short of quota',
      [1, 1, 1],
      6,
      [quota({ nodes: 2 }, 'ng2')],
      ['ng1 1->3', 'ng2 1->2', 'ng3 1->3'],
    ],
    ['one quota for all', [1, 2, 2], 4, [quota({ nodes: 6 })], ['ng1 1->2']],
    ['one quota for two of three', [1, 1, 2], 6, [quota({ nodes: 4 }, 'shared')], ['ng1 1->4', 'ng2 1->2']],
    ['a group at its quota', [1, 1, 1], 6, [quota({ nodes: 1 }, 'ng2')], ['ng1 1->4', 'ng3 1->4']],
  ])('with %s gives what is allowed and no more', (title, start, nodes, quotas, expected) => {
    const isShared = title.includes('two of three');
    const pools = Object.fromEntries(
      start.map((size, index) => {
        const name = isShared && index > 0 ? 'shared' : `ng${index + 1}`;
        return [`ng${index + 1}`, pool(size, 20, { pool: name })];
      }),
    );
    const expanders = prefer('ng1');
    const result = plan({ pools, pods: pending(nodes, 1000), quotas, policy: { ...policy, expanders } });
    expect(sizes(result)).toEqual(expected);
  });

  it('counts the pods that all growing groups hold when a limit cuts the growth', () => {
    const pools = { ng1: pool(1, 2), ng2: pool(1) };
    const quotas = [quota({ nodes: 5 })];
    const result = plan({ pools, pods: pending(6, 1000), quotas, policy });
    expect(sizes(result)).toEqual(['ng1 1->2', 'ng2 1->3']);
    expect(fates(result.reports).triggered).toHaveLength(3);
  });

  // scale-up 14/29
  it.each<[string, Cluster, readonly string[]]>([
    ['switched off', { pools: { ng1: pool(1), ng2: pool(1) }, policy: { balanceSimilarGroups: false } }, []],
    ['another shape', { pools: { ng1: pool(1), ng2: cores(2) } }, []],
    ['the same shape', { pools: { ng1: pool(1), ng2: pool(1) } }, ['ng2']],
    [
      'a group that takes less pods',
      {
        pools: {
          ng1: pool(1),
          ng2: {
            ...pool(1),
            node: { ...pool(1).node, taints: [{ key: 'x', value: '', effect: 'NoSchedule' }] },
          },
        },
      },
      [],
    ],
    ['a full group', { pools: { ng1: pool(1), ng2: pool(1, 1) } }, []],
  ])('considers %s', (_, cluster, similar) => {
    const merged = { ...policy, expanders: prefer('ng1'), ...cluster.policy };
    const result = plan({ ...cluster, policy: merged, pods: pending(2, 1000) });
    expect(result.choice?.best.similarGroupIds).toEqual(similar);
  });
});

describe('devices', () => {
  const gpuTaint = { key: 'gpu', value: '', effect: 'NoSchedule' as const };
  const gpus = (count: number): Pool => ({
    node: {
      taints: [gpuTaint],
      labels: { 'example.com/gpu': 'a100' },
      allocatable: { 'nvidia.com/gpu': count },
    },
  });
  const tolerations = [{ key: 'gpu', operator: 'Exists', value: '', effect: '' }];

  // scale-up 14/21
  it('are used by pods that ask for them only, unless others tolerate the taint', () => {
    const pools = { standard: cores(4), gpu: gpus(1) };
    const tolerant = buildPod('tolerant', { cpuMilli: 100, shape: { tolerations } });
    const asking = buildPod('asking', { requests: { 'nvidia.com/gpu': 1 }, shape: { tolerations } });
    expect(options(plan({ pools, pods: [tolerant] }))).toEqual({ standard: 1, gpu: 1 });
    expect(options(plan({ pools, pods: [asking] }))).toEqual({ gpu: 1 });
  });

  // scale-up 14/22
  it('decide how many nodes are needed', () => {
    const pools = { standard: cores(4), gpu1: gpus(1), gpu2: gpus(2), gpu4: gpus(4) };
    const pods = pending(3, 100, { requests: { 'nvidia.com/gpu': 1 }, shape: { tolerations } });
    expect(options(plan({ pools, pods }))).toEqual({ gpu1: 3, gpu2: 2, gpu4: 1 });
  });
});

describe('groups that are skipped', () => {
  const failure = { kind: 'stock-out' as const, code: 'sold_out', message: '' };

  // scale-up 14/26
  it('because they are unhealthy', () => {
    const result = plan({
      pools: { ng: cores(4, { size: 1, targetSize: 5, busyMilli: 4000 }) },
      pods: pending(1, 4000),
    });
    expect(reasonTexts(result, 'skipped')).toEqual({ ng: ['not ready for scale-up'] });
  });

  it('because they failed lately', () => {
    const entry = { groupId: 'ng', durationMs: MINUTE, untilMs: T0 + MINUTE, lastFailureMs: T0, failure };
    const memory = {
      updatedMs: T0 - 1,
      requests: {},
      backOffs: { ng: entry },
      unregisteredSinceMs: {},
      reportedFailures: {},
      incorrectSizes: {},
      repairRetries: {},
    };
    const result = plan({ pools: { ng: cores(4), other: cores(1) }, pods: pending(1, 4000), memory });
    expect(reasonTexts(result, 'skipped')).toEqual({ ng: ['in backoff after failed scale-up'] });
    expect(podEvents(result)[0]?.message).toBe(
      "pod didn't trigger scale-up: 1 Insufficient cpu, 1 in backoff after failed scale-up",
    );
  });

  // scale-up 14/40
  it('are named as rejected when they would not have helped, by wish', () => {
    const pools = {
      ng1: cores(4, { size: 1, maxSize: 1, busyMilli: 4000 }),
      ng2: cores(1),
      ng3: cores(2, { size: 1, maxSize: 1, busyMilli: 2000 }),
    };
    const pods = pending(1, 3000);
    const plain = plan({ pools, pods });
    expect(Object.keys(reasonTexts(plain, 'skipped'))).toEqual(['ng1', 'ng3']);
    expect(Object.keys(reasonTexts(plain, 'rejected'))).toEqual(['ng2']);
    const thorough = plan({ pools, pods, policy: { simulateSkippedGroups: true } });
    expect(Object.keys(reasonTexts(thorough, 'skipped'))).toEqual(['ng1']);
    expect(Object.keys(reasonTexts(thorough, 'rejected')).sort()).toEqual(['ng2', 'ng3']);
    expect(fates(thorough.reports).remaining).toEqual(['p3000-0']);
  });
});

// scale-up 14/27
it('stops looking at groups when the time is up, but looks at one', () => {
  const cluster: Cluster = { pools: { ng1: cores(4), ng2: cores(4) }, pods: pending(1, 1000) };
  const input = { ...planInput(cluster, prepare(cluster)), startTimer: (ms: number) => () => ms > 60_000 };
  expect(options(runToEnd(planScaleUp(input, DEFAULT_SCALE_UP_POLICY)))).toEqual({ ng1: 1 });
});

// scale-up 14/80
it('does not ask for a second node while one is on its way', () => {
  const extra = [
    { id: 'fake://new', name: 'new', state: 'creating' as const, createdMs: T0 - MINUTE, failure: null },
  ];
  const cluster: Cluster = { pools: { ng: cores(4, { extra }) }, pods: pending(1, 3000) };
  const { snapshot } = prepare(cluster);
  expect(snapshot.placeAnywhere(cluster.pods![0]!).fit).toBe(true);
});

// the group of one broken template does not keep the others from growing (case U014)
it('grows the other groups when one has no template', () => {
  const cluster: Cluster = { pools: { bad: cores(4), ok: cores(4) }, pods: pending(1, 3000) };
  const input = planInput(cluster, prepare(cluster));
  const templates = new Map([...input.templates].filter(([id]) => id === 'ok'));
  const result = runToEnd(planScaleUp({ ...input, templates }, DEFAULT_SCALE_UP_POLICY));
  expect(sizes(result)).toEqual(['ok 0->1']);
  expect(reasonTexts(result, 'skipped')).toEqual({ bad: ['not ready for scale-up'] });
});

it('plans for 60,000 equal pods as for a few', () => {
  const [first] = pending(1, 15_000, { owner: {} });
  const pods = Array.from({ length: 60_000 }, (_, index) => ({
    ...first!,
    uid: `uid-${index}`,
    name: `p${index}`,
  }));
  const result = plan({
    pools: { a: { maxSize: 70_000, node: { cpuMilli: 16_000, memoryBytes: 64 * GIB } } },
    pods,
    policy: { maxNodesPerScaleUp: 0 },
  });
  expect(sizes(result)).toEqual(['a 0->60000']);
});

it('uses least-waste when nothing is said', () => {
  const chain = buildExpanderChain([]);
  expect(chain.kind === 'chain' && chain.expanders).toEqual(DEFAULT_SCALE_UP_POLICY.expanders);
});
