import { request } from 'undici';
import { InProcessDispatcher } from '../../../src/sandbox/http/index.js';
import {
  FaultPlan,
  FaultyFront,
  SeededRandom,
  VirtualClock,
  faultRuleFrom,
} from '../../../src/sandbox/world/index.js';
import type { FaultRule } from '../../../src/sandbox/world/index.js';

function faultyWorld() {
  const clock = new VirtualClock();
  const random = new SeededRandom(1);
  const plan = new FaultPlan(() => random.next());
  const served: string[] = [];
  const front = new FaultyFront(
    {
      handle: (incoming) => {
        served.push(`${incoming.method} ${incoming.path}`);
        return Promise.resolve({ status: 200, headers: {}, body: 'fine' });
      },
    },
    plan,
    clock,
  );
  const dispatcher = new InProcessDispatcher({ clock }).mount('http://w', front);
  const call = async (path: string, method = 'GET', body: string | null = null): Promise<string> => {
    const answer = await request(`http://w${path}`, { dispatcher, method: method as 'GET', body }).catch(
      (error: unknown) => error as { code: string },
    );
    return 'code' in answer ? answer.code : `${answer.statusCode} ${await answer.body.text()}`;
  };
  return { clock, plan, served, call };
}

const TEAPOT = { kind: 'answer', status: 418, body: 'tea' } as const;

describe('A fault plan', () => {
  it('lets everything through while it is empty', async () => {
    const { call } = faultyWorld();
    expect(await call('/a')).toBe('200 fine');
  });

  it.each<[string, FaultRule, string[]]>([
    ['method', { match: { method: 'POST' }, action: TEAPOT }, ['200', '418', '200']],
    ['exact path', { match: { path: '/a' }, action: TEAPOT }, ['418', '418', '200']],
    ['pattern', { match: { path: /^\/./ }, action: TEAPOT }, ['418', '418', '418']],
    ['predicate', { match: { when: (one) => one.body === 'x' }, action: TEAPOT }, ['200', '418', '200']],
    ['all', { action: TEAPOT }, ['418', '418', '418']],
    ['times', { times: 2, action: TEAPOT }, ['418', '418', '200']],
    ['after', { after: 2, action: TEAPOT }, ['200', '200', '418']],
    ['every', { every: 2, action: TEAPOT }, ['418', '200', '418']],
    ['after and every', { after: 1, every: 2, action: TEAPOT }, ['200', '418', '200']],
    ['impossible', { probability: 0, action: TEAPOT }, ['200', '200', '200']],
  ])('matches by %s', async (_by, rule, expected) => {
    const { plan, call } = faultyWorld();
    plan.add(rule);
    const answers = [await call('/a'), await call('/a', 'POST', 'x'), await call('/b')];
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(expected);
  });

  it('hits by chance, repeatably', async () => {
    const history = async () => {
      const { plan, call } = faultyWorld();
      plan.add({ probability: 0.5, action: TEAPOT });
      const answers = [];
      for (let index = 0; index < 20; index++) answers.push((await call('/')).slice(0, 3));
      return answers.join(' ');
    };
    const first = await history();
    expect(first).toContain('418');
    expect(first).toContain('200');
    expect(await history()).toBe(first);
  });

  it('does or does not do the work, as the action says', async () => {
    const { plan, call, served } = faultyWorld();
    const outcome = async (action: FaultRule['action']) => {
      plan.clear();
      plan.add({ action });
      const before = served.length;
      return [await call('/'), served.length - before];
    };
    expect(await outcome(TEAPOT)).toEqual(['418 tea', 0]);
    expect(await outcome({ kind: 'commit-then-answer', status: 504, body: 'late' })).toEqual(['504 late', 1]);
    expect(await outcome({ kind: 'cut-before' })).toEqual(['UND_ERR_SOCKET', 0]);
    expect(await outcome({ kind: 'cut-after' })).toEqual(['UND_ERR_SOCKET', 1]);
    expect(await outcome({ kind: 'rewrite', change: (one) => ({ ...one, body: 'other' }) })).toEqual([
      '200 other',
      1,
    ]);
  });

  it('adds delays up, and then does the rest', async () => {
    const { clock, plan, call } = faultyWorld();
    const startMs = clock.now();
    plan.add({ action: { kind: 'delay', ms: 100 } });
    plan.add({ action: { kind: 'delay', ms: 200 } });
    plan.add({ action: TEAPOT });
    plan.add({ id: 'never asked', action: TEAPOT });
    expect(await clock.complete(call('/'))).toBe('418 tea');
    expect(clock.now() - startMs).toBe(300);
    expect(plan.list().map((fault) => fault.hits)).toEqual([1, 1, 1, 0]);
  });

  it('hangs until a moment, or drops the request for good', async () => {
    const { clock, plan, call, served } = faultyWorld();
    plan.add({ times: 1, action: { kind: 'hang', untilMs: clock.now() + 5000 } });
    const late = call('/late');
    await clock.advance(4999);
    expect(served).toEqual([]);
    await clock.advance(1);
    expect(await late).toBe('200 fine');
    plan.add({ action: { kind: 'drop' } });
    const lost = call('/lost');
    await clock.advance(300_000);
    expect(await lost).toBe('UND_ERR_HEADERS_TIMEOUT');
    expect(served).toEqual(['GET /late']);
  });

  it('forgets rules by id, and replaces a rule of the same id', async () => {
    const { plan, call } = faultyWorld();
    const id = plan.add({ action: TEAPOT });
    plan.add({ id, action: { kind: 'cut-before' } });
    expect(plan.list()).toHaveLength(1);
    expect(await call('/')).toBe('UND_ERR_SOCKET');
    expect(plan.remove(id)).toBe(true);
    expect(plan.remove(id)).toBe(false);
    expect(await call('/')).toBe('200 fine');
  });

  it('takes rules as documents', async () => {
    const { clock, plan, call } = faultyWorld();
    const add = (document: unknown) => plan.add(faultRuleFrom(document, clock.now()));
    add({ method: 'GET', path: '^/short', action: { kind: 'truncate', bytes: 2 } });
    add({ path: '^/slow', action: { kind: 'hang', ms: 700 } });
    add({ path: '^/lost', action: { kind: 'hang' } });
    expect(await call('/short')).toBe('200 fi');
    const startMs = clock.now();
    expect(await clock.complete(call('/slow'))).toBe('200 fine');
    expect(clock.now() - startMs).toBe(700);
    expect(await clock.complete(call('/lost'))).toBe('UND_ERR_HEADERS_TIMEOUT');
    expect(() => add(null)).toThrow('a fault rule is an object');
    expect(() => add({ action: { kind: 'answer', status: 500 } })).toThrow(
      "action.body of a fault 'answer' is a string",
    );
  });
});
