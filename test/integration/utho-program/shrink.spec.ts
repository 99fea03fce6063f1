import { deployment } from '../program/deployment.js';
import {
  MINUTE,
  POOL,
  SMALL_PLAN,
  countsAskedFor,
  createUthoWorld,
  deletionsAskedFor,
  endWell,
  runningPods,
  startProgram,
  untilReady,
  victims,
  workerIds,
} from './utho-world.js';
import type { UthoWorld } from './utho-world.js';

const MARK = 'ToBeDeletedByClusterAutoscaler';

function markedNodes({ sandbox }: UthoWorld): readonly string[] {
  return sandbox.cluster
    .nodes()
    .filter(({ spec }) => spec?.taints?.some(({ key }) => key === MARK) ?? false)
    .map(({ metadata }) => metadata.name);
}

function hostnames({ sandbox }: UthoWorld): readonly string[] {
  return sandbox.cloud.workers(POOL).map(({ hostname }) => hostname);
}

/** A pod that may run on this node only, and fills it. */
async function fillNode(world: UthoWorld, name: string): Promise<void> {
  const full = deployment('full', 1, '1500m') as any;
  full.spec.template.spec.nodeSelector = { 'kubernetes.io/hostname': name };
  world.sandbox.cluster.apply(full);
  await world.clock.runUntil(() => runningPods(world, 'full').length === 1, MINUTE);
}

async function fill(world: UthoWorld, replicas: number): Promise<void> {
  world.sandbox.cluster.apply(deployment('full', replicas, '1500m'));
  await world.clock.runUntil(() => runningPods(world, 'full').length === replicas, MINUTE);
}

describe('a pool with too many workers', () => {
  // utho 8/36
  it('loses the empty ones by name, after a drain, and no others', async () => {
    const world = createUthoWorld();
    const { cloud, cluster } = world.sandbox;
    cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 1, max: 5, workers: 3 });
    await untilReady(world);
    await fill(world, 1);
    const kept = runningPods(world, 'full')[0]!.spec.nodeName;
    const program = await startProgram(world);
    await world.clock.runUntil(() => workerIds(world).length === 1, 30 * MINUTE);
    await world.clock.advance(15 * MINUTE);
    expect(cloud.workers(POOL).map(({ hostname }) => hostname.toLowerCase())).toEqual([kept]);
    expect(runningPods(world, 'full')).toHaveLength(1);
    expect(deletionsAskedFor(world)).toHaveLength(2);
    expect(countsAskedFor(world)).toEqual([]);
    expect(victims(world)).toEqual([]);
    expect(cloud.pool(POOL).count).toBe(1);
    expect(cluster.nodes()).toHaveLength(2);
    await endWell(program, world);
  });

  it('keeps the last one although its min_size is 0', async () => {
    const world = createUthoWorld();
    world.sandbox.cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 0, max: 5, workers: 2 });
    await untilReady(world);
    const program = await startProgram(world);
    await world.clock.advance(30 * MINUTE);
    expect(workerIds(world)).toHaveLength(1);
    expect(countsAskedFor(world)).toEqual([]);
    await endWell(program, world);
  });

  it('whose platform recreates what is deleted gets its count lowered to what lives', async () => {
    // utho 8/40
    const world = createUthoWorld({ utho: { deleteDecrements: false, timings: { deleteTakesMs: 1_000 } } });
    world.sandbox.cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 1, max: 5, workers: 3 });
    await untilReady(world);
    await fill(world, 2);
    const program = await startProgram(world);
    await world.clock.runUntil(() => deletionsAskedFor(world).length === 1, 30 * MINUTE);
    await world.clock.advance(15 * MINUTE);
    expect(workerIds(world)).toHaveLength(2);
    expect(runningPods(world, 'full')).toHaveLength(2);
    expect(countsAskedFor(world)).toEqual(['2']);
    expect(victims(world)).toEqual([]);
    await endWell(program, world);
  });
});

describe('U055 a machine that was ordered and never comes', () => {
  it.each([1, 2, 5])('costs none of those that run, and is told (seed %d)', async (seed) => {
    const world = createUthoWorld({ seed });
    const { cloud, cluster } = world.sandbox;
    cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 0, max: 5, workers: 2 });
    await untilReady(world);
    await fill(world, 2);
    const before = workerIds(world);
    cloud.stickNextOrders(1, POOL);
    const program = await startProgram(world);
    cluster.scaleDeployment('full', 3);
    await world.clock.advance(25 * MINUTE);
    // Utho would pick the victim of a lower count among those that run, too.
    expect(countsAskedFor(world)).toEqual(['3']);
    expect(victims(world)).toEqual([]);
    for (const id of before) expect(workerIds(world)).toContain(id);
    expect(runningPods(world, 'full')).toHaveLength(2);
    expect(program.linesOf('scale-up-timed-out')).toHaveLength(1);
    expect(program.linesOf('back-off-entered')).toHaveLength(1);
    await endWell(program, world);
  });
});

describe('U095 a removal of several nodes', () => {
  it('goes on with the others where one has no id and the call for another fails', async () => {
    const NAMELESS = 'np-1-nameless';
    const world = createUthoWorld({
      nodeProfile: ({ name }) =>
        name === NAMELESS ? { cloudManaged: false, labels: { node_id: '', nodepool_id: '' } } : {},
    });
    const { cloud } = world.sandbox;
    const workers = ['np-1-busy', 'np-1-good', NAMELESS, 'np-1-failing'].map((hostname) => ({ hostname }));
    cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 1, max: 5, workers });
    await untilReady(world);
    await fillNode(world, 'np-1-busy');
    const failing = cloud.workers(POOL).find(({ hostname }) => hostname === 'np-1-failing')!.cloudId!;
    cloud.answerNext('DELETE', new RegExp(`/${failing}/delete$`, 'u'), { status: 500, body: {}, times: 1 });
    const program = await startProgram(world);
    await world.clock.runUntil(() => hostnames(world).length === 2, 60 * MINUTE);
    await world.clock.advance(30 * MINUTE);
    expect(hostnames(world)).toEqual(['np-1-busy', NAMELESS]);
    expect(deletionsAskedFor(world).filter((id) => id === failing).length).toBeGreaterThan(0);
    expect(world.sandbox.cluster.node(NAMELESS)?.spec?.unschedulable ?? false).toBe(false);
    expect(markedNodes(world)).toEqual([]);
    expect(program.lines.join('\n')).toMatch(new RegExp(`${NAMELESS}.*(node_id|provider)`, 'u'));
    await endWell(program, world);
  });
});
