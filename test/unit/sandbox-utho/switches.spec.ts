import { simulatedUtho } from './simulated-utho.js';
import type { SimulatedUtho } from './simulated-utho.js';
import type { SettingsChange } from '../../../src/sandbox/utho/index.js';

/** A pool of three that may have five. */
function poolOfThree(settings: SettingsChange = {}): SimulatedUtho {
  const utho = simulatedUtho(settings);
  const workers = ['11', '12', '13'].map((cloudId) => ({ cloudId }));
  utho.cloud.seedPool({ id: 'pool-a', min: 2, max: 5, workers });
  return utho;
}

const ADJUSTED = {
  status: 'success',
  message: 'Node Pool updated and node count adjusted to 4',
  id: '701234',
};

describe('updateResponse', () => {
  it('minimal: status, message and the id of the cluster', async () => {
    // utho 0, fact 3
    const reply = await poolOfThree().update('pool-a', { count: '4' });
    expect(reply.body).toEqual(ADJUSTED);
  });

  it('rich: the form that only the SDK declares, with a count in numbers and a switch in text', async () => {
    const utho = poolOfThree({ updateResponse: 'rich' });
    const { body } = await utho.update('pool-a', { count: '4' });
    expect(body).toMatchObject({
      ...{ id: 'pool-a', size: '10355', planid: '10355', count: 4, auto_scale: '1' },
      ...{ min_nodes: 2, max_nodes: 5, policies: [], status: 'success', message: '' },
    });
    expect(body.workers).toHaveLength(4);
  });
});

it('numericId: write answers carry a number', async () => {
  const reply = await poolOfThree({ numericId: 'on' }).update('pool-a', { count: '4' });
  expect(reply.body).toEqual({ ...ADJUSTED, id: 701_234 });
});

describe('extraFields', () => {
  const legacy = { count: '2', label: 'utho.com', size: '2' };

  it('apply: the Go client’s shrink renames the pool and takes its plan away', async () => {
    // utho 0, fact 4
    const utho = poolOfThree({ extraFields: 'apply' });
    await utho.update('pool-a', legacy);
    expect(utho.cloud.hasPool('pool-a')).toBe(false);
    expect(utho.cloud.pool('utho.com')).toMatchObject({ planId: '2', count: 2 });
    expect(utho.cloud.events().map(({ kind }) => kind)).toEqual([
      'pool-renamed',
      'plan-changed',
      'count',
      'victim',
    ]);
    expect(utho.cloud.invariants()).toEqual([
      'request 1 renamed pool pool-a to utho.com',
      'request 1 changed the plan of pool utho.com to 2',
      expect.stringContaining('active worker'),
    ]);
  });

  it('apply: workers that exist keep their plan, new ones have the new one', async () => {
    const utho = poolOfThree();
    await utho.update('pool-a', { count: '4', size: '10325', label: 'pool-a' });
    await utho.clock.advance(50);
    const { planid, workers } = await utho.pool('pool-a');
    expect([planid, ...workers.map((worker: any) => worker.planid)]).toEqual([
      ...['10325', '10355', '10355', '10355'],
      '10325',
    ]);
    expect(workers[3]).toMatchObject({ cpu: '2', ram: '16384', status: 'Active' });
  });

  it('apply: workers of an unknown plan fail', async () => {
    const utho = poolOfThree();
    await utho.update('pool-a', { count: '4', size: '4' });
    await utho.clock.advance(50);
    expect((await utho.pool('pool-a')).workers[3]).toMatchObject({ status: 'Failed', cpu: '' });
  });

  it('apply: a name that is taken is refused', async () => {
    const utho = poolOfThree();
    utho.cloud.seedPool({ id: 'pool-b' });
    const { body } = await utho.update('pool-a', { count: '4', label: 'pool-b' });
    expect(body.status).toBe('error');
    expect(utho.cloud.pool('pool-a').count).toBe(3);
  });

  it('ignore: only the count counts', async () => {
    const utho = poolOfThree({ extraFields: 'ignore' });
    await utho.update('pool-a', legacy);
    expect(utho.cloud.pool('pool-a')).toMatchObject({ planId: '10355', count: 2 });
  });

  it('reject: an unknown plan is refused, a known one ignored', async () => {
    const utho = poolOfThree({ extraFields: 'reject' });
    expect((await utho.update('pool-a', legacy)).body.status).toBe('error');
    expect((await utho.update('pool-a', { count: '4', size: '10325' })).body.status).toBe('success');
    expect(utho.cloud.pool('pool-a')).toMatchObject({ planId: '10355', count: 4 });
  });
});

