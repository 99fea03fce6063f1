import { CloudProvider } from '../../../src/application/ports/cloud-provider.js';
import { deployment } from '../program/deployment.js';
import {
  MINUTE,
  POOL,
  SMALL_PLAN,
  countsAskedFor,
  createUthoWorld,
  endWell,
  messagesOf,
  readyNodes,
  runningPods,
  startProgram,
  untilReady,
} from './utho-world.js';

const MIB = 1024 * 1024;
/** What a node can't know before there is one. */
const OWN = ['kubernetes.io/hostname', 'node_id'];

describe('U093 the template of a pool', () => {
  it('has the labels of the node that comes, and promises no more room than that has', async () => {
    const world = createUthoWorld();
    const { cloud, cluster } = world.sandbox;
    // Its node shows that nodes of this cluster carry no zone.
    cloud.seedPool({ id: 'fixed', planId: SMALL_PLAN, autoScale: false });
    cloud.seedPool({
      id: POOL,
      planId: SMALL_PLAN,
      min: 0,
      max: 3,
      workers: 0,
      count: 0,
      ip: '203.0.113.99',
    });
    await untilReady(world);
    const reserved = { memory: '200Mi', 'ephemeral-storage': '10G' };
    const program = await startProgram(world, { config: { reserved } });
    await world.clock.advance(MINUTE);
    const promised = program.container.get<CloudProvider>(CloudProvider).template(POOL).node;
    cluster.apply(deployment('web', 2, '1100m'));
    await world.clock.runUntil(() => runningPods(world, 'web').length === 2, 10 * MINUTE);
    const real = cluster.nodes().find(({ metadata }) => metadata.labels?.['nodepool_id'] === POOL)!;
    for (const [label, value] of promised.labels) {
      if (!OWN.includes(label))
        expect({ [label]: real.metadata.labels?.[label] }).toEqual({ [label]: value });
    }
    expect(promised.labels.get('node.kubernetes.io/instance-type')).toBe(SMALL_PLAN);
    expect(promised.labels.get('topology.kubernetes.io/region')).toBe('inmumbaizone2');
    expect(promised.labels.has('topology.kubernetes.io/zone')).toBe(false);
    const memoryKiB = Number(/^(\d+)Ki$/u.exec(String(real.status!.allocatable!['memory']))![1]);
    expect(promised.allocatable.get('memory')).toBeLessThanOrEqual(memoryKiB * 1024);
    expect(promised.allocatable.get('cpu')).toBeLessThanOrEqual(2_000);
    expect(promised.allocatable.get('pods')).toBe(110);
    const disk = Number(real.status!.allocatable!['ephemeral-storage']);
    expect(promised.allocatable.get('ephemeral-storage')).toBeLessThanOrEqual(disk);
    await endWell(program, world);
  });

  it('is the real node where there is one, so that a pod that just does not fit buys nothing', async () => {
    const world = createUthoWorld({
      nodeProfile: () => ({ reserved: { cpuMilli: 100, memoryBytes: 600 * MIB } }),
    });
    const { cluster, cloud } = world.sandbox;
    cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 0, max: 3 });
    await untilReady(world);
    const program = await startProgram(world);
    cluster.apply(deployment('whole', 1, '2'));
    await world.clock.advance(10 * MINUTE);
    expect(countsAskedFor(world)).toEqual([]);
    expect(messagesOf(program, 'pods-not-helped').join()).toContain(
      'Insufficient cpu (asked 2, free 1900m, limit 1900m)',
    );
    await endWell(program, world);
  });

  it('is known to be smaller than the plan by what is reserved in the configuration', async () => {
    const world = createUthoWorld();
    const { cluster, cloud } = world.sandbox;
    cloud.seedPool({ id: POOL, planId: SMALL_PLAN, min: 0, max: 3, workers: 0, count: 0 });
    await untilReady(world);
    const program = await startProgram(world, { config: { reserved: { cpu: '300m' } } });
    cluster.apply(deployment('almost', 1, '1800m'));
    await world.clock.advance(10 * MINUTE);
    expect(countsAskedFor(world)).toEqual([]);
    await endWell(program, world);
  });

  it('makes pools alike that differ in their own labels only, so that they are balanced', async () => {
    const world = createUthoWorld();
    const { cluster, cloud } = world.sandbox;
    for (const id of ['np-1', 'np-2']) cloud.seedPool({ id, planId: SMALL_PLAN, min: 1, max: 5 });
    await untilReady(world);
    const program = await startProgram(world, { flags: ['--balance-similar-node-groups'] });
    cluster.apply(deployment('web', 6, '1500m'));
    await world.clock.runUntil(() => runningPods(world, 'web').length === 6, 10 * MINUTE);
    expect([countsAskedFor(world, 'np-1'), countsAskedFor(world, 'np-2')]).toEqual([['3'], ['3']]);
    expect(readyNodes(world)).toHaveLength(7);
    await endWell(program, world);
  });
});
