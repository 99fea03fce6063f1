import { areSimilar, DEFAULT_SIMILARITY_POLICY } from '../../../src/domain/node-group/similarity.js';
import { buildNode, buildPod, MIB } from '../../support/builders.js';
import type { Harness } from './utho-harness.js';
import { startHarness } from './utho-harness.js';

const GIB = 1024 ** 3;
const labelsOf = (harness: Harness, id: string) =>
  Object.fromEntries(harness.provider.template(id).node.labels);
const ZONE = 'topology.kubernetes.io/zone';

describe('template of a Utho pool', () => {
  // utho 8/43
  it('is what a worker of the pool is', async () => {
    const workers = [{ cloudId: '77', distortion: { cpu: '2', ram: '4096', disksize: '80', cost: '730' } }];
    const harness = await startHarness({ pools: [{ id: 'pool-A', workers, ip: '203.0.113.9' }] });
    const { node, pricePerHour } = harness.provider.template('pool-A');
    expect(Object.fromEntries(node.capacity)).toEqual({
      cpu: 2_000,
      memory: 4_294_967_296,
      pods: 110,
      'ephemeral-storage': 80_000_000_000,
    });
    expect(node.allocatable.get('memory')).toBe(4_294_967_296 - 100 * MIB);
    expect(pricePerHour).toBe(1);
    expect(labelsOf(harness, 'pool-A')).toEqual({
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': 'pool-a-template',
      'node.kubernetes.io/instance-type': '10355',
      'topology.kubernetes.io/region': 'inmumbaizone2',
      [ZONE]: 'inmumbaizone2',
      nodepool_id: 'pool-A',
      cluster_id: '701234',
      cluster_dcslug: 'inmumbaizone2',
      cluster_vpc: 'vpc-1',
      node_id: '77',
    });
  });

  // utho 8/43
  it('keeps a share for kube-proxy, unless the engine charges its DaemonSet', async () => {
    const harness = await startHarness({ pools: [{ id: 'pool-a' }] });
    const cpu = () => harness.provider.template('pool-a').node.allocatable.get('cpu');
    expect(cpu()).toBe(3_900);
    const pod = buildPod('kube-proxy');
    harness.nodes.daemonSets = [{ uid: 'set', namespace: 'kube-system', name: 'kube-proxy', pod }];
    await harness.loops(1);
    expect(cpu()).toBe(4_000);
  });

  // utho 8/43
  it('has the zone of real nodes, and none where they have none', async () => {
    const harness = await startHarness({ pools: [{ id: 'pool-a', workers: [{ cloudId: '7' }] }] });
    harness.nodes.nodes = [buildNode('one', { providerId: 'utho://7' })];
    await harness.loops(1);
    expect(labelsOf(harness, 'pool-a')).not.toHaveProperty([ZONE]);
    harness.nodes.nodes = [buildNode('one', { providerId: 'utho://7', labels: { [ZONE]: 'mumbai-2' } })];
    await harness.loops(1);
    expect(labelsOf(harness, 'pool-a')).toMatchObject({ [ZONE]: 'mumbai-2' });
  });

  // utho 8/43
  it('makes two pools of one plan alike', async () => {
    const { provider } = await startHarness({
      pools: [{ id: 'pool-a' }, { id: 'pool-b' }, { id: 'pool-c', planId: '10316' }],
    });
    const template = (groupId: string) => ({
      ...{ groupId, pods: [], source: 'provider' as const },
      node: provider.template(groupId).node,
    });
    const policy = { ...DEFAULT_SIMILARITY_POLICY, ignoredLabels: provider.ignoredSimilarityLabels };
    expect(areSimilar(template('pool-a'), template('pool-b'), policy)).toBe(true);
    expect(areSimilar(template('pool-a'), template('pool-c'), policy)).toBe(false);
    expect(areSimilar(template('pool-a'), template('pool-b'), DEFAULT_SIMILARITY_POLICY)).toBe(false);
  });

  it('takes a worker that is described, not one that is not yet', async () => {
    const workers = [{ distortion: { cpu: '', ram: '' } }, { state: 'pending' as const }, {}];
    const { provider } = await startHarness({ pools: [{ id: 'pool-a', workers }] });
    expect(provider.template('pool-a').node.capacity.get('memory')).toBe(8 * GIB);
  });

  it('subtracts what is reserved', async () => {
    const { provider } = await startHarness({
      pools: [{ id: 'pool-a' }],
      config: { reserved: { cpu: '100m', memory: '512Mi' } },
    });
    const { allocatable, capacity } = provider.template('pool-a').node;
    expect(capacity.get('cpu')! - allocatable.get('cpu')!).toBe(100 + 100);
    expect(capacity.get('memory')! - allocatable.get('memory')!).toBe(GIB / 2 + 100 * MIB);
  });

  it('remembers how the workers of a pool were', async () => {
    const harness = await startHarness({ pools: [{ id: 'pool-a', workers: 2, min: 1 }] });
    const before = harness.provider.template('pool-a').node.capacity;
    harness.cloud.distortPool('pool-a', { workers: [] });
    await harness.loops(2);
    expect(harness.provider.template('pool-a').node.capacity).toEqual(before);
    expect(labelsOf(harness, 'pool-a')).not.toHaveProperty('node_id');
    expect(harness.cloud.calls({ path: /getdeploy/ })).toEqual([]);
  });

  it('takes a worker of another pool with the same plan', async () => {
    const harness = await startHarness({
      pools: [
        { id: 'empty', workers: 0, count: 0 },
        { id: 'full', autoScale: false },
      ],
    });
    expect(harness.provider.template('empty').node.capacity.get('cpu')).toBe(4_000);
    expect(harness.cloud.calls({ path: /cloud/ })).toEqual([]);
  });

  it('takes what is configured, by pool before plan', async () => {
    const shape = { cpu: 16, memoryMb: 65_536, diskGb: 500, labels: { gpu: 'yes' }, gpu: 2 };
    const { provider } = await startHarness({
      pools: [{ id: 'pool-a', workers: 0, count: 0, planId: '4711' }],
      config: { node_templates: { 'pool-a': shape, '4711': { ...shape, cpu: 1 } } },
    });
    const { node } = provider.template('pool-a');
    expect(Object.fromEntries(node.capacity)).toEqual({
      cpu: 16_000,
      memory: 64 * GIB,
      pods: 110,
      'ephemeral-storage': 500_000_000_000,
      'nvidia.com/gpu': 2,
    });
    expect(node.labels.get('gpu')).toBe('yes');
  });

  // utho 8/43
  it('takes the plan of the catalogue, which is asked for once an hour', async () => {
    const harness = await startHarness({ pools: [{ id: 'pool-a', workers: 0, count: 0, planId: '10316' }] });
    const { node, pricePerHour } = harness.provider.template('pool-a');
    expect([node.capacity.get('cpu'), node.capacity.get('memory')]).toEqual([6_000, 16 * GIB]);
    expect(pricePerHour).toBeCloseTo(5_514 / 730);
    const [call] = harness.cloud.calls({ path: /getdeploy/ });
    expect(call?.query).toBe('product=cloud&dcslug=inmumbaizone2');
    const asked = () => harness.cloud.calls({ path: /getdeploy/ }).length;
    await harness.loops(20);
    expect(harness.provider.template('pool-a')).toEqual({ node, pricePerHour });
    expect(asked()).toBe(1);
  });

  it('asks what another machine could become where the catalogue does not know the plan', async () => {
    const asked = async (planId: string) => {
      const empty = { id: 'pool-a', workers: 0, count: 0, planId };
      const harness = await startHarness({ pools: [empty, { id: 'pool-b', workers: [{ cloudId: '5' }] }] });
      return harness.cloud.calls({ path: /resizeplans/ }).map(({ path }) => path);
    };
    expect(await asked('10316')).toEqual([]);
    expect(await asked('9999')).toEqual(['/cloud/5/resizeplans']);
  });

  it('keeps the plans that it knows while one of the two catalogues is away, and asks again soon', async () => {
    const harness = await startHarness({ pools: [{ id: 'pool-b' }] });
    const { cloud, provider } = harness;
    const cpu = () => provider.template('pool-a').node.capacity.get('cpu');
    const others = { plans: [{ id: '1', cpu: '1', ram: '1024' }] };
    cloud.answerNext('GET', /getdeploy/, { status: 200, body: others, times: 99 });
    cloud.seedPool({ id: 'pool-a', workers: 0, count: 0, planId: '10316' });
    await harness.loops(1);
    expect(cpu()).toBe(6_000);
    cloud.seedPool({ id: 'pool-c', workers: 0, count: 0, planId: '7777' });
    cloud.answerNext('GET', /resizeplans/, { status: 500, body: '', times: 4 });
    await harness.loops(1, 61 * 60_000);
    expect(cpu()).toBe(6_000);
    const asked = cloud.calls({ path: /getdeploy/ }).length;
    await harness.loops(1, 6 * 60_000);
    expect(cloud.calls({ path: /getdeploy/ })).toHaveLength(asked + 1);
  });

  // utho 8/43
  it('has none where nothing is known of the machines, and other pools go on', async () => {
    const harness = await startHarness({
      pools: [{ id: 'pool-a', workers: 0, count: 0, planId: '9999' }, { id: 'pool-b' }],
    });
    expect(() => harness.provider.template('pool-a')).toThrow(
      'node pool pool-a has no example worker to derive resources',
    );
    expect(() => harness.provider.template('nowhere')).toThrow('node pool not initialised for group nowhere');
    expect(harness.provider.template('pool-b').node.capacity.get('cpu')).toBe(4_000);
  });

  it('lets a refresh succeed while the catalogue is away', async () => {
    const harness = await startHarness({ pools: [{ id: 'pool-b' }] });
    harness.cloud.seedPool({ id: 'pool-a', workers: 0, count: 0, planId: '10316' });
    harness.cloud.answerNext('GET', /\/cloud\//, { status: 500, body: '', times: 100 });
    await harness.refresh();
    expect(harness.provider.nodeGroups()).toHaveLength(2);
    expect(harness.log.of('utho-plans').length).toBeGreaterThan(0);
    harness.cloud.clearFaults();
    await harness.loops(6, 60_000);
    expect(harness.provider.template('pool-a').node.capacity.get('cpu')).toBe(6_000);
  });
});