describe('zeroCount', () => {
  it('remove: the pool and its workers are gone at once', async () => {
    // utho 0, fact 2
    const utho = poolOfThree();
    expect((await utho.update('pool-a', { count: 0 })).body).toEqual({
      status: 'success',
      message: 'Node Pool removed successfully',
      id: '701234',
    });
    expect(utho.cloud.hasPool('pool-a')).toBe(false);
    expect(utho.fleet.isRunning('utho://11')).toBe(false);
    expect(utho.cloud.events('victim')).toHaveLength(3);
    expect(utho.cloud.invariants()).toContain('request 1 removed pool pool-a');
    await utho.clock.advance(60_000);
    expect((await utho.read()).body.nodepools).toEqual([]);
    expect(utho.fleet.running()).toHaveLength(1);
  });

  it('keepEmpty: the pool stays without workers', async () => {
    const utho = poolOfThree({ zeroCount: 'keepEmpty' });
    await utho.update('pool-a', { count: '0' });
    await utho.clock.advance(20);
    expect(await utho.pool('pool-a')).toMatchObject({ count: '0', workers: [] });
  });
});

describe('emptiedPool', () => {
  it.each([
    ['stay', true],
    ['vanish', false],
  ] as const)('%s: what becomes of a pool whose last worker was deleted', async (emptiedPool, exists) => {
    const utho = simulatedUtho({ emptiedPool });
    utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }] });
    await utho.remove('pool-a', '11');
    expect(utho.cloud.hasPool('pool-a')).toBe(true);
    await utho.clock.advance(20);
    expect(utho.cloud.hasPool('pool-a')).toBe(exists);
  });
});

it('deleteDecrements off: a worker that was deleted by name is replaced', async () => {
  // utho 8/40
  const utho = poolOfThree({ deleteDecrements: false, timings: { recreateAfterMs: 3_000 } });
  await utho.remove('pool-a', '12');
  await utho.clock.advance(2_999);
  expect(await utho.pool('pool-a')).toMatchObject({ count: '3', workers: { length: 2 } });
  await utho.clock.advance(60);
  expect((await utho.pool('pool-a')).workers).toHaveLength(3);
  expect(utho.cloud.worker('12')).toBeUndefined();
});

describe('deleteVictim', () => {
  it('other: a deletion by name hits another', async () => {
    const utho = poolOfThree({ deleteVictim: 'other' });
    await utho.remove('pool-a', '12');
    const [victim] = utho.cloud.events('victim');
    expect(['11', '13']).toContain(victim!.workerId);
    expect(utho.cloud.worker('12')!.state).toBe('active');
    expect(utho.cloud.pool('pool-a').count).toBe(2);
  });

  it('random: a deletion by name hits anyone', async () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      const utho = simulatedUtho({ deleteVictim: 'random' }, seed);
      utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }, { cloudId: '12' }] });
      await utho.remove('pool-a', '11');
      for (const { kind } of utho.cloud.events()) kinds.add(kind);
    }
    expect([...kinds].sort()).toEqual(['count', 'named', 'victim']);
  });
});

it('deleteEffect none: a deletion by name is accepted and nothing happens', async () => {
  const utho = poolOfThree({ deleteEffect: 'none' });
  expect((await utho.remove('pool-a', '12')).body.status).toBe('success');
  expect(utho.cloud.events()).toEqual([]);
  expect(utho.cloud.pool('pool-a').count).toBe(3);
});

describe('enforceBounds', () => {
  it.each([
    ['off', '9', 'success', 9],
    ['on', '9', 'success', 5],
    ['on', '1', 'success', 1],
    ['error', '9', 'error', 3],
    ['error', '1', 'error', 3],
    ['error', '5', 'success', 5],
  ] as const)('%s: a count of %s is a %s and makes it %i', async (enforceBounds, count, status, result) => {
    const utho = poolOfThree({ enforceBounds });
    expect((await utho.update('pool-a', { count })).body.status).toBe(status);
    expect(utho.cloud.pool('pool-a').count).toBe(result);
  });

  it('error: bounds of the same request count', async () => {
    const utho = poolOfThree({ enforceBounds: 'error' });
    const { body } = await utho.update('pool-a', { count: '8', min_nodes: '2', max_nodes: '10' });
    expect(body.status).toBe('success');
    expect(await utho.pool('pool-a')).toMatchObject({ count: '8', min_size: 2, max_size: 10 });
  });
});

