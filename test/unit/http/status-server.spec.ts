import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { parseListenAddress } from '../../../src/adapters/http/listen-address.js';
import { StatusServer } from '../../../src/adapters/http/index.js';
import type {
  DebuggingSnapshots,
  SnapshotAnswer,
} from '../../../src/application/ports/debugging-snapshots.js';
import type { HealthVerdict } from '../../../src/application/ports/health.js';
import type { Logger } from '../../../src/application/ports/logger.js';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Real sockets on a free port, as probes and scrapers use them. */
async function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

class FakeSnapshots implements DebuggingSnapshots {
  readonly signals: AbortSignal[] = [];
  answer: SnapshotAnswer = { kind: 'busy' };

  request(signal: AbortSignal): Promise<SnapshotAnswer> {
    this.signals.push(signal);
    return Promise.resolve(this.answer);
  }
}

describe('HTTP server', () => {
  let server: StatusServer | null = null;
  let verdict: HealthVerdict = { healthy: true };
  const snapshots = new FakeSnapshots();

  async function start(
    settings: { profiling?: boolean; debuggingSnapshots?: boolean } = {},
  ): Promise<number> {
    server = new StatusServer(
      { address: '127.0.0.1:0', profiling: false, debuggingSnapshots: false, ...settings },
      { check: () => verdict },
      {
        showAutoscalerSeries: () => undefined,
        render: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', text: 'up 1\n' }),
      },
      snapshots,
      silent,
    );
    return server.start();
  }

  afterEach(async () => {
    verdict = { healthy: true };
    await server?.stop();
    server = null;
  });

  it('answers health', async () => {
    const port = await start();
    expect(await ask(port, '/health-check')).toMatchObject({ status: 200, body: Buffer.from('OK') });
    verdict = { healthy: false, reason: 'Error: last activity more 10m0s ago' };
    const ill = await ask(port, '/health-check?verbose', {}, 'POST');
    expect([ill.status, ill.body.toString()]).toEqual([500, 'Error: last activity more 10m0s ago']);
  });

  it('serves metrics with the start of the process, zipped for those who accept it', async () => {
    const port = await start();
    const plain = await ask(port, '/metrics', { 'accept-encoding': 'gzip;q=0, identity' });
    expect(plain).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/plain; version=0.0.4',
        'process-start-time-unix': expect.stringMatching(/^\d{10}$/u),
      },
      body: Buffer.from('up 1\n'),
    });
    const zipped = await ask(port, '/metrics', { 'accept-encoding': 'deflate, gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.body).toString()).toBe('up 1\n');
  });

  // interface 9/28
  it('knows neither snapshots nor profiling unless they are enabled, nor other paths', async () => {
    const port = await start();
    for (const path of ['/', '/snapshotz', '/debug/pprof', '/debug/pprof/', '/healthz', '/metrics/']) {
      expect({ path, status: (await ask(port, path)).status }).toEqual({ path, status: 404 });
    }
  });

  // interface 9/28
  it.each<[SnapshotAnswer, number, string]>([
    [{ kind: 'collected', body: { NodeList: [] } }, 200, '{"NodeList":[]}'],
    [{ kind: 'nothing-collected', body: { Error: 'x' } }, 500, '{"Error":"x"}'],
    [
      { kind: 'busy' },
      429,
      'Another debugging snapshot request is being processed. Concurrent requests not supported',
    ],
    [{ kind: 'abandoned' }, 503, 'the snapshot was abandoned\n'],
  ])('answers a snapshot that is %j with %i', async (answer, status, body) => {
    const port = await start({ debuggingSnapshots: true });
    snapshots.answer = answer;
    const answered = await ask(port, '/snapshotz');
    expect([answered.status, answered.body.toString()]).toEqual([status, body]);
  });

  it('says where profiles come from', async () => {
    const port = await start({ profiling: true });
    const redirect = await ask(port, '/debug/pprof');
    expect([redirect.status, redirect.headers.location]).toEqual([302, '/debug/pprof/']);
    expect((await ask(port, '/debug/pprof/')).body.toString()).toContain('--cpu-prof');
    expect((await ask(port, '/debug/pprof/heap')).status).toBe(404);
  });

  it('explains why it can not listen', async () => {
    const port = await start();
    const second = new StatusServer(
      { address: `127.0.0.1:${port}`, profiling: false, debuggingSnapshots: false },
      { check: () => verdict },
      { showAutoscalerSeries: () => undefined, render: () => Promise.reject(new Error('unused')) },
      snapshots,
      silent,
    );
    await expect(second.start()).rejects.toThrow(
      `--address is "127.0.0.1:${port}": another process listens there; choose another address`,
    );
    await expect(second.stop()).resolves.toBeUndefined();
  });
});

describe('listen addresses', () => {
  it.each([
    [':8085', { host: null, port: 8085 }],
    ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:8085', { host: '::1', port: 8085 }],
  ])('%s', (text, address) => {
    expect(parseListenAddress(text)).toEqual(address);
  });

  it.each(['', '8085', 'localhost', '::1:8085', ':http', ':70000'])('%j is refused', (text) => {
    expect(() => parseListenAddress(text)).toThrow('--address');
  });
});
