import { writeFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import type { Clock } from '../../../src/application/ports/clock.js';
import type { Random } from '../../../src/application/ports/random.js';
import { SeededRandom } from '../../../src/sandbox/world/seeded-random.js';

describe('VirtualClock', () => {
  const start = Date.UTC(2026, 0, 1);

  it('can be the clock of the program, and the seeded stream its randomness', () => {
    const clock: Clock = new VirtualClock();
    const random: Random = new SeededRandom(1);
    expect(clock.now()).toBe(start);
    expect(random.hex(16)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('runs tasks by time, and tasks of one moment in the order of scheduling', async () => {
    const clock = new VirtualClock();
    const history: string[] = [];
    const note = (name: string) => () => history.push(`${name}@${clock.now() - start}`);
    clock.schedule(20, note('late'));
    clock.schedule(10, note('first'));
    clock.schedule(10, note('second'));
    clock.schedule(0, note('now'));
    await clock.advance(15);
    expect(history).toEqual(['now@0', 'first@10', 'second@10']);
    expect(clock.now() - start).toBe(15);
    await clock.advance(5);
    expect(history).toContain('late@20');
  });

  it('runs what a task schedules within the same advance', async () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const tick = (): void => {
      times.push(clock.now() - start);
      clock.schedule(10, tick);
    };
    clock.schedule(10, tick);
    await clock.advance(35);
    expect(times).toEqual([10, 20, 30]);
  });

  it('never runs a cancelled task, whatever the number of cancelled ones', async () => {
    const clock = new VirtualClock();
    const run: number[] = [];
    const tasks = Array.from({ length: 500 }, (_, index) =>
      clock.schedule(500 - index, () => run.push(index)),
    );
    for (const [index, task] of tasks.entries()) if (index % 10 !== 0) task.cancel();
    tasks[1]!.cancel();
    expect(clock.pendingTasks).toBe(50);
    await clock.advance(1000);
    expect(run).toEqual(Array.from({ length: 50 }, (_, index) => 490 - index * 10));
  });

  it('lets deep chains of promises, yields, immediates and next-ticks settle before the next task', async () => {
    const clock = new VirtualClock();
    const history: string[] = [];
    const deep = async (): Promise<void> => {
      for (let index = 0; index < 1000; index++) await Promise.resolve();
      for (let index = 0; index < 50; index++) await clock.yield();
      for (let index = 0; index < 50; index++) await new Promise((resolve) => setImmediate(resolve));
      await new Promise<void>((resolve) => {
        process.nextTick(resolve);
      });
      history.push(`deep@${clock.now() - start}`);
    };
    clock.schedule(10, () => void deep());
    clock.schedule(11, () => history.push('next'));
    await clock.advance(20);
    expect(history).toEqual(['deep@10', 'next']);
  });

  it('waits for files', async () => {
    const clock = new VirtualClock();
    const path = join(tmpdir(), `virtual-clock-${process.pid}`);
    const history: string[] = [];
    clock.schedule(1, () => void writeFile(path, 'x'.repeat(100_000)).then(() => history.push('written')));
    clock.schedule(2, () => history.push('next'));
    await clock.advance(5);
    await rm(path);
    expect(history).toEqual(['written', 'next']);
  });

  it('stands still while work that it cannot see is held', async () => {
    const clock = new VirtualClock();
    const history: string[] = [];
    clock.schedule(1, () => {
      const release = clock.hold();
      setTimeout(() => {
        history.push('outside');
        release();
      }, 5);
    });
    clock.schedule(2, () => history.push('next'));
    await clock.advance(5);
    expect(history).toEqual(['outside', 'next']);
  });

  it('wakes a sleeper on time, and at once when its signal aborts', async () => {
    const clock = new VirtualClock();
    const history: string[] = [];
    const abort = new AbortController();
    void clock.sleep(1000).then(() => history.push(`woke@${clock.now() - start}`));
    void clock.sleep(5000, abort.signal).catch((error: unknown) => history.push(String(error)));
    clock.schedule(1500, () => abort.abort(new Error('enough')));
    await clock.advance(2000);
    expect(history).toEqual(['woke@1000', 'Error: enough']);
    expect(clock.pendingTasks).toBe(0);
    await expect(clock.sleep(1, abort.signal)).rejects.toThrow('enough');
  });

  it('runs until a predicate holds, no further, and complains when it does not in time', async () => {
    const clock = new VirtualClock();
    let done = false;
    clock.schedule(700, () => (done = true));
    clock.schedule(900, () => (done = false));
    await clock.runUntil(() => done, 1000);
    expect(clock.now() - start).toBe(700);
    await expect(clock.runUntil(() => clock.now() < 0, 1000)).rejects.toThrow('1000 ms');
    expect(clock.now() - start).toBe(1700);
  });

  it('completes a promise, with its result or its error', async () => {
    const clock = new VirtualClock();
    await expect(clock.complete(clock.sleep(250).then(() => 'done'))).resolves.toBe('done');
    expect(clock.now() - start).toBe(250);
    await expect(clock.complete(Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(clock.complete(new Promise(() => undefined), 10)).rejects.toThrow('did not settle');
  });

  it('reports a task that throws, at its moment', async () => {
    const clock = new VirtualClock();
    clock.schedule(10, () => {
      throw new Error('broken');
    });
    await expect(clock.advance(20)).rejects.toThrow('broken');
    expect(clock.now() - start).toBe(10);
    await clock.advance(5);
    expect(clock.now() - start).toBe(15);
  });

  it('refuses to be moved by two at a time', async () => {
    const clock = new VirtualClock();
    const first = clock.advance(10);
    await expect(clock.advance(10)).rejects.toThrow('not re-entrant');
    await first;
  });

  it('runs nothing after stop', async () => {
    const clock = new VirtualClock();
    const history: string[] = [];
    clock.schedule(1, () => history.push('before'));
    clock.stop();
    clock.schedule(1, () => history.push('after'));
    await clock.advance(10);
    expect(history).toEqual([]);
  });

  it('lives through a simulated day of 50,000 events in seconds', async () => {
    const clock = new VirtualClock();
    let count = 0;
    const tick = (): void => {
      count++;
      clock.schedule(1728, tick);
    };
    clock.schedule(1728, tick);
    await clock.advance(24 * 3_600_000);
    expect(count).toBe(50_000);
  });
});
