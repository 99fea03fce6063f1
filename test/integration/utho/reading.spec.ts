import { buildNode } from '../../support/builders.js';
import { DEFAULT_CLUSTER } from '../../../src/sandbox/utho/index.js';
import type { SettingsChange } from '../../../src/sandbox/utho/index.js';
import { buildHarness, failureOf, startHarness } from './utho-harness.js';

const pool = (id: string, more: object = {}) => ({ id, min: 1, max: 5, workers: 2, ...more });

describe('refresh of the Utho provider', () => {
  // utho 8/11
  it('shows the autoscaled pools in the order of their ids, over ten refreshes', async () => {
    const pools = [pool('pool-c', { autoScale: false }), pool('pool-b'), pool('pool-a')];
    const harness = await startHarness({ pools });
    for (let round = 0; round < 10; round++) {
      await harness.loops(1);
      expect(harness.provider.nodeGroups().map(({ id }) => id)).toEqual(['pool-a', 'pool-b']);
    }
  });

  // utho 8/12
  it('takes bounds and count from the pool', async () => {
    const { group } = await startHarness({
      pools: [pool('pool-a', { min: 1, max: 3, workers: 2 }), pool('pool-b', { min: 2, max: 5, workers: 3 })],
    });
    expect(group('pool-a')).toMatchObject({ minSize: 1, maxSize: 3, targetSize: 2 });
    expect(group('pool-b')).toMatchObject({ minSize: 2, maxSize: 5, targetSize: 3 });
  });

  // utho 8/13
  it('rejects with the error of the API, and the groups stay', async () => {
    const harness = await startHarness({ pools: [pool('pool-a')] });
    harness.cloud.answerNext('GET', `kubernetes/${DEFAULT_CLUSTER}`, {
      status: 500,
      body: 'broken',
      times: 99,
    });
    const error = await failureOf(harness.refresh());
    expect(error).toMatchObject({ name: 'CloudError', kind: 'transient' });
    expect((error as Error).message).toMatch(/ 500 .*; the last list is \d+ s old$/);
    expect(harness.group('pool-a')).toMatchObject({ targetSize: 2 });
    expect(harness.incidents.open().size).toBe(1);
    harness.cloud.clearFaults();
    await harness.loops(1);
    expect(harness.incidents.story).toEqual(['began utho-api', 'over utho-api']);
  });

  // utho 8/17
  it.each([
    [{ status: 200, body: { status: 'error', message: 'm1' } }, 'm1'],
    [{ status: 200, body: { status: 'error', message: '' } }, 'without a message'],
    [{ status: 401, body: { status: 'error', message: 'm2' } }, 'm2'],
  ])('rejects with what the API says: %p', async (answer, words) => {
    const harness = await startHarness({ pools: [pool('pool-a')] });
    harness.cloud.answerNext('GET', `kubernetes/${DEFAULT_CLUSTER}`, answer);
    expect(((await failureOf(harness.refresh())) as Error).message).toContain(words);
  });

  // utho 8/14
  it.each(['[]', '{}', 'null', 'omitted'] as const)(
    'has no groups when nodepools is %s',
    async (emptyCollections) => {
      const harness = await startHarness({ settings: { emptyCollections } });
      await harness.loops(2);
      expect(harness.provider.nodeGroups()).toEqual([]);
      const lines = harness.log.lines.filter(({ message }) =>
        message.startsWith('cluster-autoscaler is disabled.'),
      );
      expect(lines.map(({ level }) => level)).toEqual(['warn', 'debug', 'debug']);
    },
  );

  // utho 8/15
  it('sees at the next refresh what was changed in Utho', async () => {
    const harness = await startHarness({ pools: [pool('pool-a'), pool('pool-b', { autoScale: false })] });
    const ids = () => harness.provider.nodeGroups().map(({ id }) => id);
    harness.cloud.setAutoScale('pool-b', true);
    harness.cloud.setBounds('pool-a', { max: 9 });
    expect(ids()).toEqual(['pool-a']);
    await harness.loops(1);
    expect(ids()).toEqual(['pool-a', 'pool-b']);
    expect(harness.group('pool-a').maxSize).toBe(9);
    harness.cloud.setAutoScale('pool-a', false);
    harness.cloud.seedPool(pool('pool-c'));
    harness.cloud.removePool('pool-b');
    await harness.loops(1);
    expect(ids()).toEqual(['pool-c']);
  });

  // utho 8/16
  it.each(['E1', 'E4', 'E5', '404'] as const)(
    'rejects for an unknown cluster of shape %s',
    async (unknownCluster) => {
      const harness = await startHarness({ pools: [pool('pool-a')], settings: { unknownCluster } });
      harness.cloud.destroyCluster();
      expect(await failureOf(harness.refresh())).toMatchObject({ name: 'CloudError', kind: 'configuration' });
      expect(harness.provider.nodeGroups()).toHaveLength(1);
    },
  );

  // utho 8/18
  it('reads the same from every dialect of types', async () => {
    const variants: SettingsChange[] = [
      {},
      { typing: 'strings' },
      { typing: 'numbers' },
      { typing: 'legacy' },
      { typing: 'random', junkPrefix: 'newline' },
      { junkPrefix: 'BOM' },
      { junkPrefix: 'text' },
    ];
    const seen = [];
    for (const settings of variants) {
      const { provider } = await startHarness({ pools: [pool('pool-a'), pool('pool-b')], settings });
      seen.push(JSON.stringify(provider.nodeGroups()));
    }
    expect(new Set(seen).size).toBe(1);
  });

  // utho 8/19
  it('drops a worker without an id, keeps one without a size, and leaves other pools alone', async () => {
    const workers = [{}, { distortion: { cloudid: '' } }, { distortion: { ram: '', cpu: '' } }];
    const harness = await startHarness({ pools: [pool('pool-a', { workers }), pool('pool-b')] });
    await harness.loops(3);
    expect(harness.instances('pool-a')).toHaveLength(2);
    expect(harness.group('pool-b').instances).toHaveLength(2);
    expect(harness.log.of('utho-broken-worker')).toHaveLength(1);
  });

  // utho 8/20
  it('tells every pool at level 4', async () => {
    const { log } = await startHarness({
      pools: [pool('pool-a'), pool('pool-b', { autoScale: false, max: 7 })],
    });
    const told = log.of('utho-refresh');
    expect(told.every(({ level }) => level === 'debug')).toBe(true);
    expect(told.map(({ message }) => message)).toEqual([
      'Refreshing node group cache',
      'fetched 2 node pools from the cluster',
      'node-pool pool-a: autoscaling=true (min=1 max=5)',
      'node-pool pool-b: autoscaling=false (min=1 max=7)',
      'skipping non-autoscaling node pool: pool-b',
      'configured 1 autoscaling node pools',
    ]);
  });

  it('shares one request between refreshes at the same time', async () => {
    const harness = await startHarness({ pools: [pool('pool-a')] });
    const before = harness.reads();
    const { provider, signal } = harness;
    await harness.run(Promise.all([provider.refresh(signal), provider.refresh(signal)]));
    expect(harness.reads() - before).toBe(1);
  });

  it.each([
    [{ max: 0 }, 'max_size 0'],
    [{ max: null }, 'max_size missing'],
    [{ min: 6, max: 5 }, 'min_size 6, max_size 5'],
  ])('freezes a pool with the bounds %p', async (bounds, words) => {
    const harness = await startHarness({ pools: [pool('pool-a', bounds), pool('pool-b')] });
    await harness.loops(2);
    expect(harness.group('pool-a')).toMatchObject({ minSize: 2, maxSize: 2, targetSize: 2 });
    expect(harness.log.of('utho-pool-frozen')).toHaveLength(1);
    expect(harness.log.of('utho-pool-frozen')[0]?.message).toContain(words);
    const [machine] = harness.instances('pool-a');
    expect(await failureOf(harness.grow('pool-a', 1))).toMatchObject({ code: 'frozen' });
    expect(await failureOf(harness.shrink('pool-a', 1))).toMatchObject({ code: 'frozen' });
    const results = await harness.release('pool-a', [
      { instanceId: machine!.id, name: '', cause: 'scale-down' },
    ]);
    expect(results).toMatchObject([{ failure: { code: 'frozen' } }]);
    expect(harness.writes()).toEqual([]);
    expect(harness.metrics.value('utho_node_pools', { state: 'frozen' })).toBe(1);
  });

  it('tells anew when a pool is frozen for another reason, or once more', async () => {
    const harness = await startHarness({ pools: [pool('pool-a', { max: 0 })] });
    for (const bounds of [{ max: 0 }, { min: 6, max: 5 }, { min: 1, max: 5 }, { min: 1, max: 0 }]) {
      harness.cloud.setBounds('pool-a', bounds);
      await harness.loops(1);
    }
    expect(harness.log.of('utho-pool-frozen').map(({ message }) => message)).toEqual(
      ['1, max_size 0', '6, max_size 5', '1, max_size 0'].map(
        (sizes) => `node pool pool-a is left as it is: its bounds are unusable: min_size ${sizes}`,
      ),
    );
  });

  it('freezes a pool whose record is broken, with its last good numbers, until it is whole again', async () => {
    const harness = await startHarness({ pools: [pool('pool-a'), pool('pool-b')] });
    harness.cloud.distortPool('pool-a', { count: 'many' });
    await harness.loops(1);
    expect(harness.group('pool-a')).toMatchObject({ minSize: 2, maxSize: 2, targetSize: 2 });
    expect(harness.instances('pool-a')).toHaveLength(2);
    expect(await failureOf(harness.grow('pool-a', 1))).toMatchObject({ code: 'frozen' });
    expect((await harness.grow('pool-b', 1)).accepted).toBe(1);
    harness.cloud.distortPool('pool-a', {});
    await harness.loops(1);
    expect((await harness.grow('pool-a', 1)).accepted).toBe(1);
  });

  it('takes a count that no cluster can have for a broken record', async () => {
    const harness = await startHarness({ pools: [pool('pool-a'), pool('pool-b')] });
    harness.cloud.distortPool('pool-a', { count: '1000000' });
    await harness.loops(1);
    expect(harness.group('pool-a')).toMatchObject({ minSize: 2, maxSize: 2, targetSize: 2 });
    expect(harness.instances('pool-a')).toHaveLength(2);
  });

  it('ends within a minute while the catalogue of plans hangs', async () => {
    const harness = await startHarness({ pools: [pool('pool-a')] });
    harness.cloud.seedPool({ id: 'pool-b', workers: 0, count: 0, planId: '10316' });
    harness.cloud.slowNextBody('GET', `kubernetes/${DEFAULT_CLUSTER}`, 19_000);
    harness.cloud.faults.add({ match: { path: /\/v2\/cloud\// }, action: { kind: 'drop' } });
    const startMs = harness.clock.now();
    await harness.refresh();
    expect(harness.clock.now() - startMs).toBeLessThanOrEqual(60_000);
    expect(harness.provider.nodeGroups()).toHaveLength(2);
  });

  it('gives up after a minute, whatever the configuration allows to one request', async () => {
    const harness = await startHarness({
      pools: [pool('pool-a')],
      config: { request_timeout_ms: 120_000 },
    });
    harness.cloud.faults.add({ action: { kind: 'drop' } });
    const startMs = harness.clock.now();
    expect(await failureOf(harness.refresh())).toMatchObject({ kind: 'transient' });
    expect(harness.clock.now() - startMs).toBe(60_000);
    expect(harness.incidents.open().size).toBe(1);
  });

  it('remembers a pool that comes back: what was written to it, and whom it would hit', async () => {
    const harness = await startHarness({ pools: [pool('pool-a')] });
    harness.cloud.configure({ readLagMs: 200_000 });
    await failureOf(harness.grow('pool-a', 2));
    harness.cloud.answerNext('GET', `kubernetes/${DEFAULT_CLUSTER}`, {
      status: 200,
      body: { info: { cluster: { id: DEFAULT_CLUSTER } }, nodepools: {} },
    });
    await harness.loops(1);
    expect(harness.provider.nodeGroups()).toEqual([]);
    await harness.loops(1);
    await failureOf(harness.grow('pool-a', 1));
    expect(harness.writtenCounts()).toEqual(['4', '4']);
    expect(harness.cloud.events('victim')).toEqual([]);
  });

  it('warns once of policies, and of words that it does not know', async () => {
    const harness = await startHarness({
      pools: [pool('pool-a', { policies: [{ type: 'cpu' }] })],
    });
    harness.cloud.setClusterStatus({ status: 'Meditating' });
    const [worker] = harness.cloud.workers('pool-a');
    harness.cloud.setWorkerWords(worker!.cloudId!, { status: 'Dreaming', appStatus: 'Dreaming' });
    await harness.loops(3);
    expect(harness.log.of('utho-policies')).toHaveLength(1);
    expect(harness.log.of('utho-odd-word').map(({ message }) => message)).toEqual([
      'workers may be "Dreaming", whatever that means; such a worker counts as running',
      'cluster 701234 is Meditating, whatever that means',
    ]);
    expect(harness.instances('pool-a').map(({ state }) => state)).toEqual(['running', 'running']);
  });

  it.each([{ status: 'Stopped' }, { powerStatus: 'off' }])(
    'changes nothing in a cluster that is %p',
    async (words) => {
      const harness = await startHarness({ pools: [pool('pool-a')] });
      harness.cloud.setClusterStatus(words);
      await harness.loops(1);
      expect(await failureOf(harness.grow('pool-a', 1))).toMatchObject({ code: 'frozen' });
      expect(harness.writes()).toEqual([]);
      // So that no node is drained for nothing.
      expect(harness.group('pool-a')).toMatchObject({ targetSize: 2, minSize: 2, maxSize: 2 });
      expect(harness.log.of('utho-pool-frozen')).toHaveLength(1);
    },
  );

  it('tells what somebody else changed, with both numbers', async () => {
    const harness = await startHarness({ pools: [pool('pool-a')] });
    await harness.grow('pool-a', 1);
    await harness.loops(1);
    expect(harness.log.of('utho-foreign-change')).toEqual([]);
    harness.cloud.resizePool('pool-a', 5);
    await harness.loops(2);
    expect(harness.log.of('utho-foreign-change')).toMatchObject([
      { fields: { pool: 'pool-a', from: 3, to: 5 } },
    ]);
  });

  it('does not bring back older numbers with a refresh that began before a growth', async () => {
    const harness = await startHarness({ pools: [pool('pool-a')] });
    const { cloud, provider, signal, clock } = harness;
    cloud.slowNextBody('GET', `kubernetes/${DEFAULT_CLUSTER}`, 20_000);
    const slow = provider.refresh(signal);
    await clock.advance(1_000);
    await harness.grow('pool-a', 1);
    expect(harness.group('pool-a').targetSize).toBe(3);
    await harness.run(slow);
    expect(harness.group('pool-a').targetSize).toBe(3);
  });
});

describe('nodes and machines of the Utho provider', () => {
  // utho 8/41
  it('finds the pool of a node by provider id, by bare id, and by label', async () => {
    const pools = [
      pool('pool-a', { workers: [{ cloudId: '1234', hostname: 'Pool-A-x1' }] }),
      pool('static', { autoScale: false, workers: [{ cloudId: '77' }] }),
    ];
    const { provider, log } = await startHarness({ pools });
    const poolOf = (providerId: string, labels: Record<string, string> = {}, name = 'n') =>
      provider.nodeGroupIdForNode(buildNode(name, { providerId, labels }));
    expect(poolOf('utho://1234')).toBe('pool-a');
    expect(poolOf('1234')).toBe('pool-a');
    expect(poolOf('', { node_id: '1234' })).toBe('pool-a');
    expect(poolOf('k3s://n', { node_id: '1234' })).toBe('pool-a');
    expect(poolOf('', { nodepool_id: 'pool-a' }, 'pool-a-x1')).toBe('pool-a');
    expect(poolOf('utho://utho://1234')).toBeNull();
    expect(poolOf('utho://999')).toBeNull();
    expect(poolOf('utho://77')).toBeNull();
    expect(poolOf('', { nodepool_id: 'pool-b' }, 'pool-a-x1')).toBeNull();
    expect(poolOf('')).toBeNull();
    expect(poolOf('')).toBeNull();
    expect(log.of('utho-nameless-node').map(({ message }) => message)).toEqual([
      'node "pool-a-x1" has no Spec.ProviderID or node_id label; skipping',
      'node "n" has no Spec.ProviderID or node_id label; skipping',
    ]);
  });

  // utho 8/42
  it('lists the workers by their ids, without those that are none', async () => {
    const workers = ['123', '456', '0', '-1', '123'].map((cloudId) => ({ distortion: { cloudid: cloudId } }));
    const { instances } = await startHarness({
      pools: [pool('pool-a', { workers }), pool('pool-b', { workers: 0, count: 0 })],
    });
    expect(
      instances('pool-a')
        .map(({ id }) => id)
        .slice(0, 2),
    ).toEqual(['utho://123', 'utho://456']);
    expect(instances('pool-a').filter(({ id }) => id.startsWith('utho://'))).toHaveLength(2);
    expect(instances('pool-b')).toEqual([]);
  });

  it('stands placeholders for machines that have no record, and keeps their order time', async () => {
    const harness = await startHarness({
      pools: [pool('pool-a')],
      settings: { timings: { visibleAfterMs: 25_000, activeAfterMs: 60_000 } },
    });
    const orderedMs = harness.clock.now();
    await harness.grow('pool-a', 2);
    const orders = harness.instances('pool-a').slice(2);
    expect(orders.map(({ id }) => id)).toEqual(['utho-order://pool-a/1', 'utho-order://pool-a/2']);
    expect(orders).toMatchObject(Array(2).fill({ state: 'creating', createdMs: orderedMs, failure: null }));
    await harness.loops(4);
    const machines = harness.instances('pool-a').slice(2);
    expect(machines).toMatchObject(Array(2).fill({ state: 'creating', createdMs: orderedMs }));
    expect(machines.every(({ id }) => id.startsWith('utho://'))).toBe(true);
    expect(harness.instances('pool-a').slice(0, 2)).toMatchObject(Array(2).fill({ createdMs: null }));
  });

  // utho 8/44
  it('does nothing when a worker is destroyed and recreated', async () => {
    const harness = await startHarness({
      pools: [pool('pool-a', { workers: 3 }), pool('static', { autoScale: false })],
      settings: { timings: { recreateAfterMs: 25_000, activeAfterMs: 30_000 } },
    });
    const [lost] = harness.cloud.workers('pool-a');
    const node = buildNode('lost', { providerId: `utho://${lost!.cloudId}` });
    const existence = () => harness.provider.existence(node);
    expect(await existence()).toBe('exists');
    harness.cloud.destroyWorker(lost!.cloudId!);
    expect(await existence()).toBe('exists');
    await harness.loops(1);
    expect(await existence()).toBe('gone');
    expect(harness.provider.nodeGroupIdForNode(node)).toBe('pool-a');
    expect(harness.group('pool-a').targetSize).toBe(3);
    expect(harness.instances('pool-a')[2]).toMatchObject({ id: 'utho-order://pool-a/1', state: 'creating' });
    await harness.loops(2);
    const replacement = harness.instances('pool-a')[2];
    expect(replacement).toMatchObject({ state: 'creating', id: expect.stringMatching(/^utho:\/\/\d+$/) });
    await harness.loops(3);
    expect(harness.instances('pool-a')[2]).toMatchObject({ id: replacement!.id, state: 'running' });
    expect(harness.writes()).toEqual([]);
  });

  // utho 8/44
  it('says gone only from a young and whole read, and foreign for what is not autoscaled', async () => {
    const harness = await startHarness({ pools: [pool('pool-a'), pool('static', { autoScale: false })] });
    const { provider, cloud } = harness;
    const existence = (providerId: string, labels = {}, createdMs?: number) =>
      provider.existence(
        buildNode('n', { providerId, labels, ...(createdMs !== undefined && { createdMs }) }),
      );
    const [fixed] = cloud.workers('static');
    expect(await existence(`utho://${fixed!.cloudId}`)).toBe('foreign');
    expect(await existence(`utho://${cloud.cluster().master.cloudId}`)).toBe('foreign');
    expect(await existence('other://1')).toBe('foreign');
    expect(await existence('utho://99')).toBe('gone');
    expect(await existence('', { node_id: '99' })).toBe('gone');
    // Its worker may not be listed yet.
    expect(await existence('utho://99', {}, harness.clock.now())).toBe('unknown');
    cloud.distortPool('static', { count: 'many' });
    await harness.loops(1);
    expect(await existence('utho://99')).toBe('unknown');
    cloud.distortPool('static', {});
    await harness.loops(1);
    expect(await existence('utho://99')).toBe('gone');
    await harness.clock.advance(2 * 60_000);
    expect(await existence('utho://99')).toBe('unknown');
  });

  it('names a machine as its node, so that a node without provider id counts as joined', async () => {
    const harness = await startHarness({
      pools: [pool('pool-a', { workers: [{ cloudId: '1', hostname: 'Host-1' }] })],
    });
    expect(harness.instances('pool-a')[0]?.name).toBe('host-1');
    harness.nodes.nodes = [buildNode('renamed', { providerId: '', labels: { node_id: '1' } })];
    await harness.loops(1);
    expect(harness.instances('pool-a')[0]?.name).toBe('renamed');
  });

  it('shows a failed worker as failed, unless it may run pods', async () => {
    const harness = await startHarness({
      pools: [pool('pool-a', { workers: 2, max: 9 })],
      settings: { capacityMessage: 'Quota of the account reached.', timings: { activeAfterMs: 1_000 } },
    });
    harness.cloud.failNextWorkers(1, { message: 'Quota of the account reached.' });
    await harness.grow('pool-a', 1);
    harness.cloud.failWorker(harness.cloud.workers('pool-a')[0]!.cloudId!);
    await harness.loops(1);
    expect(harness.instances('pool-a').map(({ state, failure }) => [state, failure?.code ?? null])).toEqual([
      ['running', null],
      ['running', null],
      ['creating', 'UTHO_WORKER_FAILED'],
    ]);
    expect(harness.instances('pool-a')[2]?.failure?.kind).toBe('quota');
    expect(harness.log.of('utho-worker-failed')).toHaveLength(1);
    // Nobody can tell whether it has a node.
    harness.nodes.isStale = true;
    await harness.loops(1);
    expect(harness.instances('pool-a')[2]).toMatchObject({ state: 'running', failure: null });
  });

  // utho 8/45
  it('is called utho', () => {
    expect(buildHarness().provider.name).toBe('utho');
  });
});
