import { emptyClusterStateMemory, eventOf } from '../../../src/domain/readiness/index.js';
import type { ClusterStateMemory } from '../../../src/domain/readiness/index.js';
import { MINUTE, T0, buildInstance, buildNode } from '../../support/builders.js';
import { STRICT, groupOf, notReadyNode, observe, update, withRequest } from './cluster-world.js';

const ready = (count: number, prefix = 'n') =>
  Array.from({ length: count }, (_, index) => buildNode(`${prefix}${index}`));
const instance = (name: string, fields: Parameters<typeof buildInstance>[1] = {}) =>
  buildInstance(name, { createdMs: T0 - 2 * MINUTE, ...fields });

describe('health', () => {
  // scale-up 14/53
  it('does not miss machines that were asked for', () => {
    const result = update(observe({ g: { nodes: ready(1), targetSize: 5 } }), withRequest('g', 4, MINUTE));
    expect(result.state.healthy).toBe(true);
    expect(groupOf(result, 'g')).toMatchObject({ healthy: true, scalingUp: true, safeToScale: true });
    expect(result.happenings).toEqual([]);
  });

  // scale-up 14/54
  it('is given for an empty group, also while it grows from zero', () => {
    const empty = update(observe({ g: { targetSize: 0 } }));
    expect(groupOf(empty, 'g')).toMatchObject({ healthy: true, scalingUp: false });
    const growing = update(observe({ g: { targetSize: 3 } }), withRequest('g', 3, MINUTE));
    expect(groupOf(growing, 'g')).toMatchObject({ healthy: true, scalingUp: true });
  });

  // scale-up 14/55
  it('is lost for a group, not for the cluster, when machines are missing that nobody asked for', () => {
    const result = update(observe({ g: { nodes: ready(1), targetSize: 5 } }));
    expect(groupOf(result, 'g').healthy).toBe(false);
    expect(result.state.healthy).toBe(true);
  });

  // scale-up 14/56
  it('is lost for the cluster with two of two nodes unready, not with one', () => {
    const old = (name: string) => notReadyNode(name, 60 * MINUTE);
    const foreign = [buildNode('foreign')];
    const both = update(observe({ g: { nodes: [old('a')] }, h: { nodes: [old('b')] } }, { foreign }));
    const one = update(observe({ g: { nodes: [old('a')] }, h: { nodes: [buildNode('b')] } }, { foreign }));
    expect(both.state.healthy).toBe(false);
    expect(one.state.healthy).toBe(true);
  });

  it('does not suffer from nodes of other fleets', () => {
    const foreign = Array.from({ length: 6 }, (_, index) => notReadyNode(`ext-${index}`, 60 * MINUTE));
    const result = update(observe({ g: { nodes: ready(2) } }, { foreign }));
    expect(result.state.healthy).toBe(true);
    expect(result.state.total.unready).toHaveLength(6);
  });

  // scale-up 14/71
  it('counts suspended nodes as present', () => {
    const suspended = { status: 'True', reason: '', changedMs: null };
    const node = (name: string) => {
      const base = notReadyNode(name, 60 * MINUTE);
      return { ...base, conditions: { ...base.conditions, suspended } };
    };
    const result = update(observe({ g: { nodes: [node('a'), node('b'), node('c')] } }));
    expect(groupOf(result, 'g')).toMatchObject({ healthy: true, upcoming: { count: 0 } });
    expect(groupOf(result, 'g').counts.unready).toEqual([]);
    expect(result.state.healthy).toBe(true);
  });
});

