import { NO_CONDITIONS } from '../../../src/domain/kubernetes/node.js';
import { DELETION_CANDIDATE_TAINT } from '../../../src/domain/kubernetes/taint.js';
import { NO_DELETIONS } from '../../../src/domain/observation.js';
import {
  clearUnneeded,
  createScaleDownMemory,
  recordDeletionStart,
  recordEndedDeletions,
  recordMarkingFailure,
  recordScaleUp,
  restoreUnneeded,
} from '../../../src/domain/scale-down/index.js';
import { buildNode, GIB, MINUTE, T0 } from '../../support/builders.js';
import type { PlanOptions, WorldOptions } from './world.js';
import { buildBudget, plan, runningPod, summary, unneededFor } from './world.js';

const NOT_READY = { ...NO_CONDITIONS, ready: { status: 'False', reason: 'KubeletNotReady', changedMs: T0 } };
const ON_COMPLETION = { shape: { directives: { safeToEvict: 'on-completion' } } };
const ATOMIC = { options: { zeroOrMaxNodeScaling: true } };

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

/** Empty nodes `e…` and nodes `d…` with a pod each, all of one group, beside a roomy node of no group. */
function mixed(empty: number, drain: number, fields: Partial<WorldOptions> = {}): WorldOptions {
  const all = [...names('e', empty), ...names('d', drain)];
  return {
    nodes: [
      ...all.map((name) => buildNode(name)),
      buildNode('roomy', { cpuMilli: 64_000, memoryBytes: 256 * GIB }),
    ],
    groupOf: { roomy: null },
    pods: names('d', drain).map((name) => runningPod(`p-${name}`, name)),
    ...fields,
  };
}

/** Plans for nodes that are unneeded for 11 minutes, with budgets that don't matter. */
function due(world: WorldOptions, options: PlanOptions = {}) {
  const memory = unneededFor(11 * MINUTE, ...world.nodes.map(({ name }) => name));
  const policy = { maxParallelism: 100, maxDrainParallelism: 100, ...options.policy };
  return plan(world, { memory, ...options, policy });
}

describe('timers', () => {
  it('start with the first confirmation and run on with the next', () => {
    // scale-down 13.3/31
    const first = plan({ nodes: [buildNode('n', { resourceVersion: '1' })] });
    const second = plan(
      { nodes: [buildNode('n', { resourceVersion: '2' })], nowMs: T0 + MINUTE },
      { memory: first.memory },
    );
    expect(second.memory.unneededSinceMs).toEqual({ n: T0 });
    expect(second.plan.unneeded[0]?.node.resourceVersion).toBe('2');
  });

  it('start over when a node was missing for once', () => {
    // scale-down 13.3/32
    const first = plan({ nodes: [buildNode('n')] });
    const second = plan({ nodes: [], nowMs: T0 + MINUTE }, { memory: first.memory });
    const third = plan({ nodes: [buildNode('n')], nowMs: T0 + 2 * MINUTE }, { memory: second.memory });
    expect(third.memory.unneededSinceMs).toEqual({ n: T0 + 2 * MINUTE });
  });

  it('run on when the node turns unready, against the longer threshold', () => {
    // scale-down 13.3/33
    const at = (minutes: number) =>
      plan(
        { nodes: [buildNode('n', { conditions: NOT_READY })] },
        { memory: unneededFor(minutes * MINUTE, 'n') },
      );
    expect(at(15).plan.unremovable[0]?.reason).toMatchObject({
      rule: 'NotUnreadyLongEnough',
      asked: '15m0s',
      limit: '20m0s',
    });
    expect(summary(at(21)).empty).toEqual(['n']);
  });

  it.each([
    // scale-down 13.3/38
    [10 * MINUTE, []],
    [10 * MINUTE + 1, ['n']],
  ])('let a node go only after more than the threshold: %i ms', (ms, expected) => {
    expect(summary(plan({ nodes: [buildNode('n')] }, { memory: unneededFor(ms, 'n') })).empty).toEqual(
      expected,
    );
  });

  it('let a node go at once with threshold 0', () => {
    // scale-down 13.3/39
    const decision = plan({ nodes: [buildNode('n')] }, { policy: { unneededTimeMs: 0 } });
    expect(summary(decision)).toMatchObject({ empty: ['n'], unremovable: {} });
  });

  it('obey the group before the flag', () => {
    // scale-down 13.3/36, 13.3/37
    const groups = { ng: { options: { scaleDownUnneededTimeMs: 15 * MINUTE } } };
    const decision = plan({ nodes: [buildNode('n')], groups }, { memory: unneededFor(11 * MINUTE, 'n') });
    expect(summary(decision).unremovable).toEqual({ n: 'NotUnneededLongEnough' });
  });

  it('run on through the cooldown', () => {
    // scale-down 13.12/147
    const memory = recordScaleUp(unneededFor(11 * MINUTE, 'n'), T0 - 5 * MINUTE, ['ng']);
    const decision = plan({ nodes: [buildNode('n')] }, { memory });
    expect(decision.plan).toMatchObject({
      result: 'ScaleDownInCooldown',
      buckets: [],
      cooldown: { rule: 'DelayAfterAdd' },
    });
    expect(decision.memory.unneededSinceMs).toEqual({ n: T0 - 11 * MINUTE });
  });

  it('can be cleared', () => {
    expect(clearUnneeded(unneededFor(MINUTE, 'n')).unneededSinceMs).toEqual({});
  });
});

