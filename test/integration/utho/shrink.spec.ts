import { buildNode } from '../../support/builders.js';
import type { Harness, HarnessOptions } from './utho-harness.js';
import { failureOf, startHarness } from './utho-harness.js';

const ID = 'pool-123';

function poolOf(
  pool: { count: number; workers?: number; min?: number; max?: number },
  more: Omit<HarnessOptions, 'pools'> = {},
): Promise<Harness> {
  const { workers = pool.count, min = 1, max = 9 } = pool;
  const never = { timings: { visibleAfterMs: Infinity } };
  const settings = workers < pool.count ? { ...never, ...more.settings } : (more.settings ?? {});
  return startHarness({ pools: [{ id: ID, min, max, count: pool.count, workers }], ...more, settings });
}

/** Workers that are listed and stay Pending. */
async function withPending(count: number, pending: number, more: Omit<HarnessOptions, 'pools'> = {}) {
  const workers = [
    ...Array.from({ length: count - pending }, () => ({})),
    ...Array.from({ length: pending }, () => ({ state: 'pending' as const })),
  ];
  return startHarness({ pools: [{ id: ID, min: 1, max: 9, workers }], ...more });
}

const pendingIds = (harness: Harness) =>
  harness.cloud.workers(ID).flatMap(({ state, cloudId }) => (state === 'pending' ? [cloudId!] : []));

