import { buildNode, T0 } from '../../support/builders.js';
import type { PodOptions } from '../../support/builders.js';
import { runningPod } from '../scale-down/world.js';
import { actuation, buckets, place } from './actuation-world.js';

const BLOCKED = { kind: 'blocked-by-budget', message: 'not now' } as const;
const ACCEPTED = { kind: 'accepted' } as const;
const SECOND = 1_000;

function pod(name: string, options: PodOptions = {}) {
  return runningPod(name, 'd', options);
}

function daemon(name: string, nodeName = 'd') {
  return runningPod(name, nodeName, { owner: { kind: 'DaemonSet', apiVersion: 'x/v1' } });
}

describe('a drain', () => {
  it('evicts pods and DaemonSet pods, but no mirror pods', async () => {
    // scale-down 13.10/122
    const world = actuation();
    const mirror = pod('mirror', { shape: { directives: { mirror: '' } } });
    await world.run(buckets(place(world, 'ng', [[buildNode('d'), pod('p'), daemon('ds'), mirror]])));
    expect(world.cluster.log.filter((line) => line.startsWith('evict'))).toEqual([
      'evict ds 30',
      'evict p 30',
    ]);
    expect(world.metrics.values.get('evicted_pods_total{eviction_result="succeeded"}')).toBe(1);
  });

  it('leaves pods alone that are expendable or should be gone by now', async () => {
    const world = actuation();
    const expendable = pod('expendable', { owner: null, shape: { priority: -20 } });
    const leaving = { ...pod('leaving'), deletionMs: T0 - 600 * SECOND };
    await world.run(buckets(place(world, 'ng', [[buildNode('d'), pod('p'), expendable, leaving]])));
    expect(world.cluster.log).toEqual(['mark d', 'evict p 30']);
    expect(world.cloud.calls).toEqual(['ng: d']);
  });

  it.each([
    ['its own', 20, 600, 20],
    ['capped', 3_600, 600, 600],
    ['uncapped', 3_600, 0, 3_600],
  ])('grants a pod a grace period: %s', async (_what, own, cap, expected) => {
    const world = actuation({ maxGracefulTerminationSeconds: cap });
    const slow = pod('p', { shape: { terminationGracePeriodSeconds: own } });
    await world.clock.complete(
      world.drainer.drain({ pods: [slow], daemonSetPods: [] }, world.leadership.signal),
    );
    expect(world.cluster.log).toEqual([`evict p ${expected}`]);
  });

  it('tries again what was rejected, every 10 seconds within the window', async () => {
    // scale-down 13.10/124
    const world = actuation();
    world.cluster.onEvict = (_pod, attempt) => (attempt < 12 ? BLOCKED : ACCEPTED);
    const { results } = await world.run(buckets(place(world, 'ng', [[buildNode('d'), pod('p')]])));
    expect(results).toEqual({ d: 'NodeDeleteOk' });
    expect(world.cluster.log.filter((line) => line.startsWith('evict'))).toHaveLength(12);
  });

  it('gives up when the window is over', async () => {
    const world = actuation();
    world.cluster.onEvict = () => BLOCKED;
    await world.run(buckets(place(world, 'ng', [[buildNode('d'), pod('p')]])));
    expect(world.cluster.log.filter((line) => line.startsWith('evict'))).toHaveLength(12);
    expect(world.clock.now()).toBe(T0 + 5 * SECOND + 110 * SECOND);
    expect(world.cluster.eventsOf('p')).toEqual([
      'ScaleDown: deleting pod for node scale down',
      'ScaleDownFailed: failed to delete pod for ScaleDown',
    ]);
    expect(world.metrics.values.get('evicted_pods_total{eviction_result="failed"}')).toBe(1);
  });

  it('tells pods that failed from those that did not', async () => {
    // scale-down 13.10/127
    const world = actuation({ maxPodEvictionTimeMs: 0 });
    world.cluster.onEvict = ({ name }) => (name.startsWith('bad') ? { ...BLOCKED, message: name } : ACCEPTED);
    const pods = ['bad1', 'bad2', 'good1', 'good2'].map((name) => pod(name));
    const failure = await world.drainer.drain({ pods, daemonSetPods: [] }, world.leadership.signal);
    expect(failure?.code).toBe('NodeDeleteErrorFailedToEvictPods');
    expect(
      [...(failure?.evictions.values() ?? [])].map(({ pod, timedOut, error }) => [pod.name, timedOut, error]),
    ).toEqual([
      ['bad1', true, 'bad1'],
      ['bad2', true, 'bad2'],
      ['good1', false, null],
      ['good2', false, null],
    ]);
  });

  it('keeps results of pods of one name in two namespaces apart', async () => {
    const world = actuation({ maxPodEvictionTimeMs: 0 });
    world.cluster.onEvict = ({ namespace }) => (namespace === 'other' ? BLOCKED : ACCEPTED);
    const pods = [pod('same'), pod('same', { namespace: 'other' })];
    const failure = await world.drainer.drain({ pods, daemonSetPods: [] }, world.leadership.signal);
    expect(failure?.evictions.size).toBe(2);
  });

  it('takes a pod that is gone already as evicted', async () => {
    const world = actuation();
    world.cluster.onEvict = () => ({ kind: 'gone' });
    expect(
      await world.drainer.drain({ pods: [pod('p')], daemonSetPods: [] }, world.leadership.signal),
    ).toBeNull();
  });

  it('takes a pod of the same name on another node as another pod', async () => {
    // scale-down 13.10/125
    const world = actuation();
    const successor = runningPod('p', 'elsewhere');
    const { results } = await world.run(buckets(place(world, 'ng', [[buildNode('d'), pod('p'), successor]])));
    expect(results).toEqual({ d: 'NodeDeleteOk' });
    expect(world.cluster.pods.has(successor.uid)).toBe(true);
  });

  it('fails when evicted pods do not go in time', async () => {
    // scale-down 13.10/129
    const world = actuation({ maxGracefulTerminationSeconds: 60 });
    world.cluster.stubborn.add('p');
    const { results, failures } = await world.run(
      buckets(place(world, 'ng', [[buildNode('d'), pod('p'), pod('q')]])),
    );
    expect(results).toEqual({ d: 'NodeDeleteErrorFailedToEvictPods' });
    expect(failures.get('d')?.message).toBe('pods remaining after timeout: p');
    expect(world.clock.now()).toBe(T0 + (5 + 60 + 30) * SECOND);
    const evictions = [...(failures.get('d')?.evictions.values() ?? [])];
    expect(evictions.map(({ pod, timedOut }) => [pod.name, timedOut])).toEqual([
      ['p', true],
      ['q', false],
    ]);
  });

  it('does not mind DaemonSet pods that can not be evicted, and does not wait for them', async () => {
    // scale-down 13.10/126
    const world = actuation();
    world.cluster.onEvict = ({ name }) => (name === 'ds' ? BLOCKED : ACCEPTED);
    const { results } = await world.run(
      buckets(place(world, 'ng', [[buildNode('d'), pod('p'), daemon('ds')]])),
    );
    expect(results).toEqual({ d: 'NodeDeleteOk' });
    expect(world.clock.now()).toBe(T0 + 10 * SECOND);
    const before = world.cluster.log.length;
    await world.clock.advance(60 * SECOND);
    expect(world.cluster.log).toHaveLength(before);
    expect(world.cluster.eventsOf('ds')).toEqual(['ScaleDown: deleting pod for node scale down']);
  });
});