describe('acceptable range', () => {
  const long = (name: string) => instance(name, { createdMs: T0 - 60 * MINUTE });
  const memory = (ids: readonly string[], request = 0): ClusterStateMemory => ({
    ...(request > 0 ? withRequest('g', request, MINUTE) : emptyClusterStateMemory()),
    updatedMs: T0 - MINUTE,
    unregisteredSinceMs: Object.fromEntries(ids.map((id) => [id, T0 - 20 * MINUTE])),
  });
  const deletions = (count: number) => ({
    empty: ['n0', 'n1'].slice(0, count),
    drained: [],
    recentEvictions: [],
  });

  // scale-up 14/68
  it.each([
    ['a request', 3, 0, 0, [7, 10]],
    ['removals', 0, 0, 2, [10, 12]],
    ['long unregistered machines', 0, 2, 0, [8, 10]],
    ['all of them', 3, 2, 2, [5, 12]],
  ])('with %s', (_, requested, overdue, removing, [minNodes, maxNodes]) => {
    const extra = [long('late0'), long('late1')].slice(0, overdue);
    const result = update(
      observe({ g: { nodes: ready(3), extra, targetSize: 10 } }, { deletions: deletions(removing) }),
      memory(
        extra.map((one) => one.id),
        requested,
      ),
    );
    expect(groupOf(result, 'g').range).toEqual({ minNodes, maxNodes, target: 10 });
  });

  // scale-up 14/68
  it('does not mind machines that are unregistered for a short time', () => {
    const result = update(observe({ g: { nodes: ready(8), extra: [instance('a'), instance('b')] } }));
    expect(groupOf(result, 'g').range).toEqual({ minNodes: 10, maxNodes: 10, target: 10 });
  });
});

describe('upcoming nodes', () => {
  // scale-up 14/60, 14/70
  it.each([
    ['7 asked for, 1 ready, request 6', { nodes: ready(1), targetSize: 7 }, 6, 6],
    ['3 asked for, 1 ready, request 2', { nodes: ready(1), targetSize: 3 }, 2, 2],
    ['3 asked for, 1 ready, no request and no such machines', { nodes: ready(1), targetSize: 3 }, 0, 0],
    ['a long unready node', { nodes: [notReadyNode('a', 60 * MINUTE)], targetSize: 2 }, 1, 1],
    ['nothing but a long unready node', { nodes: [notReadyNode('a', 60 * MINUTE)], targetSize: 1 }, 1, 0],
  ])('%s', (_, group, request, expected) => {
    const memory = request === 0 ? emptyClusterStateMemory() : withRequest('g', request, MINUTE);
    expect(groupOf(update(observe({ g: group }), memory), 'g').upcoming.count).toBe(expected);
  });

  // scale-up 14/60, 14/82
  it('include nodes that have joined but not started, by name', () => {
    const nodes = [notReadyNode('young', MINUTE)];
    const result = update(observe({ g: { nodes, targetSize: 2 } }), withRequest('g', 2, MINUTE));
    expect(groupOf(result, 'g').upcoming).toEqual({ count: 2, registered: ['young'] });
  });

  // scale-up 14/60
  it('do not include a marked node that the cloud still has', () => {
    const taints = [{ key: 'ToBeDeletedByClusterAutoscaler', value: '1', effect: 'NoSchedule' as const }];
    const nodes = [buildNode('a'), buildNode('b', { taints })];
    const result = update(observe({ g: { nodes, targetSize: 2 } }), withRequest('g', 1, MINUTE));
    expect(groupOf(result, 'g').upcoming.count).toBe(0);
  });

  // scale-up 14/61, 14/64
  it('do not replace a deleted node without a request; the node stays deleted until its object is gone', () => {
    const nodes = [buildNode('a'), buildNode('b')];
    const existenceByNode = new Map([
      ['a', 'exists'],
      ['b', 'gone'],
    ] as const);
    const result = update(observe({ g: { nodes, targetSize: 2 } }, { existenceByNode }));
    expect(groupOf(result, 'g').counts.deleted).toEqual(['b']);
    expect(groupOf(result, 'g').upcoming.count).toBe(0);
  });

  // scale-up 15/1: a restart must not buy a second time
  it('include listed young machines and starting nodes after a restart, when no request is known', () => {
    const extra = [instance('booting'), instance('placeholder', { state: 'creating', createdMs: null })];
    const nodes = [...ready(1), notReadyNode('young', MINUTE)];
    const result = update(observe({ g: { nodes, extra, targetSize: 6 } }));
    expect(groupOf(result, 'g').upcoming).toEqual({ count: 3, registered: ['young'] });
    expect(groupOf(result, 'g').healthy).toBe(false);
    const complete = update(observe({ g: { nodes, extra } }));
    expect(groupOf(complete, 'g').healthy).toBe(true);
  });

  it('do not include failed machines when no request is known', () => {
    const failure = { kind: 'stock-out' as const, code: 'sold_out', message: 'none left' };
    const extra = [instance('broken', { state: 'creating', failure })];
    expect(groupOf(update(observe({ g: { extra } })), 'g').upcoming.count).toBe(0);
  });

  it('include the accepted part of a growth that failed in part', () => {
    const memory = withRequest('g', 2, MINUTE);
    const failure = { kind: 'stock-out' as const, code: 'sold_out', message: 'none left' };
    const backOffs = {
      g: { groupId: 'g', durationMs: MINUTE, untilMs: T0 + MINUTE, lastFailureMs: T0 - MINUTE, failure },
    };
    const extra = [instance('a', { state: 'creating' }), instance('b', { state: 'creating' })];
    const result = update(observe({ g: { extra } }), { ...memory, backOffs });
    expect(groupOf(result, 'g')).toMatchObject({ safeToScale: false, upcoming: { count: 2 } });
  });

  it('are not hidden by nodes whose machine is being deleted', () => {
    const nodes = ready(3);
    const observation = observe({ g: { nodes, extra: [instance('new', { state: 'creating' })] } });
    const group = observation.groups[0]!;
    const instances = group.instances.map((one) =>
      one.name === 'n0' ? { ...one, state: 'deleting' as const } : one,
    );
    const groups = [{ ...group, instances, targetSize: 3 }];
    const result = update({ ...observation, groups }, withRequest('g', 1, MINUTE));
    expect(groupOf(result, 'g').upcoming.count).toBe(1);
  });
});