describe('what goes now', () => {
  it('is nothing without unneeded nodes', () => {
    // scale-down 13.2/21
    const decision = plan({ nodes: [buildNode('n')], pods: [runningPod('p', 'n', { cpuMilli: 3_000 })] });
    expect(decision.plan).toMatchObject({ result: 'ScaleDownNoNodeDeleted', buckets: [] });
  });

  it('is an empty and a used node, each in its own list', () => {
    // scale-down 13.2/23
    const decision = due(mixed(1, 1));
    expect(summary(decision)).toMatchObject({ empty: ['e0'], drain: ['d0'] });
    expect(decision.plan.result).toBe('ScaleDownNodeDeleteStarted');
    const removal = decision.plan.buckets.flatMap(({ drain }) => drain)[0];
    expect(removal).toMatchObject({
      groupId: 'ng',
      cause: 'underutilized',
      reason: { rule: 'underutilized', text: 'unneeded for 11m0s', subject: 'cpu', asked: 0.025, limit: 0.5 },
      podsToMove: [expect.objectContaining({ name: 'p-d0' })],
    });
  });

  it('is only marked first, and goes when its time has come', () => {
    // scale-down 13.12/146
    const world = mixed(1, 0);
    const first = plan(world);
    expect(summary(first)).toMatchObject({ empty: [], unneeded: ['e0'] });
    expect(first.plan.softTaints).toEqual({ remove: [], add: ['e0'] });
    const second = plan({ ...world, nowMs: T0 + 10 * MINUTE + 1 }, { memory: first.memory });
    expect(summary(second).empty).toEqual(['e0']);
  });

  it.each(['e0', 'd0'])('is not %s while a pod of it runs to completion', (name) => {
    // scale-down 13.2/22
    const world = mixed(1, 1);
    const pods = [...(world.pods ?? []), runningPod('job', name, ON_COMPLETION)];
    const decision = due({ ...world, pods });
    expect(summary(decision).unremovable).toEqual({ [name]: 'BlockedByOnCompletionPod' });
    expect([...summary(decision).empty, ...summary(decision).drain]).not.toContain(name);
  });

  it.each([
    // scale-down 13.3/34
    [3, 2, 10, 3, 2],
    [3, 5, 10, 3, 4],
    // scale-down 13.3/35
    [3, 5, 5, 2, 0],
  ])('of %i empty and %i used nodes with target %i and 2 deletions under way: %i and %i', (...numbers) => {
    const [empty, drain, target, expectedEmpty, expectedDrain] = numbers;
    const world = mixed(empty, drain, { groups: { ng: { minSize: 1, targetSize: target } } });
    const leaving = names('leaving', 2);
    const nodes = [...world.nodes, ...leaving.map((name) => buildNode(name))];
    const decision = due({ ...world, nodes, deletions: { ...NO_DELETIONS, empty: leaving } });
    expect(summary(decision).empty).toHaveLength(expectedEmpty);
    expect(summary(decision).drain).toHaveLength(expectedDrain);
    const kept = Object.values(summary(decision).unremovable);
    expect(kept).toEqual(
      Array<string>(empty + drain - expectedEmpty - expectedDrain).fill('NodeGroupMinSizeReached'),
    );
  });

  it.each([
    // scale-down 13.2/27
    [8, 1],
    // scale-down 13.2/28
    [4, 2],
  ])('stays above a minimum of %i cores: %i of two', (cores, expected) => {
    const world = { nodes: ['a', 'b', 'c'].map((name) => buildNode(name)), groupOf: { c: null } };
    const decision = due(world, { policy: { resourceMinimums: { cpu: cores } } });
    expect(summary(decision).empty).toHaveLength(expected);
    const kept = Object.values(summary(decision).unremovable);
    expect(kept).toEqual(Array<string>(2 - expected).fill('MinimalResourceLimitExceeded'));
  });

  it('does not count nodes that are being deleted and virtual nodes toward a minimum', () => {
    // scale-down 13.12/158
    const nodes = [
      buildNode('a'),
      buildNode('b'),
      buildNode('leaving'),
      buildNode('virtual', { labels: { type: 'virtual-kubelet' }, scaleDownDisabled: 'true' }),
    ];
    const deletions = { ...NO_DELETIONS, empty: ['leaving'] };
    const decision = due({ nodes, deletions }, { policy: { resourceMinimums: { memory: 16 * GIB } } });
    const kept = { a: 'MinimalResourceLimitExceeded', b: 'MinimalResourceLimitExceeded' };
    expect(summary(decision).unremovable).toMatchObject(kept);
  });

  it('takes risky nodes last, the others in their order', () => {
    // scale-down 13.2/30
    const labels = { app: 'web' };
    const world = mixed(0, 3);
    const pods = [
      ...(world.pods ?? []),
      runningPod('w1', 'd0', { labels, cpuMilli: 10 }),
      runningPod('w2', 'd0', { labels, cpuMilli: 10 }),
    ];
    const decision = due(
      { ...world, pods, disruptionBudgets: [buildBudget('b', 1, labels)] },
      {
        memory: unneededFor(11 * MINUTE, 'd0', 'd1', 'd2'),
      },
    );
    expect(summary(decision).drain).toEqual(['d1', 'd2', 'd0']);
  });

  it('tells which nodes wait for other deletions', () => {
    const decision = due(mixed(0, 3), { policy: { maxDrainParallelism: 1 } });
    expect(summary(decision).drain).toEqual(['d0']);
    expect(decision.plan.postponed.map(({ nodeName, reason }) => [nodeName, reason.rule])).toEqual([
      ['d1', 'NodeGroupMaxDeletionCountReached'],
      ['d2', 'NodeGroupMaxDeletionCountReached'],
    ]);
  });

  it('names the DaemonSet pods to evict', () => {
    const daemon = (name: string, nodeName: string, eviction?: string) => {
      const directives = eviction === undefined ? {} : { daemonSetEviction: eviction };
      return runningPod(name, nodeName, {
        cpuMilli: 1,
        owner: { kind: 'DaemonSet', apiVersion: 'x/v1' },
        shape: { directives },
      });
    };
    const world = mixed(1, 1);
    const pods = [
      ...(world.pods ?? []),
      daemon('e-default', 'e0'),
      daemon('e-yes', 'e0', 'true'),
      daemon('d-default', 'd0'),
      daemon('d-no', 'd0', 'false'),
    ];
    const evicted = (policy: NonNullable<PlanOptions['policy']>) =>
      due({ ...world, pods }, { policy })
        .plan.buckets.flatMap(({ empty, drain }) => [...empty, ...drain])
        .flatMap(({ daemonSetPodsToEvict }) => daemonSetPodsToEvict.map(({ name }) => name));
    // scale-down 13.10/123
    expect(evicted({})).toEqual(['e-yes', 'd-default']);
    expect(evicted({ evictDaemonSetsFromEmptyNodes: true })).toEqual(['e-default', 'e-yes', 'd-default']);
    expect(evicted({ evictDaemonSetsFromOccupiedNodes: false })).toEqual(['e-yes']);
  });
});

