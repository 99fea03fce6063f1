import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import { ClusterWriteError } from '../../../src/application/ports/cluster-writer.js';
import type { Node } from '../../../src/domain/kubernetes/node.js';
import { TO_BE_DELETED_TAINT } from '../../../src/domain/kubernetes/taint.js';
import { buildNode, MINUTE, T0 } from '../../support/builders.js';
import { buildBudget, runningPod } from '../scale-down/world.js';
import { actuation, buckets, place } from './actuation-world.js';

const BLOCKED = { kind: 'blocked-by-budget', message: 'budget b forbids it' } as const;
const SOLD_OUT = { kind: 'transient', code: 'busy', message: 'try later' } as const;
const MARK = 'marked the node as toBeDeleted/unschedulable';

function nodes(...names: readonly string[]): [Node][] {
  return names.map((name) => [buildNode(name)]);
}

describe('starting deletions', () => {
  it('does nothing without removals', async () => {
    // scale-down 13.10/107
    const world = actuation();
    const { start } = await world.run([]);
    expect(start).toEqual({ result: 'ScaleDownNoNodeDeleted', started: [], failure: null });
  });

  it('marks empty nodes first, then deletes them', async () => {
    // scale-down 13.10/108
    const world = actuation();
    const removals = place(world, 'ng', nodes('a', 'b'));
    const start = await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    expect(start).toMatchObject({ result: 'ScaleDownNodeDeleteStarted', started: removals });
    expect(world.cluster.log).toEqual(['mark a', 'mark b']);
    expect(world.cloud.calls).toEqual([]);
    expect(world.tracker.inProgress()).toMatchObject({ empty: ['a', 'b'], drained: [] });
    expect(world.actuator.idle).toBe(false);
    await world.clock.advance(4_999);
    expect(world.cloud.calls).toEqual([]);
    await world.clock.complete(world.actuator.settled());
    expect(world.cloud.calls).toEqual(['ng: a', 'ng: b']);
    expect(world.tracker.collect().map(({ failure }) => failure)).toEqual([null, null]);
    expect(world.tracker.inProgress()).toMatchObject({ empty: [], drained: [] });
    expect(world.actuator.idle).toBe(true);
  });

  it('marks nobody when one of the empty nodes can not be marked', async () => {
    // scale-down 13.10/109
    const world = actuation();
    world.cluster.failingPatches.set('c', 1);
    const { start, results } = await world.run(buckets(place(world, 'ng', nodes('a', 'b', 'c', 'd'))));
    expect(start).toMatchObject({ result: 'ScaleDownError', started: [] });
    expect(start.failure?.message).toBe('node c has changed');
    expect(results).toEqual({});
    expect(['a', 'b', 'c', 'd'].filter((name) => world.cluster.isMarked(name))).toEqual([]);
    expect(world.cloud.calls).toEqual([]);
    expect(world.cluster.eventsOf('c')).toEqual([
      'ScaleDownFailed: failed to mark the node as toBeDeleted/unschedulable: node c has changed',
    ]);
  });

  it('is not stopped by a node that has gone meanwhile', async () => {
    const world = actuation();
    const removals = place(world, 'ng', nodes('a', 'gone', 'b'));
    world.cluster.nodes.delete('gone');
    const { start } = await world.run(buckets(removals));
    expect(start.failure).toBeNull();
    expect(world.cloud.calls).toEqual(['ng: a', 'ng: b']);
    expect(world.tracker.inProgress()).toMatchObject({ empty: [], drained: [] });
  });

  it('deletes the empty nodes although a node to drain can not be marked', async () => {
    // scale-down 13.10/110
    const world = actuation();
    world.cluster.failingPatches.set('d2', 1);
    const removals = place(world, 'ng', [
      [buildNode('e')],
      [buildNode('d1'), runningPod('p1', 'd1')],
      [buildNode('d2'), runningPod('p2', 'd2')],
    ]);
    const { start, results } = await world.run(buckets(removals));
    expect(start).toMatchObject({ result: 'ScaleDownError', started: [removals[0]] });
    expect(results).toEqual({ e: 'NodeDeleteOk' });
    expect(world.cluster.isMarked('d1')).toBe(false);
    expect(world.cluster.log).not.toContain('evict p1 30');
  });

  it('cordons and gives the taint the time of now', async () => {
    // scale-down 13.10/137
    const world = actuation();
    const old = { key: TO_BE_DELETED_TAINT, value: '5', effect: 'NoSchedule' as const };
    const foreign = { key: 'keep', value: 'me', effect: 'NoSchedule' as const };
    const removals = place(world, 'ng', [[buildNode('a', { taints: [foreign, old] })]]);
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    // scale-down 13.10/136
    expect(world.cluster.nodes.get('a')).toMatchObject({
      unschedulable: true,
      taints: [foreign, { ...old, value: (T0 / 1_000).toString() }],
    });
  });

  it('does not cordon where that is off', async () => {
    // scale-down 13.10/137
    const world = actuation({ cordonNodeBeforeTerminating: false });
    await world.actuator.startDeletion(buckets(place(world, 'ng', nodes('a'))), world.leadership.signal);
    expect(world.cluster.nodes.get('a')?.unschedulable).toBe(false);
    expect(world.cluster.isMarked('a')).toBe(true);
  });
});