describe('instances without node', () => {
  // scale-up 14/63
  it('are upcoming while young, then only unregistered, and vanish when the node registers', () => {
    const extra = [instance('late', { createdMs: T0 - MINUTE })];
    const first = update(observe({ g: { extra } }), withRequest('g', 1, MINUTE));
    expect(groupOf(first, 'g').counts.unregistered).toHaveLength(1);
    expect(groupOf(first, 'g').upcoming.count).toBe(1);

    const later = update(observe({ g: { extra } }, { nowMs: T0 + 16 * MINUTE }), first.memory);
    expect(groupOf(later, 'g').counts.longUnregistered.map((one) => one.instance.name)).toEqual(['late']);
    expect(groupOf(later, 'g').upcoming.count).toBe(0);

    const joined = update(observe({ g: { nodes: [buildNode('late')] } }), later.memory);
    expect(joined.memory.unregisteredSinceMs).toEqual({});
    expect(groupOf(joined, 'g').counts.longUnregistered).toEqual([]);
  });

  it('keep their age over a restart where the cloud tells it', () => {
    const extra = [instance('late', { createdMs: T0 - 8 * MINUTE })];
    const restarted = update(observe({ g: { extra } }));
    expect(restarted.memory.unregisteredSinceMs).toEqual({ 'fake://late': T0 - 8 * MINUTE });
  });

  it('get a third of the provision time at first sight, however old they are', () => {
    const extra = [instance('ancient', { createdMs: T0 - 9_000 * MINUTE })];
    const restarted = update(observe({ g: { extra } }));
    expect(restarted.memory.unregisteredSinceMs).toEqual({ 'fake://ancient': T0 - 10 * MINUTE });
  });

  it('get the whole provision time when they have just lost their node', () => {
    const before = update(observe({ g: { nodes: [buildNode('n')] } }, { nowMs: T0 - MINUTE }));
    const extra = [instance('n', { createdMs: T0 - 9_000 * MINUTE })];
    const after = update(observe({ g: { extra } }), before.memory);
    expect(after.memory.unregisteredSinceMs).toEqual({ 'fake://n': T0 });
  });

  it('are not those whose node has joined without the provider id', () => {
    const observation = observe({ g: { nodes: [buildNode('n')] } });
    const nodes = [buildNode('n', { providerId: '' })];
    const result = update({ ...observation, nodes });
    expect(groupOf(result, 'g').counts).toMatchObject({ ready: ['n'], unregistered: [] });
  });
});

