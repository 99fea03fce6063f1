import { machine, podManifest, readyNode, stage } from './support.js';
import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';
import type { Stage } from './support.js';

function pod(name: string, cpu: string, priority: number, spec: object = {}): Manifest {
  return podManifest(name, { cpu, spec: { priority, ...spec } });
}

async function onNodes(names: readonly string[], ...pods: Manifest[]): Promise<Stage> {
  const world = stage({ podStopMs: 5_000 }, () => ({ joinAfterMs: 0, readyAfterMs: 0 }));
  const shape = machine('x').shape;
  for (const name of names) world.fleet.powerOn(machine(name, { shape: { ...shape, cpuCores: 2 } }));
  world.cluster.start();
  await world.clock.advance(20_000);
  for (const one of pods) {
    world.cluster.apply(one);
    await world.clock.advance(5_000);
  }
  return world;
}

describe('preemption', () => {
  it('sends less important pods away, the least important and as few as it takes', async () => {
    const world = await onNodes(['n1'], pod('low', '900m', -10), pod('middle', '900m', 0));
    const { cluster, clock } = world;
    cluster.apply(pod('high', '1', 100));
    await clock.advance(2_000);
    expect(cluster.pod('high')!.status).toMatchObject({
      nominatedNodeName: 'n1',
      conditions: [
        {
          type: 'PodScheduled',
          reason: 'Unschedulable',
          message: '0/1 nodes are available: 1 Insufficient cpu.',
        },
      ],
    });
    expect(cluster.pod('low')!.metadata.deletionTimestamp).toBeDefined();
    expect(cluster.pod('low')!.status!.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', reason: 'PreemptionByScheduler' }),
    );
    expect(cluster.events('Preempted')).toHaveLength(1);
    expect(cluster.pod('middle')!.metadata.deletionTimestamp).toBeUndefined();
    await clock.advance(10_000);
    expect([cluster.pod('low'), cluster.pod('high')!.spec.nodeName]).toEqual([undefined, 'n1']);
  });

  it('chooses the node where the victims matter least', async () => {
    const { cluster, clock } = await onNodes(['n1', 'n2'], pod('a', '1500m', 50), pod('b', '1500m', 10));
    cluster.apply(pod('high', '1', 100));
    await clock.advance(15_000);
    expect([cluster.pod('a') !== undefined, cluster.pod('b')]).toEqual([true, undefined]);
  });

  it.each([
    ['equals', pod('p', '1', 10)],
    ['those who do not want to', pod('p', '1', 100, { preemptionPolicy: 'Never' })],
    ['those whom no node could take', pod('p', '9', 100)],
  ])('is not for %s', async (_what, late) => {
    const { cluster, clock } = await onNodes(['n1'], pod('early', '1500m', 10));
    cluster.apply(late);
    await clock.advance(30_000);
    expect(cluster.pod('early')!.metadata.deletionTimestamp).toBeUndefined();
    expect(cluster.pod('p')!.spec.nodeName).toBeUndefined();
  });

  it('happens once for a pod, however long its victims take', async () => {
    const { cluster, clock } = await onNodes(
      ['n1', 'n2'],
      podManifest('slow', {
        cpu: '1500m',
        spec: { priority: 0, terminationGracePeriodSeconds: 600 },
        annotations: { 'sandbox.evenkeel/stop-after-seconds': '300' },
      }),
      pod('other', '1500m', 1),
    );
    cluster.apply(pod('high', '1', 100));
    await clock.advance(120_000);
    cluster.apply(readyNode('n3', { cpu: '100m' }));
    await clock.advance(60_000);
    expect(cluster.pod('other')!.metadata.deletionTimestamp).toBeUndefined();
    await clock.advance(200_000);
    expect(cluster.pod('high')!.spec.nodeName).toBeDefined();
  });
});
