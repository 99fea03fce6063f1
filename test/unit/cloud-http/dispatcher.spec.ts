import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import { inspect } from 'node:util';
import type { Dispatcher } from 'undici';
import { HttpExchange, createCloudDispatcher } from '../../../src/adapters/cloud-http/index.js';
import { ConfigurationError } from '../../../src/application/ports/configuration.js';
import { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';

/* Real sockets on loopback: what undici does is the subject here. */

const TOKEN = 'never-show-this-key';
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listening(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

function send(dispatcher: Dispatcher, url: string, timeoutMs = 30_000, clock = new VirtualClock()) {
  const { signal } = new AbortController();
  const request = { method: 'GET', url, token: TOKEN, body: null } as const;
  return new HttpExchange(dispatcher, clock).send(request, { signal, timeoutMs });
}

function dispatcherFor(proxy: string | null): Dispatcher {
  const dispatcher = createCloudDispatcher(2, proxy);
  closing.push(() => dispatcher.destroy());
  return dispatcher;
}

/** A server of raw bytes: it answers what the request is turned into, then closes. */
function rawService(answer: (request: string) => string | null): Promise<number> {
  const sockets = new Set<Socket>();
  closing.push(() => Promise.resolve(sockets.forEach((socket) => socket.destroy())));
  return listening(
    createTcpServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const text = answer(data.toString());
        if (text !== null) socket.end(text);
      });
    }),
  );
}

describe('connections to a cloud', () => {
  it('go through the proxy', async () => {
    const service = await listening(createServer((request, response) => response.end(request.headers.host)));
    const tunnels: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket: Socket) => {
      tunnels.push(`${request.url} ${request.headers['proxy-authorization']}`);
      const upstream = connect(service, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
    });
    const port = await listening(proxy);
    const dispatcher = dispatcherFor(`http://user:word@127.0.0.1:${port}`);
    expect(await send(dispatcher, 'http://api.example/v1')).toMatchObject({
      status: 200,
      text: 'api.example',
    });
    expect(tunnels).toEqual([`api.example:80 Basic ${Buffer.from('user:word').toString('base64')}`]);
  });

  it.each(['ftp://user:word@proxy:1', 'http://user:word@', '%%word', 'http://word:x'])(
    'are not made through %s',
    (proxy) => {
      let thrown: unknown;
      try {
        createCloudDispatcher(2, proxy);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(ConfigurationError);
      expect(inspect(thrown)).not.toContain('word');
    },
  );

  const echo = (request: string): string => /authorization: (.*)\r/iu.exec(request)![1]!;

  it.each<[string, (request: string) => string | null]>([
    ['is malformed', (request) => `HTTP/1.1 200 OK\r\nx y: ${echo(request)}\r\n\r\n`],
    ['is no HTTP', (request) => `${echo(request)}\r\n\r\n`],
    ['ends early', (request) => `HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n${echo(request)}`],
    ['is no answer', () => ''],
    ['is encoded', (request) => `HTTP/1.1 200 OK\r\ncontent-encoding: x\r\n\r\n${echo(request)}`],
    ['is too long', () => `HTTP/1.1 200 OK\r\n\r\n${TOKEN}${'x'.repeat(9 * 1024 * 1024)}`],
    ['does not come', () => null],
  ])('fail without the token in any part of the error where the answer %s', async (what, answer) => {
    const port = await rawService(answer);
    const clock = new VirtualClock();
    const work = send(dispatcherFor(null), `http://127.0.0.1:${port}/v1`, 5_000, clock).then(
      () => null,
      (error: unknown) => error,
    );
    if (what === 'does not come') await clock.advance(5_000);
    const error = await work;
    expect(error).toMatchObject({ name: 'ExchangeError', outcome: 'unknown' });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(TOKEN);
  });

  it('are never made where nobody listens', async () => {
    const port = await listening(createServer());
    await closing.pop()!();
    expect(
      await send(dispatcherFor(null), `http://localhost:${port}/`).catch((error: unknown) => error),
    ).toMatchObject({
      code: 'connect_failed',
      outcome: 'unsent',
      message: expect.stringMatching(/connect ECONNREFUSED/),
    });
  });
});