describe('events and metrics', () => {
  it('tell of an empty node', async () => {
    const world = actuation();
    await world.run(buckets(place(world, 'ng', nodes('a'))));
    expect(world.cluster.eventsOf('a')).toEqual([
      `ScaleDown: ${MARK}`,
      'ScaleDown: nodes removed by cluster autoscaler',
    ]);
    expect(world.cluster.eventsOf('cluster-autoscaler-status')).toEqual([
      'ScaleDownEmpty: Scale-down: removing empty node "a"',
      'ScaleDownEmpty: Scale-down: empty node a removed',
    ]);
    const series = 'scaled_down_nodes_total{reason="empty",gpu_resource_name="",gpu_name="",dra_drivers=""}';
    expect(world.metrics.values.get(series)).toBe(1);
    expect(world.metrics.values.get('pending_node_deletions{}')).toBe(0);
  });

  it('tell of a drained node and its pods', async () => {
    // scale-down 13.10/121
    const world = actuation();
    await world.run(
      buckets(place(world, 'ng', [[buildNode('d'), runningPod('p', 'd'), runningPod('q', 'd')]])),
    );
    expect(world.cluster.eventsOf('cluster-autoscaler-status')).toEqual([
      'ScaleDown: Scale-down: removing node d, utilization: {0.25 0.125 0 0 cpu 0.25}, pods to reschedule: p,q',
      'ScaleDown: Scale-down: node d removed with drain',
    ]);
    expect(world.cluster.eventsOf('p')).toEqual(['ScaleDown: deleting pod for node scale down']);
    expect(world.metrics.values.get('evicted_pods_total{eviction_result="succeeded"}')).toBe(2);
  });
});

describe('failures', () => {
  it('of evictions give the node back and leave the others alone', async () => {
    // scale-down 13.10/111
    const world = actuation();
    world.cluster.onEvict = ({ name }) => (name === 'stays' ? BLOCKED : { kind: 'accepted' });
    const removals = place(world, 'ng', [
      [buildNode('bad'), runningPod('stays', 'bad'), runningPod('goes', 'bad')],
      [buildNode('good'), runningPod('p', 'good')],
    ]);
    const { results, failures } = await world.run(buckets(removals));
    expect(results).toEqual({ bad: 'NodeDeleteErrorFailedToEvictPods', good: 'NodeDeleteOk' });
    const evictions = [...(failures.get('bad')?.evictions.values() ?? [])];
    expect(evictions.map(({ pod, timedOut, error }) => [pod.name, timedOut, error])).toEqual([
      ['stays', true, 'budget b forbids it'],
      ['goes', false, null],
    ]);
    expect(world.cluster.nodes.get('bad')).toMatchObject({ taints: [], unschedulable: false });
    expect(world.cloud.calls).toEqual(['ng: good']);
    expect(world.cluster.eventsOf('bad').at(-1)).toBe(
      'ScaleDownFailed: failed to drain and delete node: failed to evict pod default/stays: budget b forbids it',
    );
  });

  it('of the cloud give the node back', async () => {
    // scale-down 13.10/113
    const world = actuation();
    world.cloud.failures.set('a', SOLD_OUT);
    const { results } = await world.run(buckets(place(world, 'ng', nodes('a', 'b'))));
    expect(results).toEqual({ a: 'NodeDeleteErrorFailedToDelete', b: 'NodeDeleteOk' });
    expect(world.cluster.isMarked('a')).toBe(false);
    expect(world.cluster.isMarked('b')).toBe(true);
    expect(world.cluster.eventsOf('a').at(-1)).toBe(
      'ScaleDownFailed: failed to delete empty node: try later',
    );
  });

  it('of the cloud do not give a node back whose machine is gone', async () => {
    const world = actuation();
    world.cloud.outages.set(
      'ng',
      new CloudError({ kind: 'unknown-outcome', code: 'timeout', message: 'no reply' }),
    );
    world.cloud.existences.set('a', 'gone');
    const { results } = await world.run(buckets(place(world, 'ng', nodes('a', 'b'))));
    expect(results).toEqual({ a: 'NodeDeleteOk', b: 'NodeDeleteErrorFailedToDelete' });
    expect([world.cluster.isMarked('a'), world.cluster.isMarked('b')]).toEqual([true, false]);
  });

  it('in one group do not touch another', async () => {
    // scale-down 13.10/120
    const world = actuation();
    world.cloud.outages.set('one', new CloudError(SOLD_OUT));
    const removals = [...place(world, 'one', nodes('a')), ...place(world, 'two', nodes('b'))];
    const { results } = await world.run(buckets(removals));
    expect(results).toEqual({ a: 'NodeDeleteErrorFailedToDelete', b: 'NodeDeleteOk' });
  });

  it('leave a cordon alone that is not ours', async () => {
    const world = actuation();
    world.cloud.failures.set('a', SOLD_OUT);
    await world.run(buckets(place(world, 'ng', [[buildNode('a', { unschedulable: true })]])));
    expect(world.cluster.nodes.get('a')).toMatchObject({ unschedulable: true, taints: [] });
  });

  it('of the rollback are made good later', async () => {
    // scale-down 13.13/169
    const world = actuation();
    world.cloud.failures.set('a', SOLD_OUT);
    const removals = buckets(place(world, 'ng', nodes('a')));
    await world.actuator.startDeletion(removals, world.leadership.signal);
    world.cluster.failingPatches.set('a', 2);
    await world.clock.complete(world.actuator.settled());
    expect(world.cluster.isMarked('a')).toBe(true);
    await world.actuator.retryRollbacks(world.leadership.signal);
    expect(world.cluster.isMarked('a')).toBe(true);
    await world.actuator.retryRollbacks(world.leadership.signal);
    expect(world.cluster.nodes.get('a')).toMatchObject({ taints: [], unschedulable: false });
  });
});

