import { DELETION_CANDIDATE_TAINT, TO_BE_DELETED_TAINT } from '../../../src/domain/kubernetes/taint.js';
import type { NodeOptions } from '../../support/builders.js';
import { buildGroup, buildInstance, buildNode, MINUTE, T0 } from '../../support/builders.js';
import { observe } from '../scale-down/world.js';
import { actuation, buckets, place } from './actuation-world.js';

function marked(name: string, key: string, value: string, fields: NodeOptions = {}) {
  const effect = key === TO_BE_DELETED_TAINT ? 'NoSchedule' : 'PreferNoSchedule';
  return buildNode(name, { taints: [{ key, value, effect }], ...fields });
}

function soft(name: string, ageMs: number) {
  return marked(name, DELETION_CANDIDATE_TAINT, ((T0 - ageMs) / 1_000).toString());
}

function worldWith(nodes: readonly ReturnType<typeof buildNode>[], policy = {}) {
  const world = actuation(policy);
  for (const node of nodes) world.cluster.nodes.set(node.name, node);
  return world;
}

function keysOf(world: ReturnType<typeof actuation>): Record<string, string[]> {
  return Object.fromEntries(
    [...world.cluster.nodes].map(([name, { taints }]) => [name, taints.map(({ key }) => key)]),
  );
}

describe('soft marks', () => {
  it('change only as many as one iteration allows', async () => {
    // scale-down 13.10/133
    const world = worldWith([buildNode('a'), buildNode('b')], { maxBulkSoftTaintCount: 1 });
    const { signal } = world.leadership;
    expect(await world.softTainter.apply({ remove: [], add: ['a', 'b'] }, signal)).toBe(1);
    expect(keysOf(world)).toEqual({ a: [DELETION_CANDIDATE_TAINT], b: [] });
    await world.softTainter.apply({ remove: [], add: ['b'] }, signal);
    expect(keysOf(world)).toEqual({ a: [DELETION_CANDIDATE_TAINT], b: [DELETION_CANDIDATE_TAINT] });
    expect(world.cluster.nodes.get('a')?.taints[0]).toEqual({
      key: DELETION_CANDIDATE_TAINT,
      value: (T0 / 1_000).toString(),
      effect: 'PreferNoSchedule',
    });
  });

  it.each([
    ['given', { remove: [], add: ['a', 'b'] }, ['soft a']],
    ['taken', { remove: ['c', 'd'], add: ['a'] }, ['unmark c']],
  ])('stop being %s when the time is over', async (_what, changes, log) => {
    // scale-down 13.10/134
    const nodes = [buildNode('a'), buildNode('b'), soft('c', 0), soft('d', 0)];
    const world = worldWith(nodes, { maxBulkSoftTaintTimeMs: 1_000 });
    const patch = world.cluster.writer.patchNode;
    world.cluster.writer.patchNode = async (...call) => {
      await world.clock.sleep(1_000);
      return patch(...call);
    };
    await world.clock.complete(world.softTainter.apply(changes, world.leadership.signal));
    expect(world.cluster.log).toEqual(log);
  });

  it('are taken before others are given, and not from nodes whose deletion has just begun', async () => {
    const world = worldWith([buildNode('a'), soft('b', 0)]);
    const removals = place(world, 'ng', [[soft('leaving', 0)]]);
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    await world.softTainter.apply({ remove: ['b', 'leaving'], add: ['a'] }, world.leadership.signal);
    expect(world.cluster.log).toEqual(['mark leaving', 'unmark b', 'soft a']);
  });

  it('cost as much when they fail, and the others are not kept from theirs', async () => {
    const world = worldWith([buildNode('a'), buildNode('b')], { maxBulkSoftTaintCount: 2 });
    world.cluster.failingPatches.set('a', 1);
    expect(await world.softTainter.apply({ remove: [], add: ['a', 'b'] }, world.leadership.signal)).toBe(2);
    expect(world.cluster.log).toEqual(['soft b']);
  });

  it('that can not be changed are one incident, over when all can; a node that is gone is none', async () => {
    const world = worldWith([buildNode('a'), buildNode('b')]);
    const { signal } = world.leadership;
    world.cluster.failingPatches.set('a', 1);
    const changes = { remove: [], add: ['a', 'b', 'gone'] };
    await world.softTainter.apply(changes, signal);
    expect(world.told).toEqual(['soft-marks happened']);
    await world.softTainter.apply(changes, signal);
    expect(world.told).toEqual(['soft-marks happened', 'soft-marks over']);
  });

  it('are not touched without leadership or with count 0', async () => {
    const world = worldWith([buildNode('a')], { maxBulkSoftTaintCount: 0 });
    expect(await world.softTainter.apply({ remove: [], add: ['a'] }, world.leadership.signal)).toBe(0);
    const lost = worldWith([buildNode('a')]);
    lost.leadership.abort();
    expect(await lost.softTainter.apply({ remove: [], add: ['a'] }, lost.leadership.signal)).toBe(0);
  });
});