describe('requests', () => {
  it('end when all machines are there, without lifting a back-off', () => {
    const failure = { kind: 'transient' as const, code: 'x', message: '' };
    const backOffs = {
      g: { groupId: 'g', durationMs: MINUTE, untilMs: T0 + MINUTE, lastFailureMs: T0, failure },
    };
    const memory = { ...withRequest('g', 2, MINUTE), backOffs };
    const result = update(observe({ g: { nodes: ready(2) } }), memory);
    expect(result.memory.requests).toEqual({});
    expect(result.happenings).toContainEqual({ kind: 'scale-up-completed', groupId: 'g', tookMs: MINUTE });
    // scale-up 14/65
    expect(groupOf(result, 'g').safeToScale).toBe(false);
  });

  // scale-up 14/59, 14/65
  it('time out: back-off, failure of all that was asked, and the target lowered', () => {
    const memory = withRequest('g', 4, 3 * MINUTE, emptyClusterStateMemory(), 2 * MINUTE);
    const observation = observe({ g: { nodes: ready(1), targetSize: 5 } });
    const result = update(observation, memory, { ...STRICT, maxNodeProvisionTimeMs: 2 * MINUTE });
    expect(result.memory.requests).toEqual({});
    expect(result.reverts).toEqual([{ groupId: 'g', count: 4 }]);
    expect(groupOf(result, 'g')).toMatchObject({ healthy: false, safeToScale: false });
    expect(groupOf(result, 'g').backOff).toMatchObject({
      untilMs: T0 + 5 * MINUTE,
      failure: { code: 'timeout', message: 'Scale-up timed out for node group g after 3m0s' },
    });
    const timedOut = result.happenings.find((one) => one.kind === 'scale-up-timed-out')!;
    expect(timedOut).toMatchObject({ increase: 4, failure: { code: 'timeout' } });
    expect(eventOf(timedOut)).toEqual({
      type: 'Warning',
      reason: 'ScaleUpTimedOut',
      message: 'Nodes added to group g failed to register within 3m0s',
    });
  });

  // scale-up 14/70: phantoms end with the timeout (case U035)
  it('leave nothing upcoming after a timeout', () => {
    const memory = withRequest('g', 1, 16 * MINUTE);
    const result = update(observe({ g: { targetSize: 1 } }), memory);
    expect(groupOf(result, 'g').upcoming.count).toBe(0);
    expect(result.reverts).toEqual([{ groupId: 'g', count: 1 }]);
  });

  // scale-up 15/3
  it('give back only machines that do not exist', () => {
    const memory = withRequest('g', 4, 16 * MINUTE);
    const extra = [instance('stuck', { createdMs: T0 - 16 * MINUTE })];
    const result = update(observe({ g: { nodes: ready(2), extra, targetSize: 5 } }), memory);
    expect(result.reverts).toEqual([{ groupId: 'g', count: 2 }]);
  });

  // cases U035, U050
  it('time out when their machines exist and never became nodes', () => {
    const requested = { ...withRequest('g', 1, 15 * MINUTE + 10_000), updatedMs: T0 - 10_000 };
    const machine = instance('mute', { createdMs: T0 - 15 * MINUTE - 10_000 });
    const memory = { ...requested, unregisteredSinceMs: { [machine.id]: T0 - 15 * MINUTE - 10_000 } };
    const result = update(observe({ g: { extra: [machine] } }), memory);
    expect(result.happenings.map(({ kind }) => kind)).toEqual(['scale-up-timed-out', 'back-off-entered']);
    expect(groupOf(result, 'g')).toMatchObject({ safeToScale: false, upcoming: { count: 0 } });
    expect(result.reverts).toEqual([]);
  });

  it('succeed in spite of a machine that was lost long before', () => {
    const lost = instance('lost', { createdMs: T0 - 60 * MINUTE });
    const memory = {
      ...withRequest('g', 1, 2 * MINUTE),
      updatedMs: T0 - MINUTE,
      unregisteredSinceMs: { [lost.id]: T0 - 60 * MINUTE },
    };
    const result = update(observe({ g: { nodes: ready(1), extra: [lost] } }), memory);
    expect(result.happenings.map(({ kind }) => kind)).toEqual(['scale-up-completed']);
  });

  it('are not cut short on the last moment', () => {
    const result = update(observe({ g: { targetSize: 1 } }), withRequest('g', 1, 15 * MINUTE));
    expect(result.reverts).toEqual([]);
    expect(groupOf(result, 'g').upcoming.count).toBe(1);
  });

  // scale-up 14/65: after 5 minutes the group may grow again
  it('that failed set the group free again when the penalty ends', () => {
    const failed = update(observe({ g: { targetSize: 1 } }), withRequest('g', 1, 16 * MINUTE), {
      ...STRICT,
      maxNodeProvisionTimeMs: MINUTE,
    });
    const observation = observe({ g: { targetSize: 0 } }, { nowMs: T0 + 5 * MINUTE + 1_000 });
    const later = update(observation, failed.memory);
    expect(groupOf(later, 'g').safeToScale).toBe(true);
    expect(later.happenings).toEqual([{ kind: 'back-off-left', groupId: 'g' }]);
  });
});

