import { DEFAULT_CLUSTER } from '../../../src/sandbox/utho/index.js';
import type { Harness, HarnessOptions } from './utho-harness.js';
import { failureOf, startHarness } from './utho-harness.js';

const ID = 'pool-123';
const UPDATE = `kubernetes/${DEFAULT_CLUSTER}/nodepool/${ID}/update`;
const READ = `kubernetes/${DEFAULT_CLUSTER}`;

function poolOf(count: number, max: number, more: Omit<HarnessOptions, 'pools'> = {}): Promise<Harness> {
  return startHarness({ pools: [{ id: ID, min: 1, max, workers: count }], ...more });
}

describe('growth of a Utho pool', () => {
  // utho 8/21
  it('writes the count as text, reads it back, and nothing more', async () => {
    const harness = await poolOf(2, 3);
    const reads = harness.reads();
    expect(await harness.grow(ID, 1)).toEqual({ accepted: 1, failure: null });
    expect(harness.writes().map(({ method, path, json }) => [method, path, json])).toEqual([
      ['POST', `/${UPDATE}`, { count: '3' }],
    ]);
    expect(harness.reads() - reads).toBe(2);
    expect(harness.group(ID).targetSize).toBe(3);
    expect(harness.log.of('utho-increase').map(({ message }) => message)).toEqual([
      'IncreaseSize: requested delta=1 for node group pool-123',
      'IncreaseSize: calling UpdateNodePool with targetSize=3 for node group pool-123',
      'IncreaseSize: node group pool-123 count updated, new Count=3',
    ]);
  });

  // utho 8/22
  it.each([0, -1, 0.5])('refuses a delta of %p without a request', async (delta) => {
    const harness = await poolOf(2, 3);
    const before = harness.cloud.calls().length;
    const error = await failureOf(harness.grow(ID, delta));
    expect(error).toMatchObject({ kind: 'configuration', message: `delta must be positive, have: ${delta}` });
    expect(harness.cloud.calls()).toHaveLength(before);
  });

  // utho 8/23
  it('refuses what goes above the maximum', async () => {
    const harness = await poolOf(15, 20);
    const error = await failureOf(harness.grow(ID, 10));
    expect(error).toMatchObject({
      message: 'size increase is too large. current: 15 desired: 25 max: 20',
    });
    expect(harness.writes()).toEqual([]);
  });

  it('looks at the maximum once more before it writes', async () => {
    const harness = await poolOf(2, 5);
    harness.cloud.setBounds(ID, { max: 2 });
    expect(await failureOf(harness.grow(ID, 1))).toMatchObject({
      message: 'size increase is too large. current: 2 desired: 3 max: 2',
    });
    expect(harness.writes()).toEqual([]);
  });

  // utho 8/24
  it.each([
    ['You have reached the quota of your account.', 'quota'],
    ['This plan is not available here.', 'stock-out'],
    ['Something else.', 'transient'],
  ])('passes on the refusal %p, and nothing changes', async (message, kind) => {
    const harness = await poolOf(2, 5);
    harness.cloud.refuseNext('POST', UPDATE, message);
    const error = await failureOf(harness.grow(ID, 1));
    expect(error).toMatchObject({ name: 'CloudError', kind });
    expect((error as Error).message).toContain(message);
    expect(harness.group(ID)).toMatchObject({ targetSize: 2 });
    expect(harness.instances(ID)).toHaveLength(2);
    expect(harness.writes()).toHaveLength(1);
  });

  // utho 8/25
  it('rejects when the count never rises', async () => {
    const harness = await poolOf(2, 5, { settings: { capacity: 'clip' } });
    const error = await failureOf(harness.grow(ID, 1));
    expect(error).toMatchObject({ kind: 'unknown-outcome', code: 'not-verified' });
    expect((error as Error).message).toContain("couldn't increase size to 3 (delta: 1). Current size is: 2");
    expect(harness.group(ID).targetSize).toBe(2);
    expect(
      harness.metrics.value('utho_verification_failures_total', { pool: ID, operation: 'increase' }),
    ).toBe(1);
  });

  it('counts what came in part', async () => {
    const harness = await poolOf(2, 9);
    const growing = harness.provider.increaseSize(ID, 4, harness.signal);
    harness.cloud.setCapacity('clip');
    await harness.clock.advance(1);
    harness.cloud.resizePool(ID, 4);
    const result = await harness.run(growing);
    expect(result).toMatchObject({ accepted: 2, failure: { kind: 'unknown-outcome' } });
    expect(harness.group(ID).targetSize).toBe(4);
  });

  // utho 8/26
  it('waits for reads that lag', async () => {
    const harness = await poolOf(2, 5, { settings: { readLagReads: 3 } });
    expect(await harness.grow(ID, 1)).toEqual({ accepted: 1, failure: null });
    expect(harness.writtenCounts()).toEqual(['3']);
  });

  it('never writes less than it wrote before and did not see', async () => {
    const harness = await poolOf(2, 9, { settings: { readLagMs: 60_000 } });
    await failureOf(harness.grow(ID, 3));
    expect(harness.group(ID).targetSize).toBe(2);
    await failureOf(harness.grow(ID, 1));
    expect(harness.writtenCounts()).toEqual(['5', '5']);
    await harness.loops(7);
    expect(harness.group(ID).targetSize).toBe(5);
    expect(harness.cloud.events('victim')).toEqual([]);
  });

  // utho 8/27
  it('counts what somebody else added, and never goes below it', async () => {
    const harness = await poolOf(3, 9);
    harness.cloud.resizePool(ID, 6);
    expect(await harness.grow(ID, 1)).toEqual({ accepted: 1, failure: null });
    expect(harness.writtenCounts()).toEqual([]);
    expect(harness.group(ID).targetSize).toBe(6);
    expect(await harness.grow(ID, 1)).toEqual({ accepted: 1, failure: null });
    expect(harness.writtenCounts()).toEqual(['7']);
    expect(harness.cloud.events('victim')).toEqual([]);
  });

  // utho 8/28
  it('succeeds with one change when the answer is lost after the write', async () => {
    const harness = await poolOf(2, 5);
    harness.cloud.loseNextReply('POST', UPDATE);
    expect(await harness.grow(ID, 1)).toEqual({ accepted: 1, failure: null });
    expect(harness.cloud.events('count')).toHaveLength(1);
    expect(harness.writtenCounts()).toEqual(['3']);
  });

  it('writes once more when the write never arrived, and then gives up', async () => {
    const harness = await poolOf(2, 5);
    const cut = { match: { path: `/v2/${UPDATE}` }, action: { kind: 'cut-before' } } as const;
    harness.cloud.faults.add({ ...cut, times: 1 });
    expect((await harness.grow(ID, 1)).accepted).toBe(1);
    harness.cloud.faults.add(cut);
    expect(await failureOf(harness.grow(ID, 1))).toMatchObject({ kind: 'unknown-outcome' });
    expect(harness.writes()).toHaveLength(4);
    expect(harness.group(ID)).toMatchObject({ targetSize: 3 });
  });

  it('tells why it could not read back', async () => {
    const harness = await poolOf(2, 5);
    harness.cloud.faults.add({
      match: { method: 'GET', path: `/v2/${READ}` },
      after: 1,
      action: { kind: 'answer', status: 502, body: 'bad gateway' },
    });
    const startMs = harness.clock.now();
    const error = await failureOf(harness.grow(ID, 1));
    expect((error as Error).message).toContain(
      'failed to read node pool after update for node group pool-123: ',
    );
    expect(error).toMatchObject({ kind: 'unknown-outcome' });
    expect(harness.clock.now() - startMs).toBeLessThanOrEqual(31_000);
  });

  it('shows the machines from the first moment, and drops them when it fails', async () => {
    const harness = await poolOf(2, 5);
    harness.cloud.setCapacity('reject');
    const growing = harness.provider.increaseSize(ID, 2, harness.signal);
    expect(harness.group(ID).targetSize).toBe(4);
    expect(harness.instances(ID)).toHaveLength(4);
    await failureOf(harness.run(growing));
    expect(harness.group(ID).targetSize).toBe(2);
    expect(harness.instances(ID)).toHaveLength(2);
  });

  it('serves growths of one pool one after another, and of two pools side by side', async () => {
    const pools = ['pool-a', 'pool-b'].map((id) => ({ id, min: 1, max: 9, workers: 2 }));
    const harness = await startHarness({ pools });
    const growths = ['pool-a', 'pool-b', 'pool-a'].map((id) =>
      harness.provider.increaseSize(id, 2, harness.signal),
    );
    await harness.run(Promise.all(growths));
    expect(harness.group('pool-a').targetSize).toBe(6);
    expect(harness.group('pool-b').targetSize).toBe(4);
    expect([...harness.writtenCounts()].sort()).toEqual(['4', '4', '6']);
  });

  it('reads again when the read before the write was slow', async () => {
    const harness = await poolOf(2, 9);
    harness.cloud.slowNextBody('GET', READ, 5_000);
    const growing = harness.provider.increaseSize(ID, 1, harness.signal);
    await harness.clock.advance(2_000);
    harness.cloud.resizePool(ID, 7);
    expect(await harness.run(growing)).toEqual({ accepted: 1, failure: null });
    expect(harness.writtenCounts()).toEqual([]);
    expect(harness.cloud.events('victim')).toEqual([]);
  });

  it.each(['renamed', 'removed', 'switched off'])('refuses a pool that was %s meanwhile', async (what) => {
    const harness = await poolOf(2, 5);
    if (what === 'renamed') harness.cloud.renamePool(ID, 'other');
    else if (what === 'removed') harness.cloud.removePool(ID);
    else harness.cloud.setAutoScale(ID, false);
    expect(await failureOf(harness.grow(ID, 1))).toMatchObject({ code: 'frozen' });
    expect(harness.group(ID)).toMatchObject({ minSize: 2, maxSize: 2 });
    await harness.loops(1);
    expect(harness.provider.nodeGroups().map(({ id }) => id)).toEqual(what === 'renamed' ? ['other'] : []);
    expect(harness.writes()).toEqual([]);
  });

  it('gives the loop back after a minute, and counts the machines while the write is under way', async () => {
    const harness = await poolOf(2, 5);
    harness.cloud.faults.add({ match: { method: 'POST' }, action: { kind: 'drop' } });
    harness.cloud.slowNextBody('GET', READ, 20_000);
    const startMs = harness.clock.now();
    expect(await failureOf(harness.grow(ID, 1))).toMatchObject({
      kind: 'unknown-outcome',
      code: 'under-way',
    });
    expect(harness.clock.now() - startMs).toBe(60_000);
    expect(harness.group(ID).targetSize).toBe(3);
    await harness.loops(12);
    expect(harness.group(ID).targetSize).toBe(2);
    // What came too late for the caller is told all the same, and nothing more was written.
    expect(harness.log.of('utho-late')).toHaveLength(1);
    expect(harness.writes()).toHaveLength(1);
  });

  it('waits a minute at most for another change of the pool', async () => {
    const harness = await poolOf(3, 9);
    const { provider, signal } = harness;
    harness.cloud.faults.add({ match: { method: 'DELETE' }, action: { kind: 'drop' } });
    const { id } = harness.instances(ID)[0]!;
    const machines = [{ instanceId: id, name: '', cause: 'scale-down' as const }];
    const releasing = provider.deleteInstances(ID, machines, { force: false, signal });
    await harness.clock.advance(100);
    const startMs = harness.clock.now();
    expect(await failureOf(harness.grow(ID, 1))).toMatchObject({ kind: 'transient', code: 'aborted' });
    expect(harness.clock.now() - startMs).toBe(60_000);
    expect(harness.group(ID).targetSize).toBe(3);
    await harness.run(releasing);
    await harness.loops(3);
    expect(harness.writtenCounts()).toEqual([]);
  });

  it('writes nothing for a caller that has given up', async () => {
    const harness = await poolOf(2, 5);
    const caller = new AbortController();
    const growing = harness.provider.increaseSize(ID, 1, caller.signal);
    caller.abort();
    expect(await failureOf(harness.run(growing))).toMatchObject({ name: 'CloudError', kind: 'transient' });
    expect(harness.writes()).toEqual([]);
    expect(harness.group(ID).targetSize).toBe(2);
  });

  it('lets a running write finish its verification at exit, for five seconds, and writes nothing after', async () => {
    const harness = await poolOf(2, 9, { settings: { readLagMs: 3_000 } });
    const { provider, clock, signal } = harness;
    const growing = provider.increaseSize(ID, 1, signal);
    const waiting = failureOf(provider.increaseSize(ID, 1, signal));
    await clock.advance(500);
    const startMs = clock.now();
    await harness.run(provider.cleanup());
    expect(clock.now() - startMs).toBeLessThanOrEqual(5_000);
    expect(await growing).toMatchObject({ accepted: 1 });
    expect(await waiting).toMatchObject({ name: 'CloudError' });
    expect(await failureOf(harness.grow(ID, 1))).toMatchObject({ code: 'closed' });
    await clock.advance(60_000);
    expect(harness.writtenCounts()).toEqual(['3']);
  });

  it('cuts a verification short at exit', async () => {
    const harness = await poolOf(2, 9, { settings: { readLagMs: 60_000 } });
    const growing = failureOf(harness.provider.increaseSize(ID, 1, harness.signal));
    await harness.clock.advance(500);
    const startMs = harness.clock.now();
    await harness.run(harness.provider.cleanup());
    expect(harness.clock.now() - startMs).toBe(5_000);
    expect(await growing).toMatchObject({ kind: 'unknown-outcome' });
  });
});
