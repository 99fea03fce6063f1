import { Agent, fetch, interceptors, request, stream } from 'undici';
import { Writable } from 'node:stream';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import type { Front, FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

const ORIGIN = 'http://world.example';

type Handler = (request: FrontRequest) => FrontResponse | Promise<FrontResponse>;

function world(handler: Handler, latencyMs = 0) {
  const clock = new VirtualClock();
  const seen: FrontRequest[] = [];
  const front: Front = {
    handle: async (incoming) => {
      seen.push(incoming);
      return handler(incoming);
    },
  };
  const dispatcher = new InProcessDispatcher({ clock, latencyMs }).mount(ORIGIN, front);
  return { clock, seen, dispatcher, startMs: clock.now() };
}

const json = (value: unknown, status = 200): FrontResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-note': 'é' },
  body: JSON.stringify(value),
});

describe('InProcessDispatcher', () => {
  it('carries method, path, query, headers and body of undici request to the front, and the answer back', async () => {
    const { dispatcher, seen } = world(() => json({ ok: 'grün' }, 201));
    const answer = await request(`${ORIGIN}/v1/things%20x?a=1&a=2`, {
      dispatcher,
      method: 'POST',
      headers: { Authorization: 'Bearer t', 'X-Many': ['a', 'b'] },
      body: JSON.stringify({ name: 'ä' }),
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(await answer.body.json()).toEqual({ ok: 'grün' });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/v1/things%20x',
      headers: { authorization: 'Bearer t', 'x-many': 'a, b', host: 'world.example' },
      body: '{"name":"ä"}',
    });
    expect(seen[0]!.query.getAll('a')).toEqual(['1', '2']);
  });

  it('adds the query option of a request', async () => {
    const { dispatcher, seen } = world(() => json({}));
    await request(`${ORIGIN}/list`, { dispatcher, query: { page: 2, label: 'a=b' } });
    expect(seen[0]!.query.get('page')).toBe('2');
    expect(seen[0]!.query.get('label')).toBe('a=b');
  });

  it('serves undici fetch, with a body', async () => {
    const { dispatcher, seen } = world(() => json([1, 2]));
    const answer = await fetch(`${ORIGIN}/x?y=z`, {
      dispatcher,
      method: 'PATCH',
      body: 'text',
      headers: { a: 'b' },
    });
    expect(await answer.json()).toEqual([1, 2]);
    expect(seen[0]).toMatchObject({ method: 'PATCH', body: 'text', headers: { a: 'b' } });
  });

  it('serves undici stream', async () => {
    const { dispatcher } = world(() => json({ streamed: true }));
    const chunks: string[] = [];
    await stream(`${ORIGIN}/`, { dispatcher, method: 'GET' }, () => {
      return new Writable({
        write: (chunk, _encoding, done) => {
          chunks.push(String(chunk));
          done();
        },
      });
    });
    expect(JSON.parse(chunks.join(''))).toEqual({ streamed: true });
  });

  it('works under an interceptor that retries', async () => {
    let calls = 0;
    const { dispatcher } = world(() => json({}, ++calls < 2 ? 503 : 200));
    const retrying = dispatcher.compose(interceptors.retry({ maxRetries: 2, minTimeout: 1, maxTimeout: 1 }));
    const answer = await request(`${ORIGIN}/`, { dispatcher: retrying });
    expect(answer.statusCode).toBe(200);
    expect(calls).toBe(2);
  });

  it('answers an empty body and HEAD', async () => {
    const { dispatcher } = world(() => ({ status: 204, headers: {}, body: '' }));
    const answer = await request(`${ORIGIN}/`, { dispatcher, method: 'DELETE' });
    expect(answer.statusCode).toBe(204);
    expect(await answer.body.text()).toBe('');
  });

  it.each(['request', 'fetch'] as const)(
    'hands over the chunks of a stream as they come (%s)',
    async (client) => {
      const { dispatcher, clock } = world(() => ({ status: 200, headers: {}, body: ticks() }));
      async function* ticks() {
        for (let tick = 1; tick <= 3; tick++) {
          await clock.sleep(1000);
          yield `tick ${tick}\n`;
        }
      }
      const history: string[] = [];
      const read = async (): Promise<void> => {
        const body =
          client === 'request'
            ? (await request(`${ORIGIN}/watch`, { dispatcher })).body
            : (await fetch(`${ORIGIN}/watch`, { dispatcher })).body!;
        for await (const chunk of body)
          history.push(
            `${Buffer.from(chunk as Uint8Array)
              .toString()
              .trim()}@${clock.now() % 100_000}`,
          );
        history.push('end');
      };
      await clock.complete(read());
      expect(history).toEqual(['tick 1@1000', 'tick 2@2000', 'tick 3@3000', 'end']);
      expect(dispatcher.openExchanges).toBe(0);
    },
  );

  it.each(['request', 'fetch'] as const)(
    'tells the front when the client leaves a stream (%s)',
    async (client) => {
      const abort = new AbortController();
      const { dispatcher, clock, seen } = world((incoming) => ({
        status: 200,
        headers: {},
        body: forever(incoming.signal),
      }));
      async function* forever(signal: AbortSignal) {
        for (;;) {
          yield 'x';
          await clock.sleep(1000, signal);
        }
      }
      let failure: unknown;
      const options = { dispatcher, signal: abort.signal };
      const read = async (): Promise<void> => {
        const body =
          client === 'request'
            ? (await request(`${ORIGIN}/watch`, options)).body
            : (await fetch(`${ORIGIN}/watch`, options)).body!;
        for await (const chunk of body) expect(chunk).toBeDefined();
      };
      void read().catch((error: unknown) => (failure = error));
      await clock.advance(3500);
      expect(seen[0]!.signal.aborted).toBe(false);
      abort.abort();
      await clock.settle();
      expect(seen[0]!.signal.aborted).toBe(true);
      expect((failure as Error).name).toBe('AbortError');
      expect(clock.pendingTasks).toBe(0);
    },
  );

  it('fails at once when the signal was aborted before', async () => {
    const { dispatcher, seen } = world(() => json({}));
    await expect(request(`${ORIGIN}/`, { dispatcher, signal: AbortSignal.abort() })).rejects.toThrow();
    await expect(fetch(`${ORIGIN}/`, { dispatcher, signal: AbortSignal.abort() })).rejects.toThrow();
    expect(seen).toEqual([]);
  });

  it('takes latency in world time, and an abort ends it', async () => {
    const { dispatcher, clock, seen, startMs } = world(() => json({}), 250);
    await clock.complete(request(`${ORIGIN}/`, { dispatcher }));
    expect(clock.now() - startMs).toBe(250);
    const abort = new AbortController();
    const second = request(`${ORIGIN}/`, { dispatcher, signal: abort.signal });
    abort.abort(new Error('late'));
    await expect(second).rejects.toThrow('late');
    await clock.advance(1000);
    expect(seen).toHaveLength(1);
  });

  it('cuts the connection after the request was served', async () => {
    const { dispatcher, seen } = world(() => ({ status: 200, headers: {}, body: '', cut: true }));
    await expect(request(`${ORIGIN}/`, { dispatcher, method: 'POST', body: 'x' })).rejects.toMatchObject({
      code: 'UND_ERR_SOCKET',
    });
    const viaFetch = fetch(`${ORIGIN}/`, { dispatcher });
    await expect(viaFetch).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { code: 'UND_ERR_SOCKET' },
    });
    expect(seen).toHaveLength(2);
  });

  it('cuts a stream in the middle when the front fails', async () => {
    async function* broken() {
      yield 'half';
      await Promise.resolve();
      throw new Error('out of order');
    }
    const { dispatcher } = world(() => ({ status: 200, headers: {}, body: broken() }));
    const answer = await request(`${ORIGIN}/`, { dispatcher });
    await expect(answer.body.text()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });

  it('cuts all open connections at once', async () => {
    const { dispatcher, clock } = world(() => ({ status: 200, headers: {}, body: silence() }));
    async function* silence() {
      yield 'hello';
      await new Promise(() => undefined);
    }
    const answer = await request(`${ORIGIN}/watch`, { dispatcher });
    const text = answer.body.text();
    await clock.settle();
    dispatcher.cutConnections();
    await expect(text).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(dispatcher.openExchanges).toBe(0);
  });

  it('refuses connections to an origin without a front', async () => {
    const { dispatcher } = world(() => json({}));
    await expect(request('http://nobody.example/', { dispatcher })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    dispatcher.unmount(ORIGIN);
    await expect(request(`${ORIGIN}/`, { dispatcher })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('keeps the time-outs of undici in world time', async () => {
    const { dispatcher, clock, startMs } = world(() => new Promise(() => undefined));
    const call = request(`${ORIGIN}/`, { dispatcher, headersTimeout: 5000 });
    call.catch(() => undefined);
    await expect(clock.complete(call)).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    expect(clock.now() - startMs).toBe(5000);
  });

  it('measures the body time-out from chunk to chunk', async () => {
    const { dispatcher, clock, startMs } = world(() => ({ status: 200, headers: {}, body: slow() }));
    async function* slow() {
      yield 'a';
      await clock.sleep(4000);
      yield 'b';
      await clock.sleep(9000);
      yield 'c';
    }
    const call = request(`${ORIGIN}/`, { dispatcher, bodyTimeout: 5000 }).then((answer) =>
      answer.body.text(),
    );
    call.catch(() => undefined);
    await expect(clock.complete(call)).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
    expect(clock.now() - startMs).toBe(9000);
  });

  it('takes no request after close', async () => {
    const { dispatcher } = world(() => json({}));
    await dispatcher.close();
    await expect(request(`${ORIGIN}/`, { dispatcher })).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' });
  });

  it('respects back-pressure: a slow reader slows the source down', async () => {
    let produced = 0;
    async function* flood() {
      for (; produced < 1000; produced++) {
        await Promise.resolve();
        yield 'x'.repeat(16_384);
      }
    }
    const { dispatcher, clock } = world(() => ({ status: 200, headers: {}, body: flood() }));
    const answer = await request(`${ORIGIN}/`, { dispatcher });
    await clock.settle();
    expect(produced).toBeLessThan(20);
    await clock.advance(3_600_000);
    const text = await answer.body.text();
    expect(text).toHaveLength(1000 * 16_384);
  });

  it('is no Agent, but may stand where one stands', () => {
    const { dispatcher } = world(() => json({}));
    expect(dispatcher).not.toBeInstanceOf(Agent);
  });
});
