import type { MachineReference } from '../../../src/application/ports/cloud-provider.js';
import { buildNode, MINUTE } from '../../support/builders.js';
import { startHarness } from './hetzner-harness.js';
import type { Harness } from './hetzner-harness.js';

const NODES = ['1:10:cx33:fsn1:pool1', '0:10:cx33:fsn1:pool2'];
const label = (pool: string, more: Record<string, string> = {}) => ({ 'hcloud/node-group': pool, ...more });

async function seeded(pool1 = 3, variables: Record<string, string> = {}): Promise<Harness> {
  const harness = await startHarness({ nodes: NODES, variables });
  for (let index = 1; index <= pool1; index++) {
    harness.cloud.seedServer({ name: `pool1-${index}`, id: 1_000 + index, labels: label('pool1') });
  }
  harness.cloud.seedServer({ name: 'pool2-1', id: 2_001, labels: label('pool2') });
  harness.cloud.seedStaticServers();
  await harness.loops(6);
  return harness;
}

function machine(id: number | string, cause: MachineReference['cause'] = 'scale-down'): MachineReference {
  return { instanceId: typeof id === 'number' ? `hcloud://${id}` : id, name: `m-${id}`, cause };
}

async function release(harness: Harness, machines: readonly MachineReference[], force = false) {
  const { provider, signal, run } = harness;
  return run(provider.deleteInstances('pool1', machines, { force, signal }));
}

