import { buildNode, T0 } from '../../support/builders.js';
import { actuation, buckets, place } from './actuation-world.js';

const SECOND = 1_000;

describe('annotations that delay a deletion', () => {
  const held = () =>
    buildNode('a', { delayDeletion: ['delay-deletion.cluster-autoscaler.kubernetes.io/volumes'] });

  it('are waited for', async () => {
    // scale-down 13.10/132
    const world = actuation();
    const removals = place(world, 'ng', [[held()]]);
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    await world.clock.advance(27 * SECOND);
    expect(world.cloud.calls).toEqual([]);
    world.cluster.nodes.set('a', { ...world.cluster.nodes.get('a')!, delayDeletion: [] });
    await world.clock.complete(world.actuator.settled());
    expect(world.cloud.calls).toEqual(['ng: a']);
    expect(world.clock.now()).toBe(T0 + 30 * SECOND);
  });

  it.each([
    ['the time-out', 120 * SECOND, 125],
    ['no time, when that is off', 0, 5],
  ])('hold the deletion up for %s at most', async (_what, nodeDeletionDelayTimeoutMs, seconds) => {
    // scale-down 13.10/132
    const world = actuation({ nodeDeletionDelayTimeoutMs });
    const { results } = await world.run(buckets(place(world, 'ng', [[held()]])));
    expect(results).toEqual({ a: 'NodeDeleteOk' });
    expect(world.clock.now()).toBe(T0 + seconds * SECOND);
  });

  it('end the deletion when the node can not be read any more', async () => {
    const world = actuation();
    const removals = place(world, 'ng', [[held()]]);
    await world.actuator.startDeletion(buckets(removals), world.leadership.signal);
    await world.clock.advance(6 * SECOND);
    world.cluster.nodes.delete('a');
    await world.clock.complete(world.actuator.settled());
    expect(world.tracker.collect()[0]?.failure?.code).toBe('NodeDeleteErrorFailedToDelete');
    expect(world.cloud.calls).toEqual([]);
  });
});

describe('the delay after the mark', () => {
  /** Marks show in the cache after the given times. */
  async function waited(shownAfterMs: readonly number[], policy = {}) {
    const world = actuation({ dynamicDeleteDelayAfterTaint: true, ...policy });
    const nodes = shownAfterMs.map((_, index) => buildNode(`n${index}`));
    for (const node of nodes) world.cluster.nodes.set(node.name, node);
    shownAfterMs.forEach((ms, index) => {
      const name = `n${index}`;
      const mark = {
        addTaints: [{ key: 'ToBeDeletedByClusterAutoscaler', value: '1', effect: 'NoSchedule' as const }],
      };
      world.clock.schedule(ms, () => void world.cluster.writer.patchNode(name, mark));
    });
    await world.clock.complete(world.delays.afterTaint(nodes, T0, world.leadership.signal));
    return { world, ms: world.clock.now() - T0 };
  }

  it('is twice the longest time until the marks showed, if it is dynamic', async () => {
    // scale-down 13.10/135
    expect((await waited([100, 150])).ms).toBe(150 + 300);
  });

  it('is the fixed one when a mark does not show', async () => {
    // scale-down 13.10/135
    expect((await waited([100, 60 * SECOND])).ms).toBe(30 * SECOND + 5 * SECOND);
  });

  it('remembers a slow time for an hour', async () => {
    const { world } = await waited([1_000]);
    const again = async () => {
      const startMs = world.clock.now();
      await world.clock.complete(world.delays.afterTaint([], startMs, world.leadership.signal));
      return world.clock.now() - startMs;
    };
    expect(await again()).toBe(2_000);
    await world.clock.advance(3_600 * SECOND);
    expect(await again()).toBe(0);
  });
});
