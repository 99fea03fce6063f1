import { deployment } from '../program/deployment.js';
import {
  MINUTE,
  POOL,
  SECOND,
  SMALL_PLAN,
  countsAskedFor,
  createUthoWorld,
  deletionsAskedFor,
  endWell,
  messagesOf,
  runningPods,
  startProgram,
  untilReady,
  workerIds,
} from './utho-world.js';
import type { UthoWorld } from './utho-world.js';

/** One worker of 2 CPU in the pool, with a pod that fills it. */
async function worldWithFullWorker(options: Parameters<typeof createUthoWorld>[0] = {}): Promise<UthoWorld> {
  const world = createUthoWorld(options);
  world.sandbox.cloud.seedPool({ id: POOL, planId: SMALL_PLAN, max: 5 });
  await untilReady(world);
  world.sandbox.cluster.apply(deployment('full', 1, '1500m'));
  await world.clock.runUntil(() => runningPods(world, 'full').length === 1, MINUTE);
  return world;
}

describe('growth', () => {
  it('asks for what the pods need in one absolute count, and is content when the workers come', async () => {
    const world = await worldWithFullWorker();
    const program = await startProgram(world);
    world.sandbox.cluster.apply(deployment('web', 3, '1500m'));
    await world.clock.runUntil(() => runningPods(world, 'web').length === 3, 10 * MINUTE);
    expect(countsAskedFor(world)).toEqual(['4']);
    expect(messagesOf(program, 'scale-up-refused')).toEqual([]);
    await endWell(program, world);
  });

  describe('U053 of a pool without a worker', () => {
    function emptyPool(world: UthoWorld): void {
      const { cloud } = world.sandbox;
      cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 0, max: 3, workers: 0, count: 0 });
    }

    it('takes its size from the price list', async () => {
      const world = createUthoWorld();
      world.sandbox.cloud.seedPool({ id: 'system', autoScale: false });
      emptyPool(world);
      await untilReady(world);
      const program = await startProgram(world);
      // Fills the worker of the other pool, so that the next pod needs a new one.
      world.sandbox.cluster.apply(deployment('filler', 1, '3500m'));
      await world.clock.runUntil(() => runningPods(world, 'filler').length === 1, MINUTE);
      world.sandbox.cluster.apply(deployment('web', 1, '1'));
      await world.clock.runUntil(() => runningPods(world, 'web').length === 1, 10 * MINUTE);
      expect(countsAskedFor(world)).toEqual(['1']);
      await endWell(program, world);
    });

    it('takes labels from node_templates, for pods that ask for them', async () => {
      const labels = { use: 'batch' };
      const world = createUthoWorld({
        nodeProfile: (machine) => (machine.labels['nodepool_id'] === POOL ? { labels } : {}),
      });
      emptyPool(world);
      await untilReady(world);
      const program = await startProgram(world, { config: { node_templates: { [POOL]: { labels } } } });
      const web = deployment('web', 1, '1') as any;
      web.spec.template.spec.nodeSelector = labels;
      world.sandbox.cluster.apply(web);
      await world.clock.runUntil(() => runningPods(world, 'web').length === 1, 10 * MINUTE);
      expect(countsAskedFor(world)).toEqual(['1']);
      await endWell(program, world);
    });

    it('remembers the last worker that it had', async () => {
      const world = createUthoWorld();
      const { cloud } = world.sandbox;
      cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 0, max: 3 });
      await untilReady(world);
      // No price list will help.
      cloud.answerNext('GET', /\/cloud\//u, { status: 500, body: {}, times: 1_000 });
      const program = await startProgram(world, { config: { allow_scale_to_zero: true } });
      await world.clock.runUntil(() => workerIds(world).length === 0, 30 * MINUTE);
      world.sandbox.cluster.apply(deployment('web', 1, '1'));
      await world.clock.runUntil(() => runningPods(world, 'web').length === 1, 10 * MINUTE);
      expect(countsAskedFor(world)).toEqual(['1']);
      await endWell(program, world);
    });
  });

  describe('U054 whose effect reads show late', () => {
    it.each([
      ['20 s', { readLagMs: 20 * SECOND }],
      ['three reads', { readLagReads: 3 }],
    ])('by %s is one order, without back-off', async (_late, lag) => {
      const world = await worldWithFullWorker();
      const { cloud, cluster } = world.sandbox;
      cloud.configure(lag);
      const program = await startProgram(world);
      cluster.apply(deployment('web', 2, '1500m'));
      await world.clock.runUntil(() => countsAskedFor(world).length > 0, 2 * MINUTE);
      await world.clock.runUntil(() => runningPods(world, 'web').length === 2, 10 * MINUTE);
      expect(countsAskedFor(world)).toEqual(['3']);
      expect(messagesOf(program, 'scale-up-refused')).toEqual([]);
      await endWell(program, world);
    });

    it('by longer than the verification is not ordered twice either', async () => {
      const world = await worldWithFullWorker();
      const { cloud, cluster } = world.sandbox;
      cloud.configure({ readLagMs: 90 * SECOND });
      const program = await startProgram(world);
      cluster.apply(deployment('web', 2, '1500m'));
      await world.clock.runUntil(() => runningPods(world, 'web').length === 2, 15 * MINUTE);
      await world.clock.advance(20 * MINUTE);
      expect(countsAskedFor(world)).toEqual(['3']);
      expect(deletionsAskedFor(world)).toEqual([]);
      expect(workerIds(world)).toHaveLength(3);
      await endWell(program, world);
    });
  });

  // utho 8/28
  it('whose answer is lost is one order', async () => {
    const world = await worldWithFullWorker();
    const { cloud, cluster } = world.sandbox;
    const program = await startProgram(world);
    cloud.loseNextReply('POST', `kubernetes/701234/nodepool/${POOL}/update`);
    cluster.apply(deployment('web', 2, '1500m'));
    await world.clock.runUntil(() => runningPods(world, 'web').length === 2, 10 * MINUTE);
    expect(countsAskedFor(world)).toEqual(['3']);
    expect(workerIds(world)).toHaveLength(3);
    await endWell(program, world);
  });

  // utho 8/27
  it('while the platform itself raises the count never asks for less than there is', async () => {
    const world = await worldWithFullWorker();
    const { cloud, cluster } = world.sandbox;
    cloud.setPolicies(POOL, [{ name: 'cpu', type: 'cpu', compare: 'above', value: 80, adjust: 1 }]);
    const program = await startProgram(world);
    await world.clock.advance(25 * SECOND);
    cluster.apply(deployment('web', 2, '1500m'));
    // The batch is looked at after 2 s. Between the refresh and the growth's own read, so that the plan is out of date.
    cloud.faults.add({ match: { method: 'GET' }, action: { kind: 'delay', ms: 500 } });
    cloud.playPolicy([{ afterMs: 2_700, pool: POOL, change: 3 }]);
    await world.clock.runUntil(() => runningPods(world, 'web').length === 2, 10 * MINUTE);
    expect(messagesOf(program, 'scale-up-decided')[0]).toContain('grows from 1 to 3');
    // There is enough already.
    expect(countsAskedFor(world)).toEqual([]);
    expect(cloud.pool(POOL).count).toBeGreaterThanOrEqual(4);
    expect(cloud.events('victim')).toEqual([]);
    expect(program.lines.filter((line) => line.includes('policies'))).toHaveLength(1);
    await endWell(program, world);
  });

  it('that the cloud refuses for lack of machines falls back to another pool in the same iteration', async () => {
    const world = await worldWithFullWorker();
    const { cloud, cluster } = world.sandbox;
    cloud.seedPool({ id: 'np-2', min: 1, max: 5, workers: 1 });
    await untilReady(world);
    cluster.apply(deployment('filler', 1, '3'));
    await world.clock.runUntil(() => runningPods(world, 'filler').length === 1, MINUTE);
    cloud.setCapacity('reject', POOL);
    const program = await startProgram(world);
    cluster.apply(deployment('web', 1, '1500m'));
    await world.clock.runUntil(() => runningPods(world, 'web').length === 1, 10 * MINUTE);
    expect(countsAskedFor(world)).toEqual(['2']);
    expect(countsAskedFor(world, 'np-2')).toEqual(['2']);
    expect(messagesOf(program, 'scale-up-refused')).toEqual([expect.stringContaining('out of stock')]);
    await endWell(program, world);
  });

  it('whose worker fails is removed by name and not waited for', async () => {
    const world = await worldWithFullWorker();
    const { cloud, cluster } = world.sandbox;
    cloud.failNextWorkers(1, { pool: POOL, message: 'Deployment failed.' });
    const program = await startProgram(world);
    cluster.apply(deployment('web', 1, '1500m'));
    await world.clock.runUntil(() => deletionsAskedFor(world).length === 1, 5 * MINUTE);
    await world.clock.runUntil(() => runningPods(world, 'web').length === 1, 20 * MINUTE);
    expect(runningPods(world, 'full')).toHaveLength(1);
    expect(cloud.events('victim')).toEqual([]);
    await endWell(program, world);
  });
});
