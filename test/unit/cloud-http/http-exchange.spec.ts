import { ExchangeError, HttpExchange, exchangeDump } from '../../../src/adapters/cloud-http/index.js';
import type { HttpRequest } from '../../../src/adapters/cloud-http/index.js';
import { connectionError } from '../../../src/adapters/cloud-http/exchange-error.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import type { FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

const ORIGIN = 'https://api.example';
const GET: HttpRequest = {
  method: 'GET',
  url: `${ORIGIN}/things?a=1`,
  headers: { authorization: 'Bearer x' },
  body: null,
};

type Service = (request: FrontRequest) => FrontResponse | Promise<FrontResponse>;

function exchangeWith(service: Service) {
  const clock = new VirtualClock();
  const requests: FrontRequest[] = [];
  const handle = async (request: FrontRequest) => {
    requests.push(request);
    return service(request);
  };
  const dispatcher = new InProcessDispatcher({ clock }).mount(ORIGIN, { handle });
  const exchange = new HttpExchange(dispatcher, clock);
  const limits = { signal: new AbortController().signal, timeoutMs: 30_000 };
  const failure = (work: Promise<unknown>): Promise<unknown> =>
    clock.complete(
      work.then(
        () => new Error('it was not rejected'),
        (error: unknown) => error,
      ),
    );
  return { clock, dispatcher, exchange, failure, limits, requests };
}

const never: Service = () => new Promise<never>(() => undefined);

describe('HTTP exchange', () => {
  it('sends what it is told and gives the whole answer, whatever its status', async () => {
    const { clock, exchange, limits, requests } = exchangeWith(() => ({
      status: 503,
      headers: { 'x-id': '7' },
      body: '{"é":1}',
    }));
    const post: HttpRequest = { ...GET, method: 'POST', body: '{"a":1}' };
    expect(await clock.complete(exchange.send(post, limits))).toEqual({
      status: 503,
      headers: { 'x-id': '7' },
      text: '{"é":1}',
    });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/things',
        body: '{"a":1}',
        headers: {
          authorization: 'Bearer x',
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': expect.stringMatching(/^evenkeel\//),
        },
      },
    ]);
  });

  it('does not follow a redirect', async () => {
    const { clock, exchange, limits, requests } = exchangeWith(() => ({
      status: 302,
      headers: { location: `${ORIGIN}/elsewhere` },
      body: '',
    }));
    expect(await clock.complete(exchange.send(GET, limits))).toMatchObject({ status: 302 });
    expect(requests).toHaveLength(1);
  });

  it('ends at its deadline, also within the body', async () => {
    const dripping: Service = () => ({
      status: 200,
      headers: {},
      body: (async function* () {
        yield '{';
        await new Promise<never>(() => undefined);
      })(),
    });
    for (const service of [never, dripping]) {
      const { clock, exchange, failure, limits } = exchangeWith(service);
      const startMs = clock.now();
      const error = await failure(exchange.send(GET, { ...limits, timeoutMs: 5_000 }));
      expect(error).toMatchObject({ code: 'timeout', outcome: 'unknown', message: 'no answer within 5 s' });
      expect(clock.now() - startMs).toBe(5_000);
    }
  });

  it('ends when the caller gives up, and tells the other side', async () => {
    const { clock, dispatcher, exchange, failure, limits } = exchangeWith(never);
    const caller = new AbortController();
    const work = failure(exchange.send(GET, { ...limits, signal: caller.signal }));
    clock.schedule(100, () => caller.abort());
    expect(await work).toMatchObject({ code: 'aborted' });
    expect(dispatcher.openExchanges).toBe(0);
  });

  it('sends nothing for a caller who has given up before', async () => {
    const { exchange, failure, limits, requests } = exchangeWith(never);
    expect(await failure(exchange.send(GET, { ...limits, signal: AbortSignal.abort() }))).toMatchObject({
      code: 'aborted',
    });
    expect(requests).toEqual([]);
  });

  it('leaves no timer behind', async () => {
    const { clock, exchange, limits } = exchangeWith(() => ({ status: 200, headers: {}, body: '' }));
    await clock.complete(exchange.send(GET, limits));
    expect(clock.pendingTasks).toBe(0);
  });

  it('refuses an answer above 8 MiB', async () => {
    const { exchange, failure, limits } = exchangeWith(() => ({
      status: 200,
      headers: {},
      body: 'x'.repeat(8 * 1024 * 1024 + 1),
    }));
    expect(await failure(exchange.send(GET, limits))).toMatchObject({
      code: 'bad_response',
      outcome: 'unknown',
    });
  });

  it('tells a lost connection from one that was never made', async () => {
    const { dispatcher, exchange, failure, limits } = exchangeWith(() => ({
      status: 200,
      headers: {},
      body: '',
      cut: true,
    }));
    expect(await failure(exchange.send(GET, limits))).toMatchObject({
      code: 'connection_lost',
      outcome: 'unknown',
    });
    dispatcher.unmount(ORIGIN);
    expect(await failure(exchange.send(GET, limits))).toMatchObject({
      code: 'connect_failed',
      outcome: 'unsent',
    });
  });

  it.each([
    ['ENOTFOUND', 'unsent'],
    ['UND_ERR_CONNECT_TIMEOUT', 'unsent'],
    ['CERT_HAS_EXPIRED', 'unsent'],
    ['ECONNRESET', 'unknown'],
    ['UND_ERR_SOCKET', 'unknown'],
    ['', 'unknown'],
  ])('a failure %j leaves the outcome %s', (code, outcome) => {
    const error = connectionError(Object.assign(new Error('m'), { code }));
    expect(error).toBeInstanceOf(ExchangeError);
    expect(error.outcome).toBe(outcome);
  });
});

describe('dump of an exchange for the log', () => {
  const mask = (key: string, value: unknown) => (key === 'password' ? '***' : value);

  it('masks what it is told to, in both bodies, and shows no header of the request', () => {
    const request: HttpRequest = { ...GET, method: 'POST', body: '{"password":"p1","a":1}' };
    const response = { status: 200, headers: { 'x-id': '7' }, text: '{"list":[{"password":"p2"}]}' };
    const text = JSON.stringify(exchangeDump(request, response, mask));
    expect(text).not.toMatch(/p1|p2|Bearer x/);
    expect(JSON.parse(text)).toMatchObject({
      request: `POST ${GET.url}`,
      requestBody: '{"password":"***","a":1}',
      status: 200,
      responseHeaders: { 'x-id': '7' },
      responseBody: '{"list":[{"password":"***"}]}',
    });
  });

  it('counts bytes that are not JSON, and cuts what is long', () => {
    const dump = (text: string) =>
      JSON.parse(JSON.stringify(exchangeDump(GET, { status: 200, headers: {}, text }, mask))) as Record<
        string,
        string
      >;
    expect(dump('<html>é')['responseBody']).toBe('<8 bytes that are not JSON>');
    expect(dump(JSON.stringify('x'.repeat(20_000)))['responseBody']).toHaveLength(16 * 1024 + 1);
    expect(JSON.parse(JSON.stringify(exchangeDump(GET, null, mask)))).toMatchObject({
      status: null,
      requestBody: null,
    });
  });
});
