import type { UthoEvent } from '../../../src/sandbox/utho/index.js';
import { liveWorkers } from '../../../src/sandbox/utho/index.js';
import { simulatedUtho } from './simulated-utho.js';
import type { SimulatedUtho } from './simulated-utho.js';

const CONSOLE = { kind: 'console' };

function states(utho: SimulatedUtho, pool = 'pool-a'): string[] {
  return utho.cloud.workers(pool).map(({ state }) => state);
}

describe('a worker', () => {
  it('is ordered, shows, and runs', async () => {
    const utho = simulatedUtho({ timings: { visibleAfterMs: 30, activeAfterMs: 50 } });
    utho.cloud.seedPool({ id: 'pool-a', workers: 1 });
    await utho.update('pool-a', { count: '2' });
    expect(states(utho)).toEqual(['active', 'requested']);
    expect((await utho.pool('pool-a')).workers).toHaveLength(1);
    await utho.clock.advance(30);
    expect(states(utho)).toEqual(['active', 'pending']);
    const [, pending] = (await utho.pool('pool-a')).workers;
    expect(pending).toMatchObject({ status: 'Pending', app_status: 'Pending', ip: '' });
    await utho.clock.advance(50);
    const [, active] = (await utho.pool('pool-a')).workers;
    expect(active).toMatchObject({ cloudid: pending.cloudid, status: 'Active', app_status: 'Installed' });
    expect(active.ip).toMatch(/^203\.0\.113\.\d+$/);
    expect(utho.fleet.isRunning(`utho://${active.cloudid}`)).toBe(true);
  });

  it('that is deleted by name is listed until it is gone, and lowers the count', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }, { cloudId: '12' }] });
    expect((await utho.remove('pool-a', '12')).body).toMatchObject({ status: 'success' });
    const pool = await utho.pool('pool-a');
    expect(pool.count).toBe('1');
    expect(pool.workers.map((worker: any) => [worker.cloudid, worker.status])).toEqual([
      ['11', 'Active'],
      ['12', 'Deleting'],
    ]);
    await utho.clock.advance(20);
    expect((await utho.pool('pool-a')).workers).toHaveLength(1);
    expect(utho.fleet.isRunning('utho://12')).toBe(false);
    expect(utho.cloud.events('named')).toMatchObject([
      { workerId: '12', state: 'active', count: 2, live: 2, cause: { kind: 'request', number: 1 } },
    ]);
    expect(utho.cloud.invariants()).toEqual([]);
  });

  it.each(['pending', 'failed'] as const)('that is %s can be deleted by name', async (state) => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{}, { cloudId: '12', state }] });
    await utho.remove('pool-a', '12');
    await utho.clock.advance(20);
    expect(states(utho)).toEqual(['active']);
    expect(utho.cloud.events('named')).toMatchObject([{ workerId: '12', state }]);
  });

  it('that is being deleted is not deleted again', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{}, { cloudId: '12' }] });
    await utho.remove('pool-a', '12');
    expect((await utho.remove('pool-a', '12')).body.status).toBe('success');
    expect(utho.cloud.pool('pool-a').count).toBe(1);
  });

  it('that is destroyed behind the pool is gone at once, and replaced after a while', async () => {
    // utho 8/44
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{ cloudId: '11' }, { cloudId: '12' }] });
    await utho.send('DELETE', '/v2/cloud/12/destroy');
    expect((await utho.pool('pool-a')).workers).toHaveLength(1);
    expect((await utho.pool('pool-a')).count).toBe('2');
    expect(utho.cloud.events('lost')).toMatchObject([{ workerId: '12', state: 'active' }]);
    await utho.clock.advance(99);
    expect(states(utho)).toEqual(['active']);
    await utho.clock.advance(1);
    expect(states(utho)).toEqual(['active', 'pending']);
    await utho.clock.advance(50);
    const [, replacement] = (await utho.pool('pool-a')).workers;
    expect(replacement.cloudid).not.toBe('12');
    expect(replacement.status).toBe('Active');
  });

  it('that was lost is not replaced when the count was lowered meanwhile', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{}, { cloudId: '12' }] });
    utho.cloud.destroyWorker('12');
    await utho.update('pool-a', { count: '1' });
    await utho.clock.advance(1_000);
    expect(states(utho)).toEqual(['active']);
    expect(utho.cloud.events('victim')).toEqual([]);
  });

  it('that was lost does not delay the order of others', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{}, { cloudId: '12' }] });
    utho.cloud.destroyWorker('12');
    await utho.update('pool-a', { count: '3' });
    expect(states(utho)).toEqual(['active', 'pending']);
    await utho.clock.advance(100);
    expect(states(utho)).toEqual(['active', 'active', 'pending']);
  });

  it.each([
    ['fails', (utho: SimulatedUtho) => utho.cloud.failNextWorkers(1, { message: 'no host' }), 'failed'],
    ['never shows', (utho: SimulatedUtho) => utho.cloud.stickNextOrders(1), 'requested'],
    ['never runs', (utho: SimulatedUtho) => utho.cloud.stallNextWorkers(1), 'pending'],
  ])('may be told that the next one %s', async (_what, arm, state) => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: 1 });
    arm(utho);
    await utho.update('pool-a', { count: '3' });
    await utho.clock.advance(60_000);
    expect(states(utho)).toEqual(['active', state, 'active']);
  });

  it('that is being deleted is out of reach of the console', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{}, { cloudId: '12', state: 'deleting' }] });
    await utho.clock.advance(60_000);
    expect(states(utho)).toEqual(['active', 'deleting']);
    expect(() => utho.cloud.destroyWorker('12')).toThrow('worker 12 is being deleted');
    expect(() => utho.cloud.activateWorker('12')).toThrow(RangeError);
    expect(() => utho.cloud.failWorker('12')).toThrow(RangeError);
  });

  it('has faults of its own pool only', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: 1 });
    utho.cloud.failNextWorkers(1, { pool: 'pool-b' });
    await utho.update('pool-a', { count: '2' });
    await utho.clock.advance(50);
    expect(states(utho)).toEqual(['active', 'active']);
  });

  it('that failed counts as live, stays listed, and says why', async () => {
    const utho = simulatedUtho({ capacity: 'fail' });
    utho.cloud.seedPool({ id: 'pool-a', workers: 1 });
    await utho.update('pool-a', { count: '2' });
    await utho.clock.advance(60_000);
    const [, failed] = (await utho.pool('pool-a')).workers;
    expect(failed).toMatchObject({ status: 'Failed', message: expect.stringContaining('out of stock') });
    expect(liveWorkers(utho.cloud.pool('pool-a'))).toHaveLength(2);
    expect(utho.fleet.running()).toHaveLength(2);
  });
});