describe('release of Hetzner servers', () => {
  it('deletes exactly the named server and lowers the target at once', async () => {
    const harness = await seeded();
    expect(await release(harness, [machine(1_002)])).toEqual([
      { instanceId: 'hcloud://1002', failure: null },
    ]);
    expect(harness.group('pool1').targetSize).toBe(2);
    await harness.clock.advance(MINUTE);
    expect(harness.cloud.servers().map((server) => server.name)).not.toContain('pool1-2');
    expect(harness.calls('DELETE', /./)).toHaveLength(1);
    expect(harness.cloud.invariants()).toEqual([]);
  });

  // hetzner 7/47
  it.each([
    ['a server of another pool', machine(2_001), 'other-pool'],
    ['a Robot machine', machine('hrobot://77'), 'foreign'],
    ['a machine of another cloud', machine('aws:///eu/i-1'), 'foreign'],
    ['a static server', machine(71_000_011), 'not-listed'],
    ['a server of nobody with the name of an id', { ...machine(''), name: '71000099' }, 'foreign'],
  ])('refuses %s without a deletion', async (_what, reference, code) => {
    const harness = await seeded();
    expect(await release(harness, [reference])).toMatchObject([{ failure: { kind: 'configuration', code } }]);
    expect(harness.calls('DELETE', /./)).toEqual([]);
  });

  // hetzner 7/47
  it('refuses to go below the minimum without a deletion, and does when forced', async () => {
    const harness = await seeded();
    const all = [machine(1_001), machine(1_002), machine(1_003)];
    expect((await release(harness, all)).map((result) => result.failure?.code)).toEqual(
      Array(3).fill('min-size'),
    );
    expect(harness.calls('DELETE', /./)).toEqual([]);
    expect((await release(harness, all, true)).map((result) => result.failure)).toEqual([null, null, null]);
    expect(harness.group('pool1').targetSize).toBe(0);
  });

  it('sees releases side by side when it counts the minimum', async () => {
    const harness = await seeded(2);
    const { provider, signal, run } = harness;
    const calls = [1_001, 1_002].map((id) =>
      provider.deleteInstances('pool1', [machine(id)], { force: false, signal }),
    );
    const results = (await run(Promise.all(calls))).flat();
    expect(results.map((result) => result.failure?.code ?? null)).toEqual([null, 'min-size']);
  });

  // hetzner 7/47
  it('counts a server that is gone as success', async () => {
    const harness = await seeded();
    harness.cloud.vanishServer(1_001);
    expect(await release(harness, [machine(1_001), machine(4_444)])).toMatchObject([
      { failure: null },
      { failure: null },
    ]);
  });

  // hetzner 7/47
  it('never lifts a protection', async () => {
    const harness = await seeded();
    harness.cloud.seedServer({ name: 'pool1-9', id: 1_009, labels: label('pool1'), protected: true });
    await harness.loops(6);
    expect(await release(harness, [machine(1_009)])).toMatchObject([
      { failure: { kind: 'configuration', code: 'protected' } },
    ]);
    expect(harness.cloud.server(1_009).protection.delete).toBe(true);
    expect(harness.calls('POST', /change_protection/)).toEqual([]);
  });

  it('deletes the others when one of a batch is refused', async () => {
    const harness = await seeded();
    const results = await release(harness, [machine(1_001), machine(2_001)]);
    expect(results.map((result) => result.failure?.code ?? null)).toEqual([null, 'other-pool']);
    expect(harness.group('pool1').targetSize).toBe(2);
  });

  it('asks again while the server is locked', async () => {
    const harness = await seeded();
    harness.cloud.lockServer(1_001, 20_000);
    expect(await release(harness, [machine(1_001)])).toMatchObject([{ failure: null }]);
    expect(harness.calls('DELETE', /./).some((call) => call.status === 423)).toBe(true);
  });

  it('asks again when the deletion fails in the background', async () => {
    const harness = await seeded();
    harness.cloud.behaviour.failActions('delete_server', { code: 'action_failed', message: 'no' });
    await release(harness, [machine(1_001)]);
    await harness.clock.advance(MINUTE);
    expect(harness.cloud.servers().map((server) => server.id)).not.toContain(1_001);
    expect(harness.calls('DELETE', /./)).toHaveLength(2);
  });

  it('counts a server again whose deletion failed for good', async () => {
    const harness = await seeded();
    harness.cloud.behaviour.failActions('delete_server', { code: 'action_failed', message: 'no' }, 99);
    await release(harness, [machine(1_001)]);
    expect(harness.group('pool1').targetSize).toBe(2);
    await harness.clock.advance(5 * MINUTE);
    expect(harness.group('pool1').targetSize).toBe(3);
    expect(harness.log.of('hcloud-delete-failed')).toHaveLength(1);
  });

  // hetzner 7/48
  it('is not misled by a list that lags behind', async () => {
    const harness = await seeded();
    harness.cloud.setListLag(30_000);
    await release(harness, [machine(1_001)]);
    for (let loop = 0; loop < 12; loop++) {
      await harness.loops(1);
      expect(harness.group('pool1').targetSize).toBe(2);
      const deleted = harness.instances('pool1').find((instance) => instance.id === 'hcloud://1001');
      expect(deleted?.state ?? 'deleting').toBe('deleting');
    }
    expect(harness.instances('pool1')).toHaveLength(2);
  });

  it('waits a while for volumes to be detached', async () => {
    const harness = await seeded();
    const volume = harness.cloud.seedVolume('data', harness.cloud.server(1_001));
    await harness.loops(6);
    const startMs = harness.clock.now();
    const { provider, signal, run } = harness;
    const releasing = provider.deleteInstances('pool1', [machine(1_001)], { force: false, signal });
    await harness.clock.advance(12_000);
    expect(harness.calls('DELETE', /./)).toEqual([]);
    harness.cloud.server(1_001).volumeIds.splice(0);
    volume.serverId = null;
    await run(releasing);
    expect(harness.clock.now() - startMs).toBeLessThan(20_000);
    expect(harness.calls('DELETE', /./)).toHaveLength(1);
  });

  // U005, the guard of `hetzner` 3.4
  it('does not delete a server as unregistered while a Ready node of its name is there', async () => {
    const harness = await seeded();
    harness.provider.nodeGroupIdForNode(buildNode('pool1-1', { providerId: 'hcloud://bm-1' }));
    expect(await release(harness, [machine(1_001, 'unregistered')])).toMatchObject([
      { failure: { kind: 'configuration', code: 'foreign-provider-id' } },
    ]);
    expect(harness.calls('DELETE', /./)).toEqual([]);
  });

  it('never deletes a control-plane node', async () => {
    const harness = await seeded();
    const labels = { 'node-role.kubernetes.io/control-plane': '' };
    harness.provider.nodeGroupIdForNode(buildNode('pool1-1', { providerId: 'hcloud://1001', labels }));
    expect(await release(harness, [machine(1_001)])).toMatchObject([{ failure: { code: 'control-plane' } }]);
  });

  it('brakes deletions at the configured number per minute', async () => {
    const harness = await seeded(5, { HCLOUD_MAX_DELETES_PER_MINUTE: '2' });
    const machines = [1_001, 1_002, 1_003].map((id) => machine(id));
    const results = await release(harness, machines);
    expect(results.map((result) => result.failure?.kind ?? null)).toEqual([null, null, 'throttled']);
    expect(harness.provider.releaseBudget()).toBe(0);
    await harness.clock.advance(MINUTE);
    expect(harness.provider.releaseBudget()).toBe(2);
    expect(await release(harness, [machine(1_003)])).toMatchObject([{ failure: null }]);
  });

  // hetzner 7/49
  it('does not see the servers of another cluster in the project', async () => {
    const first = await startHarness({
      nodes: ['0:5:cx33:fsn1:pool1'],
      variables: { HCLOUD_CLUSTER_NAME: 'one' },
    });
    const second = await startHarness({
      nodes: ['0:5:cx33:fsn1:pool1'],
      variables: { HCLOUD_CLUSTER_NAME: 'two' },
      world: first,
      seed: 'second',
    });
    await first.run(first.provider.increaseSize('pool1', 2, first.signal));
    await second.run(second.provider.increaseSize('pool1', 1, second.signal));
    await first.clock.advance(2 * MINUTE);
    await first.run(first.provider.refresh(first.signal));
    await second.run(second.provider.refresh(second.signal));
    expect([first.group('pool1').targetSize, second.group('pool1').targetSize]).toEqual([2, 1]);
    const [theirs] = second.instances('pool1');
    const reference = { instanceId: theirs!.id, name: theirs!.name, cause: 'scale-down' } as const;
    const options = { force: true, signal: first.signal };
    const results = await first.run(first.provider.deleteInstances('pool1', [reference], options));
    expect(results[0]?.failure).not.toBeNull();
    expect(first.calls('DELETE', /./)).toEqual([]);
  });
});
