import type { MachineReference } from '../../../src/application/ports/cloud-provider.js';
import { buildNode } from '../../support/builders.js';
import type { Harness, HarnessOptions } from './utho-harness.js';
import { startHarness } from './utho-harness.js';

const ID = 'pool-123';

interface PoolShape {
  readonly workers: readonly string[];
  readonly min?: number;
}

function poolOf({ workers, min = 1 }: PoolShape, more: Omit<HarnessOptions, 'pools'> = {}): Promise<Harness> {
  const pool = {
    id: ID,
    min,
    max: 9,
    workers: workers.map((cloudId) => ({ cloudId, hostname: `host-${cloudId}` })),
  };
  return startHarness({
    pools: [pool, { id: 'pool-9', workers: [{ cloudId: '900' }, { cloudId: '901' }] }],
    config: { cluster_id: undefined },
    nodes: [buildNode('any', { providerId: 'other://1', labels: { cluster_id: '701234' } })],
    ...more,
  });
}

const machine = (instanceId: string, more: Partial<MachineReference> = {}): MachineReference => ({
  ...{ instanceId, name: '', cause: 'scale-down' },
  ...more,
});
/** Without moving time. */
const begin = ({ provider, signal }: Harness, workerId: string) =>
  provider.deleteInstances(ID, [machine(`utho://${workerId}`)], { force: false, signal });
const deleted = (harness: Harness) => harness.writes().map(({ method, path }) => `${method} ${path}`);
const events = (harness: Harness) =>
  harness.cloud
    .events()
    .flatMap((event) => ('workerId' in event ? [`${event.kind} ${event.workerId ?? ''}`] : []));