describe('machines that the cloud could not make', () => {
  const soldOut = (message = 'none left', code = 'RESOURCE_POOL_EXHAUSTED') => ({
    kind: 'stock-out' as const,
    code,
    message,
  });
  const failed = (name: string, failure = soldOut(), fields: Parameters<typeof buildInstance>[1] = {}) =>
    instance(name, { state: 'creating', failure, ...fields });

  // scale-up 14/69
  it('are one failure for each code', () => {
    const extra = [failed('a'), failed('b')];
    const result = update(observe({ g: { extra } }), withRequest('g', 1, MINUTE));
    const failures = result.happenings.filter((one) => one.kind === 'machines-failed');
    expect(failures).toEqual([
      { kind: 'machines-failed', groupId: 'g', count: 2, failure: soldOut(), messages: ['none left'] },
    ]);
    expect(result.memory.requests).toEqual({});
    expect(groupOf(result, 'g').backOff?.failure.code).toBe('RESOURCE_POOL_EXHAUSTED');
    expect(result.happenings).toContainEqual({
      kind: 'back-off-entered',
      groupId: 'g',
      untilMs: T0 + 5 * MINUTE,
      failure: soldOut(),
    });
  });

  it('are reported once, and shorten the request by their number', () => {
    const extra = [failed('a'), instance('fine', { state: 'creating' })];
    const first = update(observe({ g: { extra, targetSize: 5 } }), withRequest('g', 5, MINUTE));
    expect(first.memory.requests.g?.increase).toBe(4);
    const second = update(observe({ g: { extra, targetSize: 5 } }), first.memory);
    expect(second.happenings).toEqual([]);
    expect(second.memory.requests.g?.increase).toBe(4);
  });

  it('of several codes are all reported, though the first uses up the request', () => {
    const extra = [failed('a'), failed('b', soldOut('limit', 'QUOTA'))];
    const result = update(observe({ g: { extra } }), withRequest('g', 1, MINUTE));
    const codes = result.happenings.flatMap((one) =>
      one.kind === 'machines-failed' ? [one.failure.code] : [],
    );
    expect(codes).toEqual(['RESOURCE_POOL_EXHAUSTED', 'QUOTA']);
  });

  it('put the group into back-off after a restart when they were ordered lately', () => {
    const recent = update(observe({ g: { extra: [failed('a')] } }));
    const old = update(observe({ g: { extra: [failed('a', soldOut(), { createdMs: T0 - 60 * MINUTE })] } }));
    expect(groupOf(recent, 'g').backOff).not.toBeNull();
    expect(groupOf(old, 'g').backOff).toBeNull();
  });

  it('are not told by instances in another state', () => {
    const extra = [failed('a', soldOut(), { state: 'running' })];
    expect(update(observe({ g: { extra } }), withRequest('g', 1, MINUTE)).happenings).toEqual([]);
  });

  it('name at most three sources in the event', () => {
    const event = eventOf({
      kind: 'machines-failed',
      groupId: 'g',
      count: 4,
      failure: soldOut(),
      messages: ['m1', 'm2', 'm3', 'm4'],
    });
    expect(event).toEqual({
      type: 'Warning',
      reason: 'ScaleUpFailed',
      message:
        'Failed adding 4 nodes to group g due to OutOfResource.RESOURCE_POOL_EXHAUSTED; source errors: m1, m2, m3, ...',
    });
  });
});