describe('capacity', () => {
  it.each([
    ['none', 'success', 4, 'active'],
    ['reject', 'error', 3, undefined],
    ['clip', 'success', 3, undefined],
    ['fail', 'success', 4, 'failed'],
  ] as const)('%s: growth is a %s, the count %i', async (capacity, status, count, state) => {
    const utho = poolOfThree({ capacity });
    const reply = await utho.update('pool-a', { count: '4' });
    expect([reply.status, reply.body.status]).toEqual([200, status]);
    await utho.clock.advance(50);
    expect(utho.cloud.pool('pool-a').count).toBe(count);
    expect(utho.cloud.workers('pool-a')[3]?.state).toBe(state);
  });

  it('does not touch what stays or shrinks', async () => {
    const utho = poolOfThree({ capacity: 'reject' });
    expect((await utho.update('pool-a', { count: '3' })).body.status).toBe('success');
    expect((await utho.update('pool-a', { count: '2' })).body.status).toBe('success');
  });

  it('may be that of one pool', async () => {
    const utho = poolOfThree();
    utho.cloud.seedPool({ id: 'pool-b', count: 1 });
    utho.cloud.setCapacity('reject', 'pool-a');
    expect((await utho.update('pool-a', { count: '4' })).body).toEqual({
      status: 'error',
      message: 'The selected plan is out of stock in this location.',
    });
    expect((await utho.update('pool-b', { count: '2' })).body.status).toBe('success');
  });
});

it('platformPolicy: counts change by themselves at their times', async () => {
  // utho 0, fact 12
  const utho = poolOfThree();
  utho.cloud.playPolicy([
    { afterMs: 100, pool: 'pool-a', change: 2 },
    { afterMs: 200, pool: 'pool-a', count: 4 },
    { afterMs: 300, pool: 'pool-gone', count: 4 },
  ]);
  await utho.clock.advance(99);
  expect(utho.cloud.pool('pool-a').count).toBe(3);
  await utho.clock.advance(1);
  expect(utho.cloud.pool('pool-a').count).toBe(5);
  await utho.clock.advance(1_000);
  expect(utho.cloud.events('count')).toMatchObject([
    { to: 5, cause: { kind: 'policy' } },
    { to: 4, cause: { kind: 'policy' } },
  ]);
  expect(utho.cloud.invariants()).toEqual([]);
});

describe('readLagMs', () => {
  it('shows the cluster as it was', async () => {
    const utho = poolOfThree({ readLagMs: 30 });
    await utho.update('pool-a', { count: '4' });
    expect((await utho.pool('pool-a')).count).toBe('3');
    await utho.clock.advance(29);
    expect((await utho.pool('pool-a')).count).toBe('3');
    await utho.clock.advance(1);
    expect(await utho.pool('pool-a')).toMatchObject({ count: '4', workers: { 3: { status: 'Pending' } } });
    await utho.clock.advance(49);
    expect((await utho.pool('pool-a')).workers[3].status).toBe('Pending');
    await utho.clock.advance(1);
    expect((await utho.pool('pool-a')).workers[3].status).toBe('Active');
  });

  it('can be switched on and off later', async () => {
    const utho = poolOfThree();
    utho.cloud.configure({ readLagMs: 1_000 });
    utho.cloud.setAutoScale('pool-a', false);
    expect((await utho.pool('pool-a')).auto_scale).toBe(true);
    utho.cloud.configure({ readLagMs: 0 });
    expect((await utho.pool('pool-a')).auto_scale).toBe(false);
  });
});

it('readLagReads: so many reads after a write show what was before it', async () => {
  // utho 8/26
  const utho = poolOfThree({ readLagReads: 3 });
  await utho.update('pool-a', { count: '4' });
  const seen: string[] = [];
  for (let read = 0; read < 5; read++) seen.push((await utho.pool('pool-a')).count);
  expect(seen).toEqual(['3', '3', '3', '4', '4']);
});

describe('timings', () => {
  it('of infinity never come', async () => {
    const utho = poolOfThree({ timings: { activeAfterMs: Infinity, deleteTakesMs: Infinity } });
    await utho.update('pool-a', { count: '4' });
    await utho.remove('pool-a', '11');
    await utho.clock.advance(86_400_000);
    expect(utho.cloud.workers('pool-a').map(({ state }) => state)).toEqual([
      ...['deleting', 'active', 'active'],
      'pending',
    ]);
  });
});