describe('a count below the number of workers', () => {
  it('makes victims of any live workers, those without a record too', () => {
    // utho 0, fact 1: the platform picks, healthy or not
    const hit = { active: 0, pending: 0, failed: 0, requested: 0 };
    for (let seed = 0; seed < 200; seed++) {
      const utho = simulatedUtho({ timings: { visibleAfterMs: Infinity } }, seed);
      const workers = [{}, { state: 'pending' }, { state: 'failed' }] as const;
      utho.cloud.seedPool({ id: 'pool-a', workers, count: 4 });
      utho.cloud.resizePool('pool-a', 3);
      const [victim] = utho.cloud.events('victim');
      hit[victim!.state as keyof typeof hit]++;
    }
    // 50 each in the mean, with a standard deviation of 6.
    for (const count of Object.values(hit)) expect(Math.abs(count - 50)).toBeLessThan(25);
  });

  it('leaves those that are being deleted out of the count', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: [{}, {}, { cloudId: '13' }] });
    await utho.remove('pool-a', '13');
    await utho.update('pool-a', { count: '2' });
    expect(utho.cloud.events('victim')).toEqual([]);
  });

  it('is told with the request that caused it, and breaks an invariant when it hits a worker that runs', async () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: 3 });
    await utho.read();
    await utho.update('pool-a', { count: '2' });
    const cause = { kind: 'request', number: 2 };
    expect(utho.cloud.calls().find(({ number }) => number === 2)).toMatchObject({ method: 'POST' });
    expect(utho.cloud.events()).toMatchObject([
      { kind: 'count', from: 3, to: 2, cause },
      { kind: 'victim', state: 'active', count: 2, live: 3, cause },
    ]);
    expect(utho.cloud.invariants()).toEqual([expect.stringContaining('request 2 cost pool pool-a')]);
  });

  it('is nobody else’s fault when it was made at the console', () => {
    const utho = simulatedUtho();
    utho.cloud.seedPool({ id: 'pool-a', workers: 3 });
    utho.cloud.resizePool('pool-a', 2);
    expect(utho.cloud.events('victim')).toMatchObject([{ cause: CONSOLE }]);
    expect(utho.cloud.invariants()).toEqual([]);
  });
});

describe('a history', () => {
  const play = async (seed: number): Promise<readonly UthoEvent[]> => {
    const utho = simulatedUtho({}, seed);
    utho.cloud.seedPool({ id: 'pool-a', workers: 4 });
    for (const count of ['6', '3', '5', '1']) {
      await utho.update('pool-a', { count });
      await utho.clock.advance(70);
    }
    return utho.cloud.events();
  };

  it('is the same for the same seed, and another for another', async () => {
    expect(await play(3)).toEqual(await play(3));
    expect(await play(3)).not.toEqual(await play(4));
  });

  it('begins anew with a reset', async () => {
    const utho = simulatedUtho({ capacity: 'clip' });
    utho.cloud.seedPool({ id: 'pool-a', workers: 1 });
    utho.cloud.faults.add({ action: { kind: 'cut-before' } });
    utho.cloud.reset(9, { typing: 'strings' });
    expect(utho.fleet.running()).toEqual([]);
    expect(utho.cloud.clusters()).toEqual([]);
    expect(utho.cloud.faults.list()).toEqual([]);
    expect(utho.cloud.settings).toMatchObject({ capacity: 'clip', typing: 'strings' });
    utho.cloud.seedPool({ id: 'pool-b' });
    expect((await utho.read()).status).toBe(200);
    expect(utho.cloud.calls()).toHaveLength(1);
  });
});
