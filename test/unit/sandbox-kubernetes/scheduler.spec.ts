import { kinds } from '../../../src/sandbox/kubernetes/index.js';
import type { Manifest } from '../../../src/sandbox/kubernetes/index.js';
import { podManifest, readyNode, stage } from './support.js';
import type { Stage } from './support.js';

async function started(...manifests: Manifest[]): Promise<Stage> {
  const world = stage();
  world.cluster.apply(...manifests);
  world.cluster.start();
  await world.clock.advance(1_000);
  return world;
}

function verdictOn({ cluster }: Stage, name: string): string {
  const pod = cluster.pod(name)!;
  const condition = pod.status!.conditions?.find(({ type }) => type === 'PodScheduled');
  return (
    pod.spec.nodeName ??
    `${condition?.status ?? '-'} ${condition?.reason ?? '-'}: ${condition?.message ?? ''}`
  );
}

describe('scheduler', () => {
  it('binds to the node with most room, and says so', async () => {
    const world = await started(
      readyNode('n1', { cpu: '2' }),
      readyNode('n2', { cpu: '4' }),
      podManifest('p', { cpu: '1' }),
    );
    expect(verdictOn(world, 'p')).toBe('n2');
    expect(world.cluster.pod('p')!.status!.conditions).toMatchObject([
      { type: 'PodScheduled', status: 'True' },
    ]);
    expect(world.cluster.events('Scheduled')).toMatchObject([
      {
        type: 'Normal',
        message: 'Successfully assigned default/p to n2',
        source: { component: 'default-scheduler' },
      },
    ]);
  });

  it('says why a pod fits nowhere, reason by reason', async () => {
    const tainted = { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } };
    const world = await started(
      readyNode('n1', { cpu: '1' }),
      readyNode('n2', tainted),
      readyNode('n3', { spec: { ...tainted.spec, unschedulable: true } }),
      podManifest('p', { cpu: '2' }),
    );
    const message =
      '0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable. ' +
      'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
    expect(verdictOn(world, 'p')).toBe(`False Unschedulable: ${message}`);
    expect(world.cluster.events('FailedScheduling')).toMatchObject([{ type: 'Warning', message, count: 1 }]);
  });

  it('tells apart what preemption could help with', async () => {
    const world = await started(
      readyNode('n1', { cpu: '2' }),
      podManifest('big', { cpu: '1500m' }),
      podManifest('never', { cpu: '1', spec: { preemptionPolicy: 'Never' } }),
      podManifest('p', { cpu: '1' }),
    );
    expect(verdictOn(world, 'p')).toBe(
      'False Unschedulable: 0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: ' +
        '1 No preemption victims found for incoming pod.',
    );
    expect(verdictOn(world, 'never')).toContain('preemption: not eligible due to preemptionPolicy=Never.');
  });

  it('has a word for an empty cluster', async () => {
    const world = await started(podManifest('p'));
    expect(verdictOn(world, 'p')).toBe('False Unschedulable: no nodes available to schedule pods');
  });

  it.each([
    ['node selectors', { nodeSelector: { disk: 'ssd' } }],
    [
      'tolerations and affinity',
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] }],
            },
          },
        },
      },
    ],
  ])('obeys %s', async (_name, spec) => {
    const world = await started(
      readyNode('n1'),
      readyNode('n2', { labels: { disk: 'ssd' } }),
      podManifest('p', { spec }),
    );
    expect(verdictOn(world, 'p')).toBe('n2');
  });

  it('tries again when a node appears, and when room appears', async () => {
    const world = await started(
      readyNode('n1', { cpu: '1' }),
      podManifest('a', { cpu: '800m' }),
      podManifest('b', { cpu: '900m' }),
      podManifest('c', { cpu: '2' }),
    );
    expect([verdictOn(world, 'a'), world.cluster.pod('b')!.spec.nodeName]).toEqual(['n1', undefined]);
    world.cluster.delete(kinds.PODS, 'a', 'default', { gracePeriodSeconds: 0 });
    await world.clock.advance(2_000);
    expect([verdictOn(world, 'b'), world.cluster.pod('c')!.spec.nodeName]).toEqual(['n1', undefined]);
    world.cluster.create(readyNode('n2', { cpu: '2' }));
    await world.clock.advance(2_000);
    expect(verdictOn(world, 'c')).toBe('n2');
  });

  it('serves the important first', async () => {
    const world = stage();
    world.cluster.create(readyNode('n1', { cpu: '1' }));
    world.cluster.create(podManifest('low', { cpu: '1', spec: { priority: 1 } }));
    world.cluster.create(podManifest('high', { cpu: '1', spec: { priority: 10 } }));
    world.cluster.start();
    await world.clock.advance(1_000);
    expect(verdictOn(world, 'high')).toBe('n1');
    expect(verdictOn(world, 'low')).toContain('Insufficient cpu');
  });

  it('leaves alone what is gated, for another scheduler, or malformed', async () => {
    const world = await started(
      readyNode('n1'),
      podManifest('gated', { spec: { schedulingGates: [{ name: 'wait' }] } }),
      podManifest('foreign', { spec: { schedulerName: 'picky' } }),
    );
    const metadata = { namespace: 'default', uid: 'u', resourceVersion: '', creationTimestamp: '' };
    world.cluster.plant({
      ...podManifest('broken', { cpu: 'abc', spec: { schedulerName: 'default-scheduler' } }),
      metadata: { ...metadata, name: 'broken' },
    });
    world.cluster.plant({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name: 'hollow' },
      spec: null,
    });
    await world.clock.advance(5_000);
    expect([verdictOn(world, 'gated'), verdictOn(world, 'foreign')]).toEqual(['- -: ', '- -: ']);
  });

  it('places thousands of pods, and tells thousands of others why not', async () => {
    const world = stage();
    for (let index = 0; index < 50; index++) world.cluster.create(readyNode(`n${index}`, { cpu: '4' }));
    for (let index = 0; index < 4_000; index++) world.cluster.create(podManifest(`p${index}`));
    world.cluster.start();
    await world.clock.advance(10_000);
    const bound = world.cluster.pods().filter((pod) => pod.spec.nodeName !== undefined).length;
    // 4 cores of 100m pods, 110 slots: cpu is the limit.
    expect(bound).toBe(50 * 40);
    expect(new Set(world.cluster.events('FailedScheduling').map((event) => event.message)).size).toBe(1);
  });
});