describe('atomic groups', () => {
  it('stay complete when one node has to stay', () => {
    // scale-down 13.2/24
    const world = mixed(3, 0, { groups: { ng: ATOMIC } });
    const decision = due(world, { memory: unneededFor(11 * MINUTE, 'e0') });
    expect(summary(decision)).toMatchObject({
      empty: [],
      unremovable: { e0: 'AtomicScaleDownFailed', e1: 'NotUnneededLongEnough', e2: 'NotUnneededLongEnough' },
    });
  });

  it('go as a whole, empty and used nodes', () => {
    // scale-down 13.2/25
    const decision = due(mixed(2, 1, { groups: { ng: ATOMIC } }));
    expect(summary(decision)).toMatchObject({ empty: ['e0', 'e1'], drain: ['d0'] });
    expect(decision.plan.buckets).toHaveLength(1);
    expect(decision.plan.buckets[0]).toMatchObject({ groupId: 'ng', isAtomic: true });
  });

  it.each([
    // scale-down 13.2/26
    [3, ['e0', 'e1', 'e2']],
    [2, []],
  ])('with target 5 and three nodes of which %i may go: %j', (count, expected) => {
    const world = mixed(3, 0, { groups: { ng: { ...ATOMIC, targetSize: 5 } } });
    const decision = due(world, { memory: unneededFor(11 * MINUTE, ...names('e', count)) });
    expect(summary(decision).empty).toEqual(expected);
  });

  it('all say so when one waits for a pod to complete', () => {
    const world = mixed(2, 0, { groups: { ng: ATOMIC } });
    const decision = due({ ...world, pods: [runningPod('job', 'e1', ON_COMPLETION)] });
    expect(summary(decision)).toMatchObject({
      empty: [],
      unremovable: { e0: 'AtomicScaleDownFailed', e1: 'BlockedByOnCompletionPod' },
    });
  });

  it('do not use up headroom when they stay', () => {
    const nodes = ['a0', 'a1', 'b0'].map((name) => buildNode(name));
    const world = { nodes, groups: { a: ATOMIC, b: {} }, groupOf: { b0: 'b' } };
    const memory = unneededFor(11 * MINUTE, 'a0', 'b0');
    const decision = due(world, { memory, policy: { resourceMinimums: { cpu: 8 } } });
    expect(summary(decision).empty).toEqual(['b0']);
  });
});