describe('deleting machines of a Utho pool', () => {
  // utho 8/36
  it('deletes the named worker by its id, and the count goes down', async () => {
    const harness = await poolOf({ workers: ['123', '456', '789'] });
    expect(await harness.release(ID, ['123', '456'])).toEqual([
      { instanceId: 'utho://123', failure: null },
      { instanceId: 'utho://456', failure: null },
    ]);
    expect(deleted(harness)).toEqual([
      'DELETE /kubernetes/701234/nodepool/pool-123/123/delete',
      'DELETE /kubernetes/701234/nodepool/pool-123/456/delete',
    ]);
    expect(harness.group(ID).targetSize).toBe(1);
    expect(harness.cloud.pool(ID).count).toBe(1);
    expect(events(harness)).toEqual(['named 123', 'named 456']);
    expect(harness.log.of('utho-delete').map(({ message }) => message)).toEqual([
      'DeleteNodes: requested deletion of 2 nodes from pool pool-123',
      'DeleteNodes: resolved nodeID=123 for node "" in pool pool-123',
      'DeleteNodes: resolved nodeID=456 for node "" in pool pool-123',
      'DeleteNodes: provider confirmed deletion of node 123 in pool pool-123',
      'DeleteNodes: pool pool-123 count decremented, new Count=2',
      'DeleteNodes: provider confirmed deletion of node 456 in pool pool-123',
      'DeleteNodes: pool pool-123 count decremented, new Count=1',
    ]);
  });

  // utho 8/36
  it('deletes a pending worker, also at the minimum', async () => {
    const harness = await poolOf({ workers: ['123', '456'], min: 2 });
    harness.cloud.setWorkerWords('123', { status: 'Pending', appStatus: 'Pending' });
    expect(await harness.release(ID, ['123'])).toMatchObject([{ failure: null }]);
    expect(events(harness)).toEqual(['named 123']);
  });

  it('sends one request for a machine that is named twice', async () => {
    const harness = await poolOf({ workers: ['123', '456'] });
    expect(await harness.release(ID, ['123', '123'])).toMatchObject([{ failure: null }, { failure: null }]);
    expect(harness.writes()).toHaveLength(1);
  });

  // utho 8/37
  it('says what failed, and deletes the others', async () => {
    const harness = await poolOf({ workers: ['123', '456', '789'] });
    harness.cloud.refuseNext('DELETE', /\/123\//, 'No way.');
    const results = await harness.release(ID, ['123', '456']);
    expect(results).toMatchObject([{ failure: { kind: 'transient' } }, { failure: null }]);
    const text = 'deleting node failed for cluster 701234 node pool "pool-123" node "123": No way.';
    expect(results[0]?.failure?.message).toContain(text);
    expect(events(harness)).toEqual(['named 456']);
  });

  it('stops when the key may not write, or the API is away', async () => {
    const harness = await poolOf({ workers: ['123', '456', '789'] });
    harness.cloud.answerNext('DELETE', /./, { status: 403, body: { status: 'error', message: 'read-only' } });
    const results = await harness.release(ID, ['123', '456']);
    expect(results.map(({ failure }) => failure?.kind)).toEqual(['configuration', 'configuration']);
    expect(results[1]?.failure?.code).toBe('stopped');
    expect(harness.writes()).toHaveLength(1);
    expect(harness.group(ID).targetSize).toBe(3);
  });

  // utho 8/38
  it('refuses a node that says nothing of its worker, without a request', async () => {
    const harness = await poolOf({ workers: ['123', '456'] });
    const before = harness.cloud.calls().length;
    const [result] = await harness.release(ID, [machine('', { name: 'stranger' })]);
    expect(result?.failure?.message).toBe(
      'cannot delete node "stranger" with provider ID "" on node pool "pool-123": node ID label is missing',
    );
    expect(harness.cloud.calls()).toHaveLength(before);
  });

  it('finds a node without provider id by its label, or by its host name', async () => {
    const harness = await poolOf({ workers: ['123', '456', '789'] });
    harness.nodes.nodes = [buildNode('labelled', { providerId: '', labels: { node_id: '123' } })];
    const machines = [machine('', { name: 'labelled' }), machine('', { name: 'HOST-456' })];
    expect(await harness.release(ID, machines)).toMatchObject([{ failure: null }, { failure: null }]);
    expect(events(harness)).toEqual(['named 123', 'named 456']);
  });

  it('refuses a node whose label and provider id disagree', async () => {
    const harness = await poolOf({ workers: ['123', '456'] });
    harness.nodes.nodes = [buildNode('torn', { providerId: 'utho://123', labels: { node_id: '456' } })];
    expect(await harness.release(ID, [machine('utho://123', { name: 'torn' })])).toMatchObject([
      { failure: { code: 'id-mismatch' } },
    ]);
    expect(harness.writes()).toEqual([]);
  });

  it('never takes a template for a worker, although it carries the id of one', async () => {
    const harness = await poolOf({ workers: ['123', '456'] });
    const { node } = harness.provider.template(ID);
    expect(node.labels.get('node_id')).toBe('123');
    expect(harness.provider.nodeGroupIdForNode(node)).toBeNull();
    harness.nodes.nodes = [node];
    const machines = [machine(node.providerId, { name: node.name }), machine('', { name: node.name })];
    for (const { failure } of await harness.release(ID, machines))
      expect(failure).toMatchObject({ code: 'no-id' });
    expect(harness.writes()).toEqual([]);
  });

  // utho 8/39
  it('deletes a machine by its provider id alone, and refuses those of other pools and the control plane', async () => {
    const harness = await poolOf({ workers: ['123', '456'] });
    const master = harness.cloud.cluster().master.cloudId;
    const machines = ['900', master, '4242', '123'];
    const results = await harness.release(ID, machines);
    expect(results.map(({ failure }) => failure?.code ?? null)).toEqual([
      'other-pool',
      'other-pool',
      null,
      null,
    ]);
    expect(results[0]?.failure?.message).toBe('node "" (900) does not belong to node pool "pool-123"');
    expect(events(harness)).toEqual(['named 123']);
  });

  it('does not count a machine as gone while parts of the list can not be read', async () => {
    const harness = await poolOf({ workers: ['123', '456'] });
    harness.cloud.distortPool('pool-9', { count: 'many' });
    expect(await harness.release(ID, ['4242'])).toMatchObject([{ failure: { kind: 'transient' } }]);
  });

  // utho 8/39
  it('respects the minimum for running workers only, unless forced', async () => {
    const harness = await poolOf({ workers: ['1', '2', '3', '4'], min: 3 });
    harness.cloud.setWorkerWords('1', { status: 'Pending', appStatus: 'Pending' });
    harness.cloud.setWorkerWords('2', { status: 'Failed', appStatus: 'Failed' });
    await harness.loops(1);
    const results = await harness.release(ID, ['1', '3']);
    expect(results.map(({ failure }) => failure?.code ?? null)).toEqual([null, 'min-size']);
    expect(results[1]?.failure?.message).toBe(
      'min size reached for node pool pool-123: 4 workers, deleting 2 would go below 3',
    );
    expect(await harness.release(ID, ['3'], true)).toMatchObject([{ failure: null }]);
    expect(events(harness)).toEqual(['named 1', 'named 3']);
  });

  // utho 8/35
  it('keeps the last worker, unless the pool may be emptied', async () => {
    const harness = await poolOf({ workers: ['1', '2'] });
    const results = await harness.release(ID, ['1', '2'], true);
    expect(results.map(({ failure }) => failure?.code ?? null)).toEqual([null, 'zero-count']);
    const emptied = await poolOf(
      { workers: ['1'], min: 0 },
      { config: { allow_scale_to_zero: true }, settings: { emptiedPool: 'vanish' } },
    );
    expect(await emptied.release(ID, ['1'])).toMatchObject([{ failure: null }]);
    expect(deleted(emptied)).toEqual(['DELETE /kubernetes/701234/nodepool/pool-123/1/delete']);
    expect(emptied.group(ID).targetSize).toBe(0);
  });

  it.each([
    ['that failed', 'create-error', 'failed'],
    ['that never joined', 'unregistered', 'active'],
  ] as const)('orders another worker before it deletes the last one, %s', async (_, cause, state) => {
    const harness = await startHarness({
      pools: [{ id: ID, min: 1, max: 2, workers: [{ cloudId: '1', state }] }],
    });
    expect(await harness.release(ID, [machine('utho://1', { cause })])).toMatchObject([{ failure: null }]);
    expect(harness.writes().map(({ method, json }) => [method, json])).toEqual([
      ['POST', { count: '2' }],
      ['DELETE', undefined],
    ]);
    await harness.loops(2);
    expect(harness.group(ID)).toMatchObject({ targetSize: 1, instances: [{ state: 'running' }] });
    expect(events(harness)).toEqual(['named 1']);
  });

  it('does not order in a circle where every worker fails, nor beyond the maximum', async () => {
    const harness = await startHarness({
      pools: [{ id: ID, min: 1, max: 2, capacity: 'fail', workers: [{ cloudId: '1', state: 'failed' }] }],
    });
    const releaseFailed = async () => {
      const failed = harness.instances(ID).filter(({ failure }) => failure !== null);
      const machines = failed.map(({ id }) => machine(id, { cause: 'create-error' }));
      return (await harness.release(ID, machines)).map(({ failure }) => failure?.code ?? null);
    };
    expect(await releaseFailed()).toEqual([null]);
    await harness.loops(2);
    expect(await releaseFailed()).toEqual(['zero-count']);
    await harness.loops(30);
    expect(await releaseFailed()).toEqual([null]);
    const full = await startHarness({
      pools: [{ id: ID, min: 1, max: 1, workers: [{ cloudId: '1', state: 'failed' }] }],
    });
    const last = machine('utho://1', { cause: 'create-error' });
    expect(await full.release(ID, [last])).toMatchObject([{ failure: { code: 'zero-count' } }]);
    expect(full.writes()).toEqual([]);
  });

  it('deletes a failed machine, and leaves one alone that came up after all', async () => {
    const harness = await poolOf({ workers: ['1', '2'], min: 2 });
    const failed = machine('utho://1', { cause: 'create-error' });
    expect(await harness.release(ID, [failed])).toMatchObject([{ failure: { code: 'came-up' } }]);
    const fresh = await startHarness({
      pools: [{ id: ID, min: 1, max: 9, workers: [{}, { cloudId: '1', state: 'failed' }] }],
    });
    expect(await fresh.release(ID, [failed])).toMatchObject([{ failure: null }]);
    expect(events(fresh)).toEqual(['named 1']);
  });

  it('deletes no worker as unregistered while nobody can tell whether it has a node', async () => {
    const harness = await poolOf({ workers: ['1', '2'] });
    harness.nodes.isStale = true;
    const overdue = machine('utho://1', { cause: 'unregistered' });
    expect(await harness.release(ID, [overdue])).toMatchObject([
      { failure: { kind: 'transient', code: 'nodes-unknown' } },
    ]);
    expect(harness.writes()).toEqual([]);
  });

  it('does not delete a worker as unregistered whose node is Ready', async () => {
    const harness = await poolOf({ workers: ['1', '2'] });
    harness.nodes.nodes = [buildNode('works', { providerId: 'k3s://works', labels: { node_id: '1' } })];
    const overdue = machine('utho://1', { cause: 'unregistered' });
    expect(await harness.release(ID, [overdue])).toMatchObject([{ failure: { code: 'has-node' } }]);
    expect(harness.writes()).toEqual([]);
  });

  // utho 8/40
  it('lowers the count itself when the platform would replace the worker', async () => {
    const harness = await poolOf(
      { workers: ['1', '2', '3'] },
      { settings: { deleteDecrements: false, timings: { recreateAfterMs: 8_000 } } },
    );
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: null }]);
    expect(harness.writtenCounts()).toEqual(['2']);
    expect(harness.group(ID).targetSize).toBe(2);
    await harness.loops(5);
    expect(harness.cloud.workers(ID).map(({ cloudId }) => cloudId)).toEqual(['2', '3']);
    expect(events(harness)).toEqual(['named 1']);
    expect(harness.log.of('utho-delete-verification')).toHaveLength(1);
  });

  it('rests at once where the platform refuses the lower count', async () => {
    const harness = await poolOf(
      { workers: ['1', '2', '3'] },
      { settings: { deleteDecrements: false, timings: { recreateAfterMs: 8_000 } } },
    );
    harness.cloud.refuseNext('POST', /update$/, 'Not now.');
    const startMs = harness.clock.now();
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: null }]);
    expect(harness.clock.now() - startMs).toBeLessThan(5_000);
    expect(harness.writtenCounts()).toEqual(['2']);
    expect(harness.group(ID)).toMatchObject({ minSize: 3, targetSize: 3 });
  });

  it('leaves the count to the platform until the worker is gone: lowered twice, it would cost another one', async () => {
    const harness = await poolOf(
      { workers: ['1', '2', '3'] },
      { settings: { deleteDecrements: false, timings: { deleteTakesMs: 15_000, recreateAfterMs: 60_000 } } },
    );
    const releasing = begin(harness, '1');
    await harness.clock.advance(15_500);
    // The platform lowers the count at the end of the deletion.
    harness.cloud.resizePool(ID, harness.cloud.pool(ID).count - 1);
    expect(await harness.run(releasing)).toMatchObject([{ failure: null }]);
    expect(harness.writtenCounts()).toEqual([]);
    expect(events(harness)).toEqual(['named 1']);
    await harness.loops(1);
    expect(harness.group(ID)).toMatchObject({ minSize: 1, targetSize: 2 });
  });

  it('tells whom its own correction of the count cost', async () => {
    const harness = await poolOf(
      { workers: ['1', '2', '3'] },
      {
        settings: {
          deleteDecrements: false,
          timings: { visibleAfterMs: Infinity, recreateAfterMs: 1_000 },
        },
      },
    );
    await harness.release(ID, ['1']);
    expect(harness.writtenCounts()).toEqual(['2']);
    const victims = harness.cloud.events('victim').filter((event) => event.state === 'active');
    expect(victims).toHaveLength(1);
    expect(harness.log.of('utho-unexpected-victim')).toHaveLength(1);
  });

  it('does not take a worker for deleted that can not be read, when the answer is lost', async () => {
    const harness = await poolOf({ workers: ['1', '2', '3'] });
    harness.cloud.faults.add({ match: { method: 'DELETE' }, action: { kind: 'drop' } });
    const releasing = begin(harness, '1');
    await harness.clock.advance(1_000);
    harness.cloud.distortWorker('1', { cloudid: '' });
    expect(await harness.run(releasing)).toMatchObject([{ failure: { code: 'timeout' } }]);
  });

  it.each([
    ['its end takes long', { timings: { deleteTakesMs: 60_000, recreateAfterMs: 2_000 } }],
    ['it shows late', { readLagMs: 7_000, timings: { recreateAfterMs: 5_000, visibleAfterMs: 60_000 } }],
  ])(
    'leaves a count alone that was not lowered, once a replacement may be there: %s',
    async (_, settings) => {
      const harness = await poolOf(
        { workers: ['1', '2', '3'] },
        { settings: { deleteDecrements: false, ...settings } },
      );
      expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: null }]);
      expect(harness.writtenCounts()).toEqual([]);
      expect(harness.log.of('utho-delete-verification')[0]?.message).toContain('it is left so');
      expect(events(harness)).toEqual(['named 1']);
    },
  );

  it('succeeds with one change when the answer is lost, and asks again when the request was', async () => {
    const harness = await poolOf({ workers: ['1', '2', '3'] });
    harness.cloud.loseNextReply('DELETE', /./);
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: null }]);
    expect(harness.writes()).toHaveLength(1);
    harness.cloud.faults.add({ match: { method: 'DELETE' }, times: 1, action: { kind: 'cut-before' } });
    expect(await harness.release(ID, ['2'])).toMatchObject([{ failure: null }]);
    expect(harness.writes()).toHaveLength(3);
    expect(events(harness)).toEqual(['named 1', 'named 2']);
  });

  it('waits for reads that lag', async () => {
    const harness = await poolOf({ workers: ['1', '2', '3'] }, { settings: { readLagMs: 4_000 } });
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: null }]);
    expect(harness.group(ID).targetSize).toBe(2);
    expect(harness.writtenCounts()).toEqual([]);
  });

  it('says so when a worker stays, although its deletion was confirmed', async () => {
    const harness = await poolOf({ workers: ['1', '2', '3'] }, { settings: { deleteEffect: 'none' } });
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: { code: 'still-there' } }]);
    expect(harness.group(ID).targetSize).toBe(3);
    expect(harness.log.of('victims-not-honoured')).toEqual([]);
    expect(harness.metrics.value('utho_verification_failures_total', { pool: ID, operation: 'delete' })).toBe(
      1,
    );
  });

  it('rests for a quarter of an hour where the platform replaces what is deleted', async () => {
    const harness = await poolOf(
      { workers: ['1', '2', '3'] },
      { settings: { deleteDecrements: false, timings: { deleteTakesMs: 60_000, recreateAfterMs: 2_000 } } },
    );
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: null }]);
    expect(harness.group(ID)).toMatchObject({ minSize: 3, targetSize: 3 });
    expect(await harness.release(ID, ['2'])).toMatchObject([{ failure: { code: 'count-not-lowered' } }]);
    harness.cloud.configure({ deleteDecrements: true });
    await harness.loops(15, 60_000);
    expect(harness.group(ID).minSize).toBe(1);
    expect(await harness.release(ID, ['2'])).toMatchObject([{ failure: null }]);
  });

  it('orders nothing in the place of a dead worker while the platform replaces what is deleted', async () => {
    const harness = await startHarness({
      pools: [{ id: ID, min: 1, max: 9, workers: [{ cloudId: '1' }, { cloudId: '2' }] }],
      settings: { deleteDecrements: false, timings: { deleteTakesMs: 60_000, recreateAfterMs: 2_000 } },
    });
    await harness.release(ID, ['1']);
    await harness.loops(10);
    const dead = harness.instances(ID).map(({ id }) => machine(id, { cause: 'unregistered' }));
    await harness.release(ID, dead);
    expect(harness.writtenCounts()).toEqual([]);
  });

  it('never writes a count above the maximum: the platform may cut it down', async () => {
    const harness = await startHarness({
      pools: [{ id: ID, min: 1, max: 3, workers: ['1', '2', '3', '4', '5'].map((cloudId) => ({ cloudId })) }],
      settings: { deleteDecrements: false, enforceBounds: 'on', timings: { recreateAfterMs: 8_000 } },
    });
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: null }]);
    expect(harness.writtenCounts()).toEqual([]);
    expect(events(harness)).toEqual(['named 1']);
  });

  it('stops releasing running workers for an hour when the platform deletes others than named', async () => {
    const harness = await poolOf({ workers: ['1', '2', '3', '4'] }, { settings: { deleteVictim: 'other' } });
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: { code: 'still-there' } }]);
    expect(harness.log.of('utho-unexpected-victim')).toHaveLength(1);
    expect(harness.log.of('victims-not-honoured')).toHaveLength(1);
    expect(harness.metrics.value('utho_unexpected_victims_total', { pool: ID })).toBe(1);
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: { code: 'victims-not-honoured' } }]);
    expect(harness.writes()).toHaveLength(1);
    harness.cloud.configure({ deleteVictim: 'named' });
    await harness.loops(60, 60_000);
    expect(await harness.release(ID, ['1'])).toMatchObject([{ failure: null }]);
  });

  it('takes back an order that is named, and leaves the others', async () => {
    const harness = await startHarness({
      pools: [{ id: ID, min: 1, max: 9, count: 3, workers: 0 }],
      settings: { timings: { visibleAfterMs: Infinity } },
    });
    const orders = harness.instances(ID).map(({ id }) => id);
    const named = machine(orders[0]!, { cause: 'unregistered' });
    expect(await harness.release(ID, [named])).toMatchObject([{ failure: null }]);
    expect(harness.writtenCounts()).toEqual(['2']);
    expect(harness.instances(ID).map(({ id }) => id)).toEqual(orders.slice(1));
    expect(await harness.release(ID, [named])).toMatchObject([{ failure: null }]);
    expect(harness.writtenCounts()).toEqual(['2']);
  });

  it('leaves an order alone beside workers', async () => {
    const harness = await startHarness({
      pools: [{ id: ID, min: 1, max: 9, count: 3, workers: 2 }],
      settings: { timings: { visibleAfterMs: Infinity } },
    });
    const named = machine(harness.instances(ID)[2]!.id, { cause: 'unregistered' });
    expect(await harness.release(ID, [named], true)).toMatchObject([
      { failure: { code: 'existing-workers' } },
    ]);
    expect(harness.writes()).toEqual([]);
  });

  it('deletes in one pool while another one is busy', async () => {
    const harness = await poolOf({ workers: ['1', '2', '3'] });
    const { provider, signal } = harness;
    const options = { force: false, signal };
    const both = [
      provider.deleteInstances(ID, [machine('utho://1')], options),
      provider.deleteInstances(ID, [machine('utho://2')], options),
      provider.deleteInstances('pool-9', [machine('utho://900')], options),
    ];
    for (const results of await harness.run(Promise.all(both)))
      expect(results).toMatchObject([{ failure: null }]);
    expect(harness.group(ID).targetSize).toBe(1);
    expect(harness.cloud.invariants()).toEqual([]);
  });

  it('answers for every machine when the cluster can not be read', async () => {
    const harness = await poolOf({ workers: ['1', '2'] });
    harness.cloud.answerNext('GET', /./, { status: 500, body: '', times: 99 });
    const results = await harness.release(ID, ['1', '2']);
    expect(results.map(({ failure }) => failure?.kind)).toEqual(['transient', 'transient']);
    expect(harness.writes()).toEqual([]);
  });
});