describe('the second look', () => {
  it('gives an empty node back that has got a pod', async () => {
    // scale-down 13.10/115
    const world = actuation();
    const removals = place(world, 'ng', nodes('a'));
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    const late = runningPod('late', 'a');
    world.cluster.pods.set(late.uid, late);
    await world.clock.complete(world.actuator.settled());
    expect(world.tracker.collect()[0]?.failure).toMatchObject({
      code: 'NodeDeleteErrorInternal',
      message: 'the node stays: it is not empty any more',
    });
    expect(world.cluster.isMarked('a')).toBe(false);
  });

  it.each([
    ['must not move', { owner: null }, 'the node stays: pod default/late: NotReplicated'],
    [
      'runs to completion',
      { shape: { directives: { safeToEvict: 'on-completion' } } },
      'the node stays: it waits until a pod has completed',
    ],
  ])('gives a node back that has got a pod that %s', async (_what, pod, message) => {
    const world = actuation();
    const removals = place(world, 'ng', [[buildNode('d'), runningPod('p', 'd')]]);
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    const late = runningPod('late', 'd', pod);
    world.cluster.pods.set(late.uid, late);
    await world.clock.complete(world.actuator.settled());
    expect(world.tracker.collect()[0]?.failure?.message).toBe(message);
    expect(world.cluster.log).not.toContain('evict p 30');
  });

  it('gives a node back that gets such a pod during the drain', async () => {
    const world = actuation();
    const removals = place(world, 'ng', [[buildNode('d'), runningPod('p', 'd')]]);
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    await world.clock.advance(5_500);
    expect(world.cluster.log).toContain('evict p 30');
    const late = runningPod('late', 'd', { owner: null });
    world.cluster.pods.set(late.uid, late);
    await world.clock.complete(world.actuator.settled());
    expect(world.cloud.calls).toEqual([]);
    expect(world.cluster.isMarked('d')).toBe(false);
  });

  it('evicts a pod too that was bound while others were evicted', async () => {
    const world = actuation();
    const removals = place(world, 'ng', [[buildNode('d'), runningPod('p', 'd')]]);
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    await world.clock.advance(5_500);
    const late = runningPod('late', 'd');
    world.cluster.pods.set(late.uid, late);
    await world.clock.complete(world.actuator.settled());
    expect(world.cluster.log).toContain('evict late 30');
    expect(world.cloud.calls).toEqual(['ng: d']);
  });

  it('gives back what it can not read, and a node whose name another has taken', async () => {
    const world = actuation();
    const removals = place(world, 'ng', nodes('a'));
    world.cluster.nodes.set('a', buildNode('a', { uid: 'another' }));
    expect((await world.run(buckets(removals))).results).toEqual({ a: 'NodeDeleteErrorInternal' });
    const blind = actuation();
    const others = place(blind, 'ng', nodes('a'));
    blind.cluster.unreadable = true;
    expect((await blind.run(buckets(others))).results).toEqual({ a: 'NodeDeleteErrorInternal' });
  });

  it('gives an empty node back where only the server knows of a pod', async () => {
    const world = actuation();
    const removals = place(world, 'ng', nodes('a', 'b'));
    world.cluster.unseen.push(runningPod('p', 'a'));
    const { results, failures } = await world.run(buckets(removals));
    expect(results).toEqual({ a: 'NodeDeleteErrorInternal', b: 'NodeDeleteOk' });
    expect(failures.get('a')?.message).toBe('the node stays: it is not empty any more');
    expect(world.cloud.calls).toEqual(['ng: b']);
    expect(world.cluster.isMarked('a')).toBe(false);
  });

  it('evicts a pod too that only the server knows of', async () => {
    const world = actuation();
    const late = runningPod('late', 'd');
    world.cluster.unseen.push(late);
    const removals = place(world, 'ng', [[buildNode('d'), runningPod('p', 'd')]]);
    const { results } = await world.run(buckets(removals));
    expect(results).toEqual({ d: 'NodeDeleteOk' });
    expect(world.cluster.log.filter((line) => line.startsWith('evict'))).toEqual([
      'evict p 30',
      'evict late 30',
    ]);
  });

  it('gives a node back whose pods the server does not tell', async () => {
    const world = actuation();
    world.cluster.podsFailure = new ClusterWriteError('unreachable', 'the API server is away');
    const { results, failures } = await world.run(buckets(place(world, 'ng', nodes('a'))));
    expect(results).toEqual({ a: 'NodeDeleteErrorInternal' });
    expect(failures.get('a')?.message).toContain('its pods could not be read: the API server is away');
    expect(world.cloud.calls).toEqual([]);
  });

  it('lets nodes of one start share the disruption budgets', async () => {
    const world = actuation();
    const labels = { app: 'web' };
    world.cluster.budgets = [buildBudget('b', 1, labels)];
    const removals = place(world, 'ng', [
      [buildNode('a'), runningPod('p', 'a', { labels })],
      [buildNode('b'), runningPod('q', 'b', { labels })],
    ]);
    const { results } = await world.run(buckets(removals));
    expect(results).toEqual({ a: 'NodeDeleteOk', b: 'NodeDeleteErrorInternal' });
  });
});