describe('an empty node', () => {
  it('goes although its DaemonSet pods can not be evicted', async () => {
    // scale-down 13.10/114
    const world = actuation({ evictDaemonSetsFromEmptyNodes: true });
    world.cluster.onEvict = () => BLOCKED;
    const { results } = await world.run(buckets(place(world, 'ng', [[buildNode('e'), daemon('ds', 'e')]])));
    expect(results).toEqual({ e: 'NodeDeleteOk' });
    expect(world.cluster.log).toContain('evict ds 30');
  });

  it('keeps its DaemonSet pods by default', async () => {
    const world = actuation();
    await world.run(buckets(place(world, 'ng', [[buildNode('e'), daemon('ds', 'e')]])));
    expect(world.cluster.log).toEqual(['mark e']);
  });
});

describe('a drain by priority', () => {
  const drainPriorities = [
    { priority: 0, shutdownGracePeriodSeconds: 60 },
    { priority: 1_000, shutdownGracePeriodSeconds: 10 },
    { priority: 2_000_000_000, shutdownGracePeriodSeconds: 5 },
  ];
  const pods = [2_000_000_005, 100, 2_000].map((priority) => pod(`p${priority}`, { shape: { priority } }));

  it('evicts low priorities first and waits for each group', async () => {
    // scale-down 13.10/130
    const world = actuation({ drainPriorities });
    for (const one of pods) world.cluster.pods.set(one.uid, one);
    const draining = world.drainer.drain({ pods, daemonSetPods: [daemon('ds')] }, world.leadership.signal);
    await world.clock.settle();
    expect(world.cluster.log).toEqual(['evict p100 30', 'evict ds 30']);
    await world.clock.advance(5 * SECOND);
    expect(world.cluster.log.at(-1)).toBe('evict p2000 10');
    await world.clock.advance(5 * SECOND);
    expect(world.cluster.log.at(-1)).toBe('evict p2000000005 5');
    expect(await world.clock.complete(draining)).toBeNull();
  });

  it('does not reach higher groups when a lower one fails', async () => {
    const world = actuation({ drainPriorities, maxPodEvictionTimeMs: 0 });
    world.cluster.onEvict = () => BLOCKED;
    const failure = await world.drainer.drain({ pods, daemonSetPods: [] }, world.leadership.signal);
    expect(world.cluster.log).toEqual(['evict p100 30']);
    const unreached = failure?.evictions.get(pods[0]!.uid);
    expect(unreached).toMatchObject({ timedOut: false, error: 'not reached: pods of lower priority stayed' });
  });
});
