import { statusError } from '../../../src/adapters/kubernetes/connection/api-error.js';
import { TokenBucket } from '../../../src/adapters/kubernetes/connection/token-bucket.js';
import { Interner, StringPool } from '../../../src/adapters/kubernetes/projection/interner.js';
import { Backoff } from '../../../src/adapters/kubernetes/reading/backoff.js';
import { RecordStore } from '../../../src/adapters/kubernetes/reading/record-store.js';
import { LruMap } from '../../../src/adapters/kubernetes/writing/lru-map.js';
import { patchedNode } from '../../../src/adapters/kubernetes/writing/node-patch.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

describe('Backoff', () => {
  test.each([
    ['the shortest jitter', 0, [500, 1000, 2000, 4000, 8000, 15_000, 15_000]],
    ['the longest jitter', 1, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
  ])('grows up to half a minute, %s', (_what, next, pauses) => {
    const backoff = new Backoff({ next: () => next, hex: () => '' });
    expect(pauses.map(() => backoff.next())).toEqual(pauses);
    backoff.reset();
    expect(backoff.next()).toBe(pauses[0]);
  });
});

describe('TokenBucket', () => {
  test('lets a burst through and then so many a second, in order', async () => {
    const clock = new VirtualClock(0);
    const bucket = new TokenBucket(clock, { perSecond: 5, burst: 2 });
    const times: number[] = [];
    for (let count = 0; count < 5; count++) void bucket.take().then(() => times.push(clock.now()));
    await clock.advance(10_000);
    expect(times).toEqual([0, 0, 200, 400, 600]);
  });

  test('saves up no more than a burst', async () => {
    const clock = new VirtualClock(0);
    const bucket = new TokenBucket(clock, { perSecond: 1, burst: 1 });
    await clock.advance(60_000);
    const times: number[] = [];
    for (let count = 0; count < 2; count++) void bucket.take().then(() => times.push(clock.now()));
    await clock.advance(10_000);
    expect(times).toEqual([60_000, 61_000]);
  });

  test('has no limit when the rate is not positive', async () => {
    const bucket = new TokenBucket(new VirtualClock(0), { perSecond: 0, burst: 0 });
    for (let count = 0; count < 100; count++) await bucket.take();
  });
});

describe('Interner', () => {
  test('gives one object for one text', () => {
    const interner = new Interner<object>();
    const made = interner.intern('a', () => ({}));
    expect(interner.intern('a', () => ({}))).toBe(made);
    expect(interner.intern('b', () => ({}))).not.toBe(made);
  });

  test('keeps what is held, however many others come', () => {
    const interner = new Interner<object>();
    const held = Array.from({ length: 3_000 }, (_, index) =>
      interner.intern(`held-${index}`, () => ({ index })),
    );
    for (let index = 0; index < 20_000; index++) interner.intern(`passing-${index}`, () => ({}));
    held.forEach((object, index) => expect(interner.intern(`held-${index}`, () => ({}))).toBe(object));
  });
});

describe('StringPool', () => {
  test('stays bounded and forgets what nobody asks for', () => {
    const pool = new StringPool();
    for (let index = 0; index < 200_000; index++) {
      pool.intern(`name-${index}`);
      pool.intern('often');
    }
    expect(pool.size).toBeLessThanOrEqual(2 * 32_768);
  });
});

describe('RecordStore', () => {
  const changes: unknown[] = [];
  const store = new RecordStore<{ a: number; list: number[] }>((record, previous) =>
    changes.push([record, previous]),
  );

  beforeEach(() => {
    changes.length = 0;
    store.replace(new Map([['x', { a: 1, list: [1] }]]));
  });

  test('an equal record changes nothing, not even the array', () => {
    const before = store.all();
    changes.length = 0;
    store.put('x', { a: 1, list: [1] });
    expect(store.all()).toBe(before);
    expect(changes).toEqual([]);
  });

  test('a different one is told with what was before', () => {
    const before = store.all();
    store.put('x', { a: 1, list: [2] });
    expect(store.all()).toEqual([{ a: 1, list: [2] }]);
    expect(before).toEqual([{ a: 1, list: [1] }]);
    expect(changes.at(-1)).toEqual([
      { a: 1, list: [2] },
      { a: 1, list: [1] },
    ]);
  });

  test('a new list replaces all and tells only what differs', () => {
    const kept = store.preferHeld('x', { a: 1, list: [1] });
    changes.length = 0;
    store.replace(
      new Map([
        ['x', kept],
        ['y', { a: 2, list: [] }],
      ]),
    );
    expect(changes).toEqual([[{ a: 2, list: [] }, undefined]]);
  });

  test('removing what is unknown changes nothing', () => {
    const before = store.all();
    store.remove('nobody');
    expect(store.all()).toBe(before);
  });
});

describe('LruMap', () => {
  test('forgets what was not asked for longest', () => {
    const map = new LruMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });
});

describe('patchedNode', () => {
  const known = { key: 'ToBeDeleted', value: '1', effect: 'NoSchedule' } as const;
  const node = { metadata: { name: 'n' }, spec: { podCIDR: '10.0.0.0/24', taints: [known] }, status: {} };

  test.each([
    ['a taint that is there', { addTaints: [{ ...known, value: '2' }] }],
    ['removal of one that is not', { removeTaints: ['other'] }],
    ['what is so already', { unschedulable: false }],
    ['nothing', {}],
  ])('%s: nothing to write', (_what, patch) => {
    expect(patchedNode(node, patch)).toBeNull();
  });

  test('changes what is asked and leaves foreign fields alone', () => {
    const added = { key: 'Soft', value: '', effect: 'PreferNoSchedule' } as const;
    const patch = { addTaints: [added], removeTaints: ['ToBeDeleted'], unschedulable: true };
    expect(patchedNode(node, patch)).toEqual({
      ...node,
      spec: {
        podCIDR: '10.0.0.0/24',
        unschedulable: true,
        taints: [{ key: 'Soft', effect: 'PreferNoSchedule' }],
      },
    });
  });

  test('one key with two effects is two taints', () => {
    const patched = patchedNode(node, { addTaints: [{ ...known, effect: 'NoExecute' }] });
    expect(patched?.spec?.taints).toHaveLength(2);
  });
});

describe('statusError', () => {
  test('tells the message with its causes', () => {
    const body = JSON.stringify({
      kind: 'Status',
      reason: 'TooManyRequests',
      message: 'Cannot evict pod',
      details: { causes: [{ reason: 'DisruptionBudget', message: 'web needs 2 healthy pods' }] },
    });
    const error = statusError(429, body, { 'retry-after': '10' });
    expect(error).toMatchObject({
      status: 429,
      reason: 'TooManyRequests',
      detail: 'Cannot evict pod; web needs 2 healthy pods',
      retryAfterMs: 10_000,
    });
  });

  test('tells the begin of a body that is no Status', () => {
    const error = statusError(502, `<html>${'x'.repeat(1000)}`);
    expect(error).toMatchObject({ reason: '', retryAfterMs: null });
    expect(error.detail).toHaveLength(200);
  });

  test.each([
    [410, '', true],
    [500, 'Expired', true],
    [404, 'NotFound', false],
  ])('%d %s expired: %s', (status, reason, isExpired) => {
    const body = JSON.stringify({ kind: 'Status', reason });
    expect(statusError(status, body).isExpired).toBe(isExpired);
  });
});