describe('atomic groups', () => {
  it('go in one call when the last node is ready', async () => {
    // scale-down 13.10/118
    const world = actuation();
    const removals = place(world, 'ng', [[buildNode('e')], [buildNode('d'), runningPod('p', 'd')]]);
    const { results } = await world.run(buckets(removals, true));
    expect(world.cloud.calls).toEqual(['ng: e d']);
    expect(results).toEqual({ e: 'NodeDeleteOk', d: 'NodeDeleteOk' });
  });

  it('stay as a whole when one node can not be drained, and may go in the next start', async () => {
    // scale-down 13.10/116, 13.13/172
    const world = actuation();
    world.cluster.onEvict = () => BLOCKED;
    const removals = place(world, 'ng', [[buildNode('e')], [buildNode('d'), runningPod('p', 'd')]]);
    const first = await world.run(buckets(removals, true));
    expect(first.results).toEqual({
      d: 'NodeDeleteErrorFailedToEvictPods',
      e: 'NodeDeleteErrorFailedToDelete',
    });
    expect(world.cloud.calls).toEqual([]);
    expect([world.cluster.isMarked('e'), world.cluster.isMarked('d')]).toEqual([false, false]);
    // scale-down 13.10/117
    world.cluster.onEvict = () => ({ kind: 'accepted' });
    const second = await world.run(buckets(removals, true));
    expect(second.results).toEqual({ e: 'NodeDeleteOk', d: 'NodeDeleteOk' });
  });

  it('are told as pending while nodes wait for others', async () => {
    const world = actuation();
    world.cluster.onEvict = () => BLOCKED;
    const removals = place(world, 'ng', [[buildNode('e')], [buildNode('d'), runningPod('p', 'd')]]);
    const pending = () => world.metrics.values.get('pending_node_deletions{}');
    await world.actuator.startDeletion(buckets(removals, true), world.leadership.signal);
    await world.clock.advance(20_000);
    await world.actuator.startDeletion([], world.leadership.signal);
    expect(pending()).toBe(1);
    await world.clock.complete(world.actuator.settled());
    await world.actuator.startDeletion([], world.leadership.signal);
    expect(pending()).toBe(0);
  });

  it('stay as a whole when one node can not be marked', async () => {
    const world = actuation();
    world.cluster.failingPatches.set('d', 1);
    const removals = place(world, 'ng', [[buildNode('e')], [buildNode('d'), runningPod('p', 'd')]]);
    const { results } = await world.run(buckets(removals, true));
    expect(results).toEqual({ e: 'NodeDeleteErrorFailedToDelete' });
    expect(world.cluster.isMarked('e')).toBe(false);
  });

  it('stay as a whole when one node gets a pod at the last moment', async () => {
    const world = actuation();
    const removals = place(world, 'ng', [[buildNode('e')], [buildNode('d'), runningPod('p', 'd')]]);
    await world.actuator.startDeletion(buckets(removals, true), world.leadership.signal);
    await world.clock.advance(5_500);
    const late = runningPod('late', 'e');
    world.cluster.pods.set(late.uid, late);
    await world.clock.complete(world.actuator.settled());
    expect(world.cloud.calls).toEqual([]);
    expect(world.tracker.collect().map(({ removal, failure }) => [removal.node.name, failure?.code])).toEqual(
      [
        ['e', 'NodeDeleteErrorInternal'],
        ['d', 'NodeDeleteErrorFailedToDelete'],
      ],
    );
  });
});

