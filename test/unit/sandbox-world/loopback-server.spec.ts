import { request as httpRequest } from 'node:http';
import { request } from 'undici';
import { LoopbackServer } from '../../../src/sandbox/http/index.js';
import type { Front, FrontRequest, FrontResponse } from '../../../src/sandbox/world/index.js';

const servers: LoopbackServer[] = [];

async function serve(handler: (request: FrontRequest) => FrontResponse | Promise<FrontResponse>) {
  const seen: FrontRequest[] = [];
  const front: Front = {
    handle: async (incoming) => {
      seen.push(incoming);
      return handler(incoming);
    },
  };
  const server = await LoopbackServer.listen(front);
  servers.push(server);
  return { server, seen };
}

/** A body that is sent chunk by chunk, when the test says so. */
function controlledBody() {
  let wake = (): void => undefined;
  const waiting: (string | null)[] = [];
  const push = (chunk: string | null): void => {
    waiting.push(chunk);
    wake();
  };
  async function* body(): AsyncGenerator<string> {
    for (;;) {
      const chunk = waiting.shift();
      if (chunk === null) return;
      if (chunk !== undefined) yield chunk;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return { push, body };
}

describe('LoopbackServer', () => {
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  it('carries requests and answers over a socket on the loopback interface', async () => {
    const { server, seen } = await serve(() => ({
      status: 201,
      headers: { 'content-type': 'text/plain' },
      body: 'grün',
    }));
    expect(server.origin).toBe(`http://127.0.0.1:${server.port}`);
    const answer = await request(`${server.origin}/a%20b?x=1&x=2`, {
      method: 'POST',
      headers: { 'X-Token': 't' },
      body: 'ä',
    });
    expect([answer.statusCode, answer.headers['content-type'], await answer.body.text()]).toEqual([
      201,
      'text/plain',
      'grün',
    ]);
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/a%20b', body: 'ä', headers: { 'x-token': 't' } });
    expect(seen[0]!.query.getAll('x')).toEqual(['1', '2']);
  });

  it('sends chunks as they come', async () => {
    const { push, body } = controlledBody();
    const { server } = await serve(() => ({ status: 200, headers: {}, body: body() }));
    const answer = await request(`${server.origin}/watch`);
    const chunks = answer.body[Symbol.asyncIterator]();
    push('one');
    expect(String((await chunks.next()).value)).toBe('one');
    push('two');
    expect(String((await chunks.next()).value)).toBe('two');
    push(null);
    expect((await chunks.next()).done).toBe(true);
  });

  it('tells the front when the client leaves', async () => {
    let left: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    const { server } = await serve((incoming) => {
      incoming.signal.addEventListener('abort', () => left?.());
      return { status: 200, headers: {}, body: controlledBody().body() };
    });
    const abort = new AbortController();
    const answer = await request(`${server.origin}/watch`, { signal: abort.signal });
    answer.body.on('error', () => undefined);
    abort.abort();
    await gone;
  });

  it('cuts the connection instead of an answer', async () => {
    const { server, seen } = await serve(() => ({ status: 200, headers: {}, body: '', cut: true }));
    await expect(request(server.origin, { method: 'POST', body: 'x' })).rejects.toMatchObject({
      code: 'UND_ERR_SOCKET',
    });
    expect(seen).toHaveLength(1);
  });

  it('ends the connection when the front fails', async () => {
    const { server } = await serve(() => {
      throw new Error('broken');
    });
    await expect(request(server.origin)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });

  it('ends all streams when it is closed', async () => {
    const { server, seen } = await serve(() => ({ status: 200, headers: {}, body: controlledBody().body() }));
    const answer = await request(`${server.origin}/watch`);
    const text = answer.body.text();
    text.catch(() => undefined);
    await server.close();
    await expect(text).rejects.toThrow();
    expect(seen[0]!.signal.aborted).toBe(true);
    await expect(request(server.origin)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('refuses a port that is taken', async () => {
    const { server } = await serve(() => ({ status: 200, headers: {}, body: '' }));
    await expect(
      LoopbackServer.listen({ handle: () => Promise.reject(new Error()) }, server.port),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  it('speaks plain HTTP/1.1 to any client', async () => {
    const { server } = await serve(() => ({ status: 204, headers: { 'x-a': 'b' }, body: '' }));
    const status = await new Promise((resolve, reject) => {
      httpRequest(server.origin, (incoming) => {
        incoming.resume();
        resolve([incoming.statusCode, incoming.headers['x-a']]);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toEqual([204, 'b']);
  });
});