describe('marks of a predecessor', () => {
  const old = ((T0 - 30 * MINUTE) / 1_000).toString();
  const ours = marked('ours', TO_BE_DELETED_TAINT, old, { unschedulable: true });
  const foreign = marked('foreign', TO_BE_DELETED_TAINT, old, { unschedulable: true });

  it('are taken from nodes of our groups, with the cordon', async () => {
    // scale-down 13.10/137
    const world = worldWith([ours, foreign]);
    const observation = observe({ nodes: [ours, foreign], groupOf: { foreign: null } });
    const seen = await world.cleaner.clean(observation, world.leadership.signal);
    expect(seen.nodes).toEqual([{ ...ours, taints: [], unschedulable: false }, foreign]);
    expect(world.cluster.nodes.get('ours')).toMatchObject({ taints: [], unschedulable: false });
    expect(world.cluster.nodes.get('foreign')).toBe(foreign);
    expect(world.cluster.eventsOf('ours')).toEqual([
      `ClusterAutoscalerCleanup: removed ${TO_BE_DELETED_TAINT} taint from node ours`,
    ]);
  });

  it('stay where the machine is on its way out', async () => {
    const leaving = marked('leaving', TO_BE_DELETED_TAINT, old);
    const gone = marked('gone', TO_BE_DELETED_TAINT, old);
    const world = worldWith([leaving, gone]);
    const observation = {
      ...observe({ nodes: [leaving, gone], existenceByNode: new Map([['gone', 'gone']]) }),
      groups: [buildGroup('ng', { instances: [buildInstance('leaving', { state: 'deleting' })] })],
    };
    await world.cleaner.clean(observation, world.leadership.signal);
    expect(world.cluster.log).toEqual([]);
  });

  it('that can not be taken are told and tried again', async () => {
    const world = worldWith([ours]);
    world.cluster.failingPatches.set('ours', 1);
    const observation = observe({ nodes: [ours] });
    expect((await world.cleaner.clean(observation, world.leadership.signal)).nodes).toEqual([ours]);
    expect(world.cluster.eventsOf('ours')).toEqual([
      `ClusterAutoscalerCleanup: failed to clean ${TO_BE_DELETED_TAINT} on node ours: node ours has changed`,
    ]);
    const seen = await world.cleaner.clean(observation, world.leadership.signal);
    expect(seen.nodes).toEqual([{ ...ours, taints: [], unschedulable: false }]);
  });

  it('that are soft go everywhere once soft marks are off, unless they are young', async () => {
    // scale-down 13.10/138
    const nodes = [
      soft('young', 2 * MINUTE),
      soft('old', 10 * MINUTE),
      marked('odd', DELETION_CANDIDATE_TAINT, 'x'),
    ];
    const policy = { maxBulkSoftTaintCount: 0, deletionCandidateTtlMs: 5 * MINUTE };
    const world = worldWith(nodes, policy);
    await world.cleaner.clean(observe({ nodes, groupOf: { old: null } }), world.leadership.signal);
    expect(keysOf(world)).toEqual({ young: [DELETION_CANDIDATE_TAINT], old: [], odd: [] });
  });

  it('that are soft stay while soft marks are in use', async () => {
    const nodes = [soft('old', 10 * MINUTE)];
    const world = worldWith(nodes);
    await world.cleaner.clean(observe({ nodes }), world.leadership.signal);
    expect(world.cluster.log).toEqual([]);
  });

  it('and our own are taken later where nobody works on the node any more', async () => {
    const forgotten = marked('forgotten', TO_BE_DELETED_TAINT, old);
    const young = marked('young', TO_BE_DELETED_TAINT, ((T0 - 14 * MINUTE) / 1_000).toString());
    const underWay = marked('under-way', TO_BE_DELETED_TAINT, old);
    const nodes = [forgotten, young, underWay];
    const world = worldWith(nodes);
    const { signal } = world.leadership;
    await world.cleaner.clean(observe({ nodes: [] }), signal);
    const observation = observe({ nodes });
    const deletions = { ...observation.deletions, drained: ['under-way'] };
    const seen = await world.cleaner.clean({ ...observation, deletions }, signal);
    expect(seen.nodes).toEqual([{ ...forgotten, taints: [] }, young, underWay]);
    expect(keysOf(world)).toEqual({
      forgotten: [],
      young: [TO_BE_DELETED_TAINT],
      'under-way': [TO_BE_DELETED_TAINT],
    });
  });
});
