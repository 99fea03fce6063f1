import { RequestQueue } from '../../../src/adapters/utho/client/request-queue.js';

const { signal } = new AbortController();
const flush = () => new Promise((resolve) => setImmediate(resolve));

/** Works that go on until they are told to end; `running` holds those under way. */
function works(queue: RequestQueue) {
  const running = new Map<string, () => void>();
  const run = (name: string, limit = new AbortController().signal) =>
    queue.run(limit, () => new Promise<void>((resolve) => void running.set(name, resolve)));
  const end = async (name: string) => {
    running.get(name)!();
    running.delete(name);
    await flush();
  };
  return { running, run, end };
}

describe('queue of requests', () => {
  it('gives a place that was given up to nobody twice, and loses none', async () => {
    const { running, run, end } = works(new RequestQueue(1));
    const caller = new AbortController();
    const first = run('a');
    const given = run('b', caller.signal).catch((error: unknown) => error);
    const third = run('c');
    await flush();
    caller.abort();
    expect(await given).toMatchObject({ code: 'aborted', outcome: 'unsent' });
    await end('a');
    expect([...running.keys()]).toEqual(['c']);
    await end('c');
    await Promise.all([first, third]);
    const later = run('d');
    await flush();
    expect([...running.keys()]).toEqual(['d']);
    await end('d');
    await later;
  });

  it('gives the place on after a failure', async () => {
    const queue = new RequestQueue(1);
    await expect(queue.run(signal, () => Promise.reject(new Error('m')))).rejects.toThrow('m');
    expect(await queue.run(signal, () => Promise.resolve('next'))).toBe('next');
  });

  it('is limited', async () => {
    const { run, running, end } = works(new RequestQueue(1));
    const waiting = Array.from({ length: 257 }, (_, index) => run(String(index)));
    await expect(run('too many')).rejects.toMatchObject({ code: 'queue_full', outcome: 'unsent' });
    await flush();
    while (running.size > 0) await end([...running.keys()][0]!);
    await Promise.all(waiting);
  });
});