describe('candidates', () => {
  it.each<[string, Partial<WorldOptions>, string]>([
    // scale-down 13.11/144
    ['of a group at its minimum', { groups: { ng: { minSize: 1 } } }, 'NodeGroupMinSizeReached'],
    ['of no group', { groupOf: { n: null } }, 'NotAutoscaled'],
    // scale-down 13.2/29
    ['of a group that is not known', { groupOf: { n: 'unheard-of' } }, 'NotAutoscaled'],
    ['that are being deleted', { deletions: { ...NO_DELETIONS, drained: ['n'] } }, 'CurrentlyBeingDeleted'],
  ])('are no nodes %s, and they are told so', (_what, world, reason) => {
    const { plan: made } = plan({ nodes: [buildNode('n')], ...world });
    expect(made).toMatchObject({ result: 'ScaleDownNoCandidates', candidateCount: 0, unremovable: [] });
    expect(made.notCandidates.map((node) => node.reason.rule)).toEqual([reason]);
  });

  it('at the minimum still take pods of others', () => {
    // scale-down 13.11/144
    const world = {
      nodes: [buildNode('a'), buildNode('b')],
      groups: { ng: {}, full: { minSize: 1 } },
      groupOf: { b: 'full' },
      pods: [runningPod('p', 'a')],
    };
    expect(summary(plan(world)).unneeded).toEqual(['a']);
  });
});

describe('cooldown for all', () => {
  const memory = unneededFor(11 * MINUTE, 'n');
  const world = { nodes: [buildNode('n')] };

  it.each([
    ['a scale-up 10 minutes ago', recordScaleUp(memory, T0 - 10 * MINUTE, []), null],
    ['a scale-up a moment less ago', recordScaleUp(memory, T0 - 10 * MINUTE + 1, []), 'DelayAfterAdd'],
    ['a failure 2 minutes ago', recordMarkingFailure(memory, T0 - 2 * MINUTE), 'DelayAfterFailure'],
    ['a failure 3 minutes ago', recordMarkingFailure(memory, T0 - 3 * MINUTE), null],
    ['a deletion now', recordDeletionStart(memory, T0), null],
    ['a fresh start', createScaleDownMemory(T0), null],
  ])('after %s', (_what, memory, rule) => {
    expect(plan(world, { memory }).plan.cooldown?.rule ?? null).toBe(rule);
  });

  it('is in force when the loop forbids deletions', () => {
    const forbidden = { rule: 'FreshPods', text: 'all pending pods are very new' };
    expect(plan(world, { memory, forbidden }).plan).toMatchObject({ cooldown: forbidden, buckets: [] });
  });
});

