import { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import { ClusterReader } from '../../../src/application/ports/cluster-reader.js';
import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import { deployment } from '../program/deployment.js';
import type { Program } from '../program/program.js';
import {
  MINUTE,
  POOL,
  SECOND,
  SMALL_PLAN,
  countsAskedFor,
  createUthoWorld,
  deletionsAskedFor,
  endWell,
  readyNodes,
  runningPods,
  startProgram,
  untilReady,
  workerIds,
} from './utho-world.js';
import type { UthoWorld } from './utho-world.js';

/** Two workers, each full. */
async function fullWorld(options: Parameters<typeof createUthoWorld>[0] = {}): Promise<UthoWorld> {
  const world = createUthoWorld(options);
  world.sandbox.cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 2, max: 4, workers: 2 });
  await untilReady(world);
  world.sandbox.cluster.apply(deployment('full', 2, '1500m'));
  await world.clock.runUntil(() => runningPods(world, 'full').length === 2, MINUTE);
  return world;
}

async function existenceByWorker(program: Program): Promise<Readonly<Record<string, string>>> {
  const provider = program.container.get<CloudProvider>(CloudProvider);
  const { nodes } = program.container.get<ClusterReader>(ClusterReader).state();
  const entries = nodes.map(async (node) => [
    node.labels.get('node_id') ?? '',
    await provider.existence(node, new AbortController().signal),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as Readonly<Record<string, string>>;
}

describe('U094 a worker that is destroyed behind the back of its pool', () => {
  // utho 8/44
  it('is replaced by the platform and by nobody else', async () => {
    const world = await fullWorld({ utho: { timings: { recreateAfterMs: 80 * SECOND } } });
    const { cloud } = world.sandbox;
    const [, lost] = workerIds(world);
    const program = await startProgram(world);
    await world.clock.advance(MINUTE);
    cloud.destroyWorker(lost!);
    await world.clock.runUntil(
      () => !readyNodes(world).includes(lost!) && workerIds(world).length === 1,
      MINUTE,
    );
    await world.clock.runUntil(() => workerIds(world).length === 2, 5 * MINUTE);
    expect(workerIds(world)).not.toContain(lost);
    await world.clock.runUntil(() => runningPods(world, 'full').length === 2, 20 * MINUTE);
    await world.clock.advance(15 * MINUTE);
    expect(cloud.writes()).toEqual([]);
    expect(cloud.pool(POOL).count).toBe(2);
    await endWell(program, world);
  });
});

describe('U109 whether a machine exists', () => {
  it('is answered from the list of workers, and not at all once that is old', async () => {
    const world = await fullWorld({ utho: { timings: { recreateAfterMs: Infinity } } });
    const { cloud, cluster } = world.sandbox;
    const fixed = cloud.seedPool({ id: 'fixed', autoScale: false });
    await untilReady(world);
    cluster.keepGhosts(true);
    const [kept, lost] = workerIds(world);
    const program = await startProgram(world);
    await world.clock.advance(2 * MINUTE);
    cloud.destroyWorker(lost!);
    await world.clock.advance(MINUTE);
    const { master } = cloud.cluster();
    expect(await existenceByWorker(program)).toEqual({
      [kept!]: 'exists',
      [lost!]: 'gone',
      // Not ours to judge: never 'gone'.
      [fixed.workers[0]!.cloudId!]: 'foreign',
      [master.cloudId]: 'foreign',
    });
    cloud.faults.add({ match: {}, action: { kind: 'cut-before' } });
    await world.clock.advance(5 * MINUTE);
    expect(await existenceByWorker(program)).toMatchObject({ [lost!]: 'unknown' });
    expect(cloud.writes()).toEqual([]);
    await endWell(program, world);
  });
});

describe('a Node object that is deleted by hand', () => {
  it('costs its worker after the provision time, through a deletion by name', async () => {
    const world = createUthoWorld();
    const { cloud, cluster } = world.sandbox;
    cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 1, max: 4, workers: 3 });
    await untilReady(world);
    cluster.apply(deployment('full', 3, '1500m'));
    await world.clock.runUntil(() => runningPods(world, 'full').length === 3, MINUTE);
    const program = await startProgram(world);
    await world.clock.advance(MINUTE);
    const victim = cluster.nodes().find(({ metadata }) => metadata.labels?.['nodepool_id'] === POOL)!;
    const workerId = victim.metadata.labels!['node_id']!;
    cluster.delete(kinds.NODES, victim.metadata.name);
    await world.clock.advance(10 * MINUTE);
    expect(deletionsAskedFor(world)).toEqual([]);
    await world.clock.runUntil(() => deletionsAskedFor(world).length > 0, 10 * MINUTE);
    await world.clock.runUntil(() => runningPods(world, 'full').length === 3, 20 * MINUTE);
    expect(deletionsAskedFor(world)).toEqual([workerId]);
    expect(cloud.events('victim')).toEqual([]);
    expect(countsAskedFor(world)).toEqual(['3']);
    await endWell(program, world);
  });
});