describe('batches', () => {
  it('collect nodes of one group within the interval', async () => {
    // scale-down 13.10/119
    const world = actuation({ nodeDeletionBatcherIntervalMs: 10_000 });
    const removals = [...place(world, 'one', nodes('a', 'b')), ...place(world, 'two', nodes('c'))];
    await world.run(buckets(removals));
    expect(world.cloud.calls).toEqual(['one: a b', 'two: c']);
    await world.run(buckets(place(world, 'one', nodes('d'))));
    expect(world.cloud.calls.at(-1)).toBe('one: d');
  });

  it('go one by one without an interval', async () => {
    // scale-down 13.10/118
    const world = actuation();
    await world.run(buckets(place(world, 'one', nodes('a', 'b'))));
    expect(world.cloud.calls).toEqual(['one: a', 'one: b']);
  });
});

describe('lost leadership', () => {
  it('stops every write at once and leaves the rest to the successor', async () => {
    const world = actuation();
    world.cluster.onEvict = () => BLOCKED;
    const removals = place(world, 'ng', [[buildNode('d'), runningPod('p', 'd')], [buildNode('e')]]);
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    await world.clock.advance(20_000);
    const before = { log: [...world.cluster.log], events: world.cluster.events.length };
    world.leadership.abort(new Error('lease lost'));
    await world.clock.complete(world.actuator.settled());
    await world.clock.advance(10 * MINUTE);
    expect(world.cluster.log).toEqual(before.log);
    expect(world.cluster.events).toHaveLength(before.events);
    expect(world.cluster.isMarked('d')).toBe(true);
    expect(world.tracker.inProgress()).toMatchObject({ empty: [], drained: [] });
  });

  it('keeps further nodes from being marked', async () => {
    const world = actuation();
    world.leadership.abort(new Error('lease lost'));
    const { start } = await world.run(buckets(place(world, 'ng', nodes('a'))));
    expect(start.result).toBe('ScaleDownError');
    expect(world.cluster.log).toEqual([]);
    expect(world.cluster.events).toEqual([]);
  });
});

describe('a node that vanishes', () => {
  it('needs no rollback', async () => {
    const world = actuation();
    const removals = place(world, 'ng', nodes('a'));
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    world.cluster.nodes.delete('a');
    await world.clock.complete(world.actuator.settled());
    expect(world.tracker.collect()[0]?.failure?.code).toBe('NodeDeleteErrorInternal');
    await world.actuator.retryRollbacks(world.leadership.signal);
    expect(world.cluster.log).toEqual(['mark a']);
  });
});

describe('a right that is missing', () => {
  it('fails an eviction without waiting', async () => {
    const world = actuation();
    world.cluster.onEvict = () => new ClusterWriteError('forbidden', 'may not evict');
    const removals = place(world, 'ng', [[buildNode('d'), runningPod('p', 'd')]]);
    const { results } = await world.run(buckets(removals));
    expect(results).toEqual({ d: 'NodeDeleteErrorFailedToEvictPods' });
    expect(world.clock.now()).toBe(T0 + 5_000);
  });
});