describe('cooldown per group', () => {
  const policy = { delayPerGroup: true, delayAfterDeleteMs: 10 * MINUTE, delayAfterFailureMs: 10 * MINUTE };
  const world = {
    nodes: [buildNode('a'), buildNode('b')],
    groups: { one: {}, two: {} },
    groupOf: { b: 'two' },
  };
  const memory = unneededFor(11 * MINUTE, 'a', 'b');
  const ended = (outcome: 'deleted' | 'refused' | 'aborted', minutesAgo: number) =>
    recordEndedDeletions(memory, [{ groupId: 'one', endedMs: T0 - minutesAgo * MINUTE, outcome }]);

  it.each([
    // scale-down 13.11/143
    ['scaled up 5 minutes ago', recordScaleUp(memory, T0 - 5 * MINUTE, ['one']), ['b']],
    ['scaled up 11 minutes ago', recordScaleUp(memory, T0 - 11 * MINUTE, ['one']), ['a', 'b']],
    ['lost a node 5 minutes ago', ended('deleted', 5), ['b']],
    ['lost a node 11 minutes ago', ended('deleted', 11), ['a', 'b']],
    ['could not delete 5 minutes ago', ended('refused', 5), ['b']],
    ['could not delete 11 minutes ago', ended('refused', 11), ['a', 'b']],
    ['gave up a drain 5 minutes ago', ended('aborted', 5), ['a', 'b']],
  ])('keeps only the group that %s', (_what, memory, expected) => {
    // scale-down 13.12/148
    const decision = plan(world, { memory, policy });
    expect(summary(decision).empty).toEqual(expected);
    expect(decision.plan.cooldown).toBeNull();
  });
});

describe('soft marks', () => {
  const mark = (name: string) =>
    buildNode(name, { taints: [{ key: DELETION_CANDIDATE_TAINT, value: '1', effect: 'PreferNoSchedule' }] });

  it('go to unneeded nodes and from needed ones of our groups', () => {
    // scale-down 13.12/156, 13.12/157
    const nodes = [buildNode('idle'), mark('known'), mark('busy'), mark('foreign'), buildNode('foreign-too')];
    const pods = [runningPod('p', 'busy', { cpuMilli: 3_000 })];
    const decision = plan({ nodes, pods, groupOf: { foreign: null, 'foreign-too': null } });
    expect(decision.plan.softTaints).toEqual({ remove: ['busy'], add: ['idle'] });
  });

  it('are removed from a group that reached its minimum', () => {
    // scale-down 13.12/156
    const decision = plan({
      nodes: [mark('a'), mark('b')],
      groups: { ng: {}, full: { minSize: 1 } },
      groupOf: { b: 'full' },
    });
    expect(decision.plan.softTaints).toEqual({ remove: ['b'], add: [] });
  });

  it('are not given to nodes that go now', () => {
    expect(due(mixed(1, 0)).plan.softTaints).toEqual({ remove: [], add: [] });
  });

  it('restore timers after a restart', () => {
    // scale-down 13.1/18
    const marked = (name: string, value: string) =>
      buildNode(name, { taints: [{ key: DELETION_CANDIDATE_TAINT, value, effect: 'PreferNoSchedule' }] });
    const at = (minutesAgo: number) => ((T0 - minutesAgo * MINUTE) / 1_000).toString();
    const nodes = [marked('young', at(2)), marked('old', at(6)), marked('odd', 'x'), buildNode('plain')];
    const memory = createScaleDownMemory(T0);
    const restored = restoreUnneeded(memory, nodes, 5 * MINUTE, T0);
    expect(restored.unneededSinceMs).toEqual({ young: T0 - 2 * MINUTE });
    expect(plan({ nodes }, { memory: restored }).memory.unneededSinceMs).toMatchObject({
      young: T0 - 2 * MINUTE,
      old: T0,
    });
    expect(restoreUnneeded(memory, nodes, 0, T0)).toBe(memory);
  });
});

describe('the reasons of a plan', () => {
  it('are those of its own update: a node that became removable has none any more', () => {
    // scale-down 13.3/41
    const nodes = [buildNode('a'), buildNode('b')];
    const busy = [runningPod('p', 'a', { cpuMilli: 3_000 }), runningPod('q', 'b', { cpuMilli: 3_000 })];
    const first = plan({ nodes, pods: busy });
    expect(summary(first).unremovable).toEqual({ a: 'NotUnderutilized', b: 'NotUnderutilized' });
    const policy = { unneededTimeMs: 0 };
    const second = plan({ nodes, pods: busy.slice(1) }, { memory: first.memory, policy });
    expect(summary(second)).toMatchObject({ empty: ['a'], unremovable: { b: 'NotUnderutilized' } });
    const third = plan({ nodes, pods: busy }, { memory: second.memory });
    expect(summary(third).unremovable).toEqual({ a: 'NotUnderutilized', b: 'NotUnderutilized' });
  });
});

describe('memory', () => {
  it('survives as JSON', () => {
    const world = mixed(1, 2);
    const { memory } = plan(world);
    const restored = JSON.parse(JSON.stringify(memory));
    expect(plan(world, { memory: restored })).toEqual(plan(world, { memory }));
  });
});
