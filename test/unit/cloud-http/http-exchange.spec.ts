import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExchangeError, HttpExchange, exchangeDump } from '../../../src/adapters/cloud-http/index.js';
import type { HttpRequest } from '../../../src/adapters/cloud-http/index.js';
import { connectionError } from '../../../src/adapters/cloud-http/exchange-error.js';
import { DEFAULT_LOGGING, SecretRegistry, createLogger } from '../../../src/adapters/logging/index.js';
import { InProcessDispatcher } from '../../../src/sandbox/http/in-process-dispatcher.js';
import type { FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
  version: string;
};
const ORIGIN = 'https://api.example';
const GET: HttpRequest = {
  method: 'GET',
  url: `${ORIGIN}/things?a=1`,
  token: 'token-of-this-request',
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
          authorization: `Bearer ${GET.token}`,
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': `evenkeel/${version}`,
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

  it('asks for plain bytes, and refuses others instead of showing them', async () => {
    const { exchange, failure, limits, requests } = exchangeWith(() => ({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: '\u001f\u008b',
    }));
    expect(await failure(exchange.send(GET, limits))).toMatchObject({
      code: 'bad_response',
      outcome: 'unknown',
      message: 'the answer is encoded as gzip, which was not asked for',
    });
    expect(requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it.each([
    ['as it is', (token: string) => token],
    ['in JSON', (token: string) => JSON.stringify(token)],
    ['in JSON of PHP', (token: string) => JSON.stringify(token).replaceAll('/', '\\/')],
  ])('takes the token out of an answer that repeats it %s', async (_, form) => {
    const token = 'abc/"defgh';
    const { clock, exchange, limits } = exchangeWith(() => ({
      status: 400,
      headers: { 'x-seen': `Bearer ${form(token)}` },
      body: `bad header ${form(token)}`,
    }));
    const response = await clock.complete(exchange.send({ ...GET, token }, limits));
    expect(JSON.stringify(response)).not.toMatch(/defgh/);
    expect(response.text).toMatch(/^bad header "?\(secret\)"?$/);
  });

  it('leaves an answer alone where the token is too short to be one', async () => {
    const { clock, exchange, limits } = exchangeWith(() => ({
      status: 200,
      headers: {},
      body: '{"status":1}',
    }));
    const response = await clock.complete(exchange.send({ ...GET, token: 'status' }, limits));
    expect(response.text).toBe('{"status":1}');
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

  const systemError = (code: string, syscall: string) =>
    Object.assign(new Error(`${syscall} ${code} 192.0.2.1:443`), { code, syscall });

  // A route can be lost before the connection or in the middle of an exchange.
  it.each([
    ['EHOSTUNREACH', 'connect', 'unsent'],
    ['ENETUNREACH', 'connect', 'unsent'],
    ['ETIMEDOUT', 'connect', 'unsent'],
    ['EHOSTUNREACH', 'read', 'unknown'],
    ['ETIMEDOUT', 'read', 'unknown'],
  ])('a failure %s of %s leaves the outcome %s', (code, syscall, outcome) => {
    expect(connectionError(systemError(code, syscall)).outcome).toBe(outcome);
  });

  it('names the addresses where a host has several and none answers', () => {
    const causes = [systemError('ETIMEDOUT', 'connect'), systemError('ECONNREFUSED', 'connect')];
    const error = Object.assign(new AggregateError(causes), { code: 'ETIMEDOUT' });
    expect(connectionError(error)).toMatchObject({
      code: 'connect_failed',
      outcome: 'unsent',
      message:
        'the API cannot be reached: connect ETIMEDOUT 192.0.2.1:443, connect ECONNREFUSED 192.0.2.1:443',
    });
  });
});

describe('dump of an exchange for the log', () => {
  const mask = (key: string, value: unknown) => (key === 'password' ? '***' : value);

  it('masks what it is told to, in both bodies, and shows no header of the request', () => {
    const request: HttpRequest = { ...GET, method: 'POST', body: '{"password":"p1","a":1}' };
    const response = { status: 200, headers: { 'x-id': '7' }, text: '{"list":[{"password":"p2"}]}' };
    const text = JSON.stringify(exchangeDump(request, response, mask));
    expect(text).not.toMatch(/p1|p2|token-of/);
    expect(JSON.parse(text)).toMatchObject({
      request: `POST ${GET.url}`,
      requestBody: '{"password":"***","a":1}',
      status: 200,
      responseHeaders: { 'x-id': '7' },
      responseBody: '{"list":[{"password":"***"}]}',
    });
  });

  it('shows no cookie', () => {
    const headers = { 'set-cookie': ['PHPSESSID=abcdef'], server: 'nginx' };
    const text = JSON.stringify(exchangeDump(GET, { status: 200, headers, text: '' }, mask));
    expect(text).not.toContain('abcdef');
    expect(text).toContain('nginx');
  });

  // hetzner 3.12
  it('is written by the real log, and rendered for nobody else', () => {
    const lines: string[] = [];
    let rendered = 0;
    const seen = (key: string, value: unknown) => {
      rendered++;
      return mask(key, value);
    };
    for (const verbosity of [4, 5]) {
      const destination = { write: (line: string): void => void lines.push(line) };
      const settings = { ...DEFAULT_LOGGING, format: 'json' as const, verbosity };
      const logger = createLogger(settings, new VirtualClock(), new SecretRegistry(), destination);
      const exchange = exchangeDump(GET, { status: 200, headers: {}, text: '{"a":"b"}' }, seen);
      logger.debug('exchange', 'GET', { v: 5, exchange });
      expect(rendered).toBe(verbosity === 4 ? 0 : 2);
    }
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ exchange: { status: 200, responseBody: '{"a":"b"}' } });
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
