import { NO_DELETIONS } from '../../../src/domain/observation.js';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import { GIB, buildNode, buildPod, MINUTE, T0 } from '../../support/builders.js';
import type { WorldOptions } from './world.js';
import {
  buildBudget,
  buildWorkload,
  observe,
  plan,
  runningPod,
  snapshotOf,
  summary,
  unneededFor,
} from './world.js';

/** Nodes of 1 core, so that 500m are half of it. */
function small(...names: readonly string[]) {
  return names.map((name) => buildNode(name, { cpuMilli: 1_000, memoryBytes: 64 * GIB }));
}

function unneeded(world: WorldOptions): readonly string[] {
  return summary(plan(world)).unneeded;
}

function emptyNodes(count: number) {
  return Array.from({ length: count }, (_, index) => buildNode(`n${index.toString().padStart(3, '0')}`));
}

describe('which nodes are unneeded', () => {
  it('are all empty nodes', () => {
    // scale-down 13.1/1
    expect(unneeded({ nodes: small('a', 'b', 'c') })).toEqual(['a', 'b', 'c']);
  });

  it('are no nodes that are not eligible', () => {
    // scale-down 13.1/2
    const nodes = [...small('a'), buildNode('b', { scaleDownDisabled: 'true' })];
    const decision = plan({ nodes });
    expect(summary(decision).unneeded).toEqual(['a']);
    expect(summary(decision).unremovable).toMatchObject({ b: 'ScaleDownDisabledAnnotation' });
  });

  it('is not the only node, if it is used', () => {
    // scale-down 13.1/3
    const decision = plan({ nodes: small('a'), pods: [runningPod('p', 'a')] });
    expect(summary(decision)).toMatchObject({ unneeded: [], unremovable: { a: 'NoPlaceToMovePods' } });
  });

  it('is not a node whose pods would fit only where a deletion is under way', () => {
    // scale-down 13.1/4
    const world = { nodes: small('a', 'leaving'), pods: [runningPod('p', 'a')] };
    const deletions = { ...NO_DELETIONS, empty: ['leaving'] };
    expect(unneeded({ ...world, groupOf: { leaving: null } })).toEqual(['a']);
    expect(unneeded({ ...world, deletions })).toEqual([]);
  });

  it('is a node whose pods fit where nothing may be removed', () => {
    // scale-down 13.1/5
    const nodes = [...small('a'), buildNode('kept', { scaleDownDisabled: 'true' })];
    expect(unneeded({ nodes, pods: [runningPod('p', 'a')] })).toEqual(['a']);
  });

  it('is the first of two that could take each other', () => {
    // scale-down 13.1/6
    const pods = [runningPod('p', 'a', { cpuMilli: 400 }), runningPod('q', 'b', { cpuMilli: 300 })];
    expect(unneeded({ nodes: small('a', 'b'), pods })).toEqual(['b']);
  });

  it('are both of two whose pods fit together on a third', () => {
    // scale-down 13.1/7
    const pods = [runningPod('p', 'a', { cpuMilli: 400 }), runningPod('q', 'b', { cpuMilli: 400 })];
    const nodes = [...small('a', 'b'), buildNode('third', { scaleDownDisabled: 'true' })];
    expect(unneeded({ nodes, pods })).toEqual(['a', 'b']);
  });

  it('is one of two if there is room for one only', () => {
    // scale-down 13.1/8
    const pods = [runningPod('p', 'a', { cpuMilli: 400 }), runningPod('q', 'b', { cpuMilli: 400 })];
    const third = runningPod('r', 'third', { cpuMilli: 500 });
    expect(
      unneeded({ nodes: small('a', 'b', 'third'), groupOf: { third: null }, pods: [...pods, third] }),
    ).toEqual(['a']);
  });

  it('books each accepted node before it judges the next', () => {
    // The case of three half-used nodes of which only one may go.
    const nodes = ['a', 'b', 'c'].map((name) => buildNode(name));
    const pods = nodes.map(({ name }) => runningPod(`p-${name}`, name, { cpuMilli: 1_900 }));
    expect(unneeded({ nodes, pods })).toEqual(['a']);
  });

  it('does not take machines on order as a place for pods', () => {
    const observation = observe({ nodes: small('a'), pods: [runningPod('p', 'a')] });
    const snapshot = snapshotOf(observation);
    snapshot.addNode(buildNode('upcoming'));
    const decision = plan({ nodes: small('a'), pods: observation.pods }, { snapshot });
    expect(summary(decision).unneeded).toEqual([]);
    expect(snapshot.nodeNames()).toEqual(['a', 'upcoming']);
  });

  it('does not take cordoned nodes as a place for pods', () => {
    const nodes = [...small('a'), buildNode('cordoned', { unschedulable: true })];
    expect(unneeded({ nodes, groupOf: { cordoned: null }, pods: [runningPod('p', 'a')] })).toEqual([]);
  });

  it('counts pending pods that were packed onto a node as pods to move', () => {
    const packed = { a: [buildPod('pending', { cpuMilli: 100, owner: {} })] };
    const decision = plan({ nodes: small('a', 'b'), groupOf: { b: null }, packed });
    expect(decision.plan.unneeded[0]).toMatchObject({ isEmpty: false, podsToMove: [] });
  });
});