describe('taking back orders of a Utho pool', () => {
  // utho 8/29
  it('lowers the count of a pool without workers, and believes the read, not the answer', async () => {
    const harness = await poolOf({ count: 3, workers: 0, min: 2 });
    await harness.shrink(ID, 1);
    expect(harness.writes().map(({ json }) => json)).toEqual([{ count: '2' }]);
    expect(harness.group(ID).targetSize).toBe(2);
    expect(harness.instances(ID)).toHaveLength(2);
  });

  // utho 8/30
  it.each([
    [-1, 1],
    [0, 0],
  ])('refuses to withdraw %p', async (count, delta) => {
    const harness = await poolOf({ count: 3 });
    const before = harness.cloud.calls().length;
    expect(await failureOf(harness.shrink(ID, count))).toMatchObject({
      message: `delta must be negative, have: ${delta}`,
    });
    expect(harness.cloud.calls()).toHaveLength(before);
  });

  // utho 8/31
  it('refuses to go below the minimum', async () => {
    const harness = await poolOf({ count: 3, workers: 0, min: 2 });
    const before = harness.cloud.calls().length;
    expect(await failureOf(harness.shrink(ID, 2))).toMatchObject({
      message:
        'node group pool-123: size decrease is too small. current size: 3, desired size: 1, minimum size: 2',
    });
    expect(harness.cloud.calls()).toHaveLength(before);
  });

  // utho 8/32
  it('refuses to touch workers that run', async () => {
    const harness = await poolOf({ count: 5 });
    expect(await failureOf(harness.shrink(ID, 1))).toMatchObject({
      code: 'existing-workers',
      message: 'cannot decrease node pool pool-123 to 4: 5 workers exist',
    });
    expect(harness.writes()).toEqual([]);
    expect(harness.cloud.events('victim')).toEqual([]);
  });

  // utho 8/33
  it('deletes workers that never came up by their ids, newest first', async () => {
    const harness = await withPending(5, 2);
    const ids = pendingIds(harness);
    await harness.shrink(ID, 2);
    expect(harness.writes().map(({ method, path }) => [method, path.split('/').at(-2)])).toEqual([
      ['DELETE', ids[1]],
      ['DELETE', ids[0]],
    ]);
    expect(harness.cloud.pool(ID).count).toBe(3);
    expect(harness.group(ID).targetSize).toBe(3);
    expect(harness.cloud.events('victim')).toEqual([]);
  });

  it('deletes no worker that has a node, or that may have one', async () => {
    const harness = await withPending(4, 2);
    const [first, second] = pendingIds(harness);
    harness.nodes.nodes = [buildNode('joined', { providerId: `utho://${second}` })];
    expect(await failureOf(harness.shrink(ID, 2))).toMatchObject({ code: 'existing-workers' });
    harness.nodes.isStale = true;
    expect(await failureOf(harness.shrink(ID, 1))).toMatchObject({ code: 'existing-workers' });
    harness.nodes.isStale = false;
    await harness.shrink(ID, 1);
    expect(harness.writes().map(({ path }) => path.split('/').at(-2))).toEqual([first]);
  });

  it('deletes no worker by its id where others than the named are deleted', async () => {
    const harness = await withPending(5, 1, {
      settings: { deleteVictim: 'other', timings: { activeAfterMs: Infinity } },
    });
    const [named] = harness.instances(ID);
    await harness.release(ID, [{ instanceId: named!.id, name: '', cause: 'scale-down' }]);
    await harness.loops(1);
    await harness.grow(ID, 1);
    await harness.loops(1);
    const writes = harness.writes().length;
    expect(await failureOf(harness.shrink(ID, 1))).toMatchObject({ code: 'victims-not-honoured' });
    expect(harness.writes()).toHaveLength(writes);
  });

  // U055: Utho picks the victims of a lower count among all that it has.
  it('waits for orders that never come rather than lower the count beside workers', async () => {
    const harness = await poolOf({ count: 5, workers: 3 });
    await harness.loops(100);
    expect(await failureOf(harness.shrink(ID, 2))).toMatchObject({
      code: 'existing-workers',
      message: 'cannot decrease node pool pool-123 to 3: 3 workers exist',
    });
    expect(harness.writes()).toEqual([]);
  });

  it('does not lower a count while a higher one of its own does not show yet', async () => {
    const harness = await poolOf({ count: 4, workers: 0 }, { settings: { readLagMs: 300_000 } });
    await failureOf(harness.grow(ID, 2));
    expect(await failureOf(harness.shrink(ID, 1))).toMatchObject({ kind: 'transient', code: 'unseen-write' });
    expect(harness.writtenCounts()).toEqual(['6']);
  });

  it('does not lower a count where workers can not be read', async () => {
    const harness = await poolOf({ count: 3, workers: 1 });
    const [worker] = harness.cloud.workers(ID);
    harness.cloud.distortWorker(worker!.cloudId!, { cloudid: '' });
    expect(await failureOf(harness.shrink(ID, 1))).toMatchObject({ code: 'unreadable-workers' });
    expect(harness.writes()).toEqual([]);
  });

  it('rejects when the count stays', async () => {
    const harness = await poolOf({ count: 3, workers: 0 });
    harness.cloud.answerNext('POST', /update$/, { status: 200, body: { status: 'success' } });
    expect(await failureOf(harness.shrink(ID, 1))).toMatchObject({
      kind: 'unknown-outcome',
      message: "couldn't decrease size to 2 (delta: -1). Current size is: 3",
    });
    expect(harness.group(ID).targetSize).toBe(3);
  });

  it('lowers once when the answer is lost', async () => {
    const harness = await poolOf({ count: 3, workers: 0 });
    harness.cloud.loseNextReply('POST', /update$/);
    await harness.shrink(ID, 1);
    expect(harness.writtenCounts()).toEqual(['2']);
  });

  it('lowers once more when the write never arrived', async () => {
    const harness = await poolOf({ count: 3, workers: 0 });
    harness.cloud.faults.add({ match: { method: 'POST' }, times: 1, action: { kind: 'cut-before' } });
    await harness.shrink(ID, 1);
    expect(harness.writtenCounts()).toEqual(['2', '2']);
    expect(harness.cloud.pool(ID).count).toBe(2);
  });

  // utho 8/34
  it.each([true, false])('sends label and size only with legacy_decrease_payload: %p', async (isLegacy) => {
    const harness = await poolOf(
      { count: 3, workers: 0 },
      { config: { legacy_decrease_payload: isLegacy }, settings: { extraFields: 'ignore' } },
    );
    await harness.shrink(ID, 1);
    const extra = isLegacy ? { label: 'utho.com', size: '2' } : {};
    expect(harness.writes().map(({ json }) => json)).toEqual([{ count: '2', ...extra }]);
  });

  // utho 8/35
  it('never sends a count of 0, whatever is asked', async () => {
    const harness = await poolOf({ count: 1, workers: 0, min: 0 });
    expect(harness.group(ID).minSize).toBe(1);
    const [order] = harness.instances(ID);
    await failureOf(harness.shrink(ID, 1));
    for (const force of [false, true]) {
      await harness.release(ID, [{ instanceId: order!.id, name: '', cause: 'unregistered' }], force);
    }
    const running = await poolOf({ count: 1, min: 0 });
    for (const force of [false, true]) {
      const [machine] = running.instances(ID);
      await running.release(ID, [{ instanceId: machine!.id, name: '', cause: 'scale-down' }], force);
      await failureOf(running.shrink(ID, 1));
    }
    expect([...harness.writes(), ...running.writes()]).toEqual([]);
  });

  // utho 8/35
  it('never sends a count of 0 even where a pool may be emptied', async () => {
    const harness = await poolOf({ count: 1, workers: 0, min: 0 }, { config: { allow_scale_to_zero: true } });
    expect(harness.group(ID).minSize).toBe(0);
    expect(await failureOf(harness.shrink(ID, 1))).toMatchObject({
      message: 'refusing to set node pool pool-123 to 0 workers: Utho removes a pool whose count is 0',
    });
    expect(harness.writes()).toEqual([]);
  });
});