describe('incorrect sizes', () => {
  const sizeAfter = (registered: number, target: number, unregistered = 0) => {
    const extra = Array.from({ length: unregistered }, (_, index) => instance(`x${index}`));
    const result = update(observe({ g: { nodes: ready(registered), extra, targetSize: target } }));
    return groupOf(result, 'g').incorrectSize;
  };

  // scale-up 14/62
  it.each([
    ['four machines that nothing explains', 1, 5, 0, true],
    ['missing nodes that are unregistered', 8, 10, 2, false],
    ['fewer unregistered than missing', 15, 20, 3, true],
    ['more nodes than asked for', 12, 10, 0, true],
  ])('%s', (_, registered, target, unregistered, isWrong) => {
    const expected = isWrong ? { registered, target, firstObservedMs: T0 } : null;
    expect(sizeAfter(registered, target, unregistered)).toEqual(expected);
  });

  // scale-up 14/62
  it('keep the time of first sight while the numbers stay', () => {
    const first = update(observe({ g: { nodes: ready(1), targetSize: 5 } }));
    const nowMs = T0 + MINUTE;
    const same = update(observe({ g: { nodes: ready(1), targetSize: 5 } }, { nowMs }), first.memory);
    const other = update(observe({ g: { nodes: ready(2), targetSize: 5 } }, { nowMs }), first.memory);
    expect(groupOf(same, 'g').incorrectSize?.firstObservedMs).toBe(T0);
    expect(groupOf(other, 'g').incorrectSize?.firstObservedMs).toBe(nowMs);
  });
});

it('keeps a memory that survives being written and read', () => {
  const extra = [instance('a', { state: 'creating' })];
  const { memory } = update(
    observe({ g: { nodes: ready(1), extra, targetSize: 9 } }),
    withRequest('g', 1, 1),
  );
  expect(JSON.parse(JSON.stringify(memory))).toEqual(memory);
});

it('forgets groups that are gone', () => {
  const retry = { failures: 1, notBeforeMs: T0 };
  const repairRetries = { 'release-failed g': retry, 'release-failed other': retry };
  const { memory } = update(observe({ other: {} }), { ...withRequest('g', 1, MINUTE), repairRetries });
  expect(memory.requests).toEqual({});
  expect(Object.keys(memory.repairRetries)).toEqual(['release-failed other']);
});

// scale-up 14/72
it('gives the right range and no upcoming nodes after failed machines were deleted', () => {
  const failure = { kind: 'stock-out' as const, code: 'x', message: '' };
  const extra = ['a', 'b', 'c'].map((name) => instance(name, { state: 'creating', failure }));
  const before = update(observe({ g: { nodes: ready(1), extra } }), withRequest('g', 3, MINUTE));
  const after = update(observe({ g: { nodes: ready(1) } }), before.memory);
  expect(groupOf(after, 'g').range).toEqual({ minNodes: 1, maxNodes: 1, target: 1 });
  expect(groupOf(after, 'g').upcoming.count).toBe(0);
});