describe('order', () => {
  const pods = (node: string, cpuMilli: number) => runningPod(`p-${node}`, node, { cpuMilli });
  const spare = buildNode('spare', { cpuMilli: 64_000 });

  it('takes empty nodes, then those that wait for completion, then the less used, then by name', () => {
    // scale-down 13.11/141
    const waiting = runningPod('job', 'waits', { shape: { directives: { safeToEvict: 'on-completion' } } });
    const world = {
      nodes: [...small('busy', 'equal-b', 'equal-a', 'waits', 'empty'), spare],
      groupOf: { spare: null },
      pods: [pods('busy', 400), pods('equal-b', 200), pods('equal-a', 200), waiting],
    };
    expect(unneeded(world)).toEqual(['empty', 'waits', 'equal-a', 'equal-b', 'busy']);
  });

  it('takes nodes that were unneeded before first', () => {
    // scale-down 13.11/142
    const world = {
      nodes: [...small('a', 'b'), spare],
      groupOf: { spare: null },
      pods: [pods('a', 100), pods('b', 200)],
    };
    expect(summary(plan(world, { memory: unneededFor(MINUTE, 'b') })).unneeded).toEqual(['b', 'a']);
  });

  it('takes a node in its place although its pods block it', () => {
    // scale-down 13.11/141
    const blocked = runningPod('x', 'blocked', { owner: null, cpuMilli: 10 });
    const world = { nodes: [...small('blocked', 'empty'), spare], groupOf: { spare: null }, pods: [blocked] };
    expect(summary(plan(world))).toMatchObject({
      unneeded: ['empty'],
      unremovable: { blocked: 'BlockedByPod' },
    });
  });
});

describe('bounds of the search', () => {
  it('leaves nodes without a status when time is over', () => {
    // scale-down 13.1/14
    let asked = 0;
    const decision = plan({ nodes: small('a', 'b', 'c') }, { isOutOfTime: () => asked++ > 0 });
    expect(summary(decision)).toMatchObject({ unneeded: ['a'], unremovable: { a: 'NotUnneededLongEnough' } });
    expect(decision.plan.notEvaluated).toEqual(['b', 'c']);
  });

  it('stops at the limit of unneeded nodes', () => {
    // scale-down 13.1/15
    const decision = plan({ nodes: emptyNodes(100) });
    expect(decision.plan.unneeded).toHaveLength(20);
    expect(decision.plan.notEvaluated).toHaveLength(80);
  });

  it.each([100, 500])('takes all %i nodes of an atomic group', (count) => {
    // scale-down 13.1/17
    const world = { nodes: emptyNodes(count), groups: { ng: { options: { zeroOrMaxNodeScaling: true } } } };
    expect(unneeded(world)).toHaveLength(count);
  });

  it('can be left at any step, with the snapshot as before', () => {
    const observation = observe({ nodes: small('a', 'b'), pods: [runningPod('p', 'a')] });
    const snapshot = snapshotOf(observation);
    const before = snapshot.nodeNames().map((name) => [name, snapshot.podsOn(name)]);
    plan({ nodes: observation.nodes, pods: observation.pods }, { snapshot });
    expect(snapshot.nodeNames().map((name) => [name, snapshot.podsOn(name)])).toEqual(before);
  });
});

describe('pods evicted a moment ago', () => {
  const evicted = (...pods: readonly Pod[]) => ({
    ...NO_DELETIONS,
    recentEvictions: pods.map((pod) => ({ pod, evictedMs: T0 - MINUTE })),
  });
  /** Node `a` with a pod of 400m and node `b` with room for one such pod. */
  const world: WorldOptions = {
    nodes: [...small('a', 'b')],
    groupOf: { b: null },
    pods: [runningPod('p', 'a', { cpuMilli: 400 }), runningPod('full', 'b', { cpuMilli: 500 })],
    workloads: [buildWorkload('owner', { replicas: 2 }), buildWorkload('moved', { replicas: 2 })],
  };
  const moved = (name: string, cpuMilli = 400) =>
    runningPod(name, 'gone', { cpuMilli, owner: { name: 'moved' } });
  const isUnneeded = (pods: readonly Pod[], fields: Partial<WorldOptions> = {}) =>
    unneeded({ ...world, deletions: evicted(...pods), ...fields }).includes('a');

  it('keep the last room while their controller has not made them anew', () => {
    // scale-down 13.1/9
    expect(isUnneeded([])).toBe(true);
    expect(isUnneeded([moved('m', 500)])).toBe(false);
  });

  it('keep room without a controller too', () => {
    // scale-down 13.1/10
    expect(isUnneeded([{ ...moved('m', 500), shape: buildPod('x', { cpuMilli: 500 }).shape }])).toBe(false);
  });

  it('do not count if they would not come back', () => {
    // scale-down 13.1/11
    const shapes = [
      { directives: { mirror: 'x' } },
      { directives: { configSource: 'file' } },
      { directives: { daemonSetPod: 'true' } },
    ];
    const pods = shapes.map((shape, index) => runningPod(`s${index}`, 'gone', { cpuMilli: 500, shape }));
    expect(isUnneeded(pods)).toBe(true);
  });

  it('are ignored if they fit nowhere', () => {
    // scale-down 13.1/12
    expect(isUnneeded([moved('m', 64_000)])).toBe(true);
  });

  it('count as often as replicas are missing', () => {
    // scale-down 13.1/13
    const anew = (name: string) => runningPod(name, 'elsewhere', { cpuMilli: 1, owner: { name: 'moved' } });
    const pods = [...(world.pods ?? []), anew('n1'), anew('n2')];
    expect(isUnneeded([moved('m1', 500), moved('m2', 500)], { pods })).toBe(true);
    const half = [...(world.pods ?? []), anew('n1')];
    const nodes = [...small('a', 'b'), ...small('c')];
    const groupOf = { b: null, c: null };
    const tight = [...half, runningPod('c-full', 'c', { cpuMilli: 400 })];
    // One of two is missing: there is room for it on c, and for p on b.
    expect(isUnneeded([moved('m1', 600), moved('m2', 500)], { nodes, groupOf, pods: tight })).toBe(true);
    // Both are missing.
    const none = [...(world.pods ?? []), runningPod('c-full', 'c', { cpuMilli: 400 })];
    expect(isUnneeded([moved('m1', 600), moved('m2', 500)], { nodes, groupOf, pods: none })).toBe(false);
  });

  it('of a Job count as often as it still needs pods', () => {
    // scale-down 13.1/19: three completions, two succeeded, one active
    const owner = { kind: 'Job', name: 'job' };
    const job = buildWorkload('job', { kind: 'Job', replicas: 1 });
    const workloads = [...(world.workloads ?? []), job];
    const gone = [runningPod('m', 'gone', { cpuMilli: 500, owner })];
    const pods = [...(world.pods ?? []), runningPod('active', 'elsewhere', { cpuMilli: 1, owner })];
    expect(isUnneeded(gone, { workloads, pods })).toBe(true);
    expect(isUnneeded(gone, { workloads })).toBe(false);
  });

  it('count where their controller is unknown', () => {
    // scale-down 13.1/20
    expect(isUnneeded([moved('m', 500)], { workloads: [buildWorkload('owner')] })).toBe(false);
  });
});

describe('disruption budgets', () => {
  const labels = { app: 'web' };
  const nodes = () => [...small('a', 'b'), buildNode('spare', { cpuMilli: 64_000 })];
  const pods = ['a', 'b'].map((name) => runningPod(`web-${name}`, name, { labels, cpuMilli: 100 }));

  it('used up by this plan block a node without keeping it unremovable', () => {
    const world = {
      nodes: nodes(),
      groupOf: { spare: null },
      pods,
      disruptionBudgets: [buildBudget('b', 1, labels)],
    };
    const decision = plan(world);
    expect(summary(decision)).toMatchObject({ unneeded: ['a'], unremovable: { b: 'BlockedByPod' } });
    expect(decision.memory.rechecks).toEqual({});
    expect(decision.plan.unremovable.find(({ nodeName }) => nodeName === 'b')).toMatchObject({
      reason: { subject: 'default/web-b' },
      blockingPod: { key: 'default/web-b', reason: 'NotEnoughPdb', details: 'budget b' },
    });
  });

  it('used up before keep the node unremovable', () => {
    const world = {
      nodes: nodes(),
      groupOf: { spare: null },
      pods,
      disruptionBudgets: [buildBudget('b', 0, labels)],
    };
    expect(Object.keys(plan(world).memory.rechecks)).toEqual(['a', 'b']);
  });

  it('make a node risky whose pods can not leave together', () => {
    const two = [...pods, runningPod('web-a2', 'a', { labels, cpuMilli: 10 })];
    const world = { nodes: nodes(), groupOf: { spare: null, b: null }, pods: two };
    const risky = (left: number) =>
      plan({ ...world, disruptionBudgets: [buildBudget('b', left, labels)] }).plan.unneeded.map(
        ({ isRisky }) => isRisky,
      );
    expect(risky(1)).toEqual([true]);
    expect(risky(2)).toEqual([false]);
  });
});
