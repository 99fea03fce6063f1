import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { DebuggingSnapshots, SnapshotAnswer } from '../../application/ports/debugging-snapshots.js';
import type { HealthProbe } from '../../application/ports/health.js';
import type { MetricsExposition } from '../../application/ports/metrics-exposition.js';

const compress = promisify(gzip);

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

export function answerNotFound(response: ServerResponse): void {
  send(response, 404, TEXT, '404 page not found\n');
}

export function answerHealth(response: ServerResponse, health: HealthProbe): void {
  const verdict = health.check();
  if (verdict.healthy) send(response, 200, TEXT, 'OK');
  else send(response, 500, TEXT, verdict.reason);
}

export async function answerMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  metrics: MetricsExposition,
  startMs: number,
): Promise<void> {
  const { contentType, text } = await metrics.render();
  response.setHeader('Process-Start-Time-Unix', Math.floor(startMs / 1_000).toString());
  if (!acceptsGzip(request)) {
    send(response, 200, contentType, text);
    return;
  }
  const body = await compress(text);
  response.setHeader('Content-Encoding', 'gzip');
  send(response, 200, contentType, body);
}

/** `gzip` with a quality above 0. */
function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = (request.headers['accept-encoding'] ?? '').toLowerCase();
  return accepted
    .split(',')
    .map((part) => part.trim().split(';'))
    .some(([coding, quality]) => coding?.trim() === 'gzip' && !/^\s*q=0(\.0*)?\s*$/u.test(quality ?? ''));
}

const BUSY = 'Another debugging snapshot request is being processed. Concurrent requests not supported';

/** Holds the request until the next loop has collected. */
export async function answerSnapshot(response: ServerResponse, snapshots: DebuggingSnapshots): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answer: SnapshotAnswer = await snapshots.request(gone.signal);
  switch (answer.kind) {
    case 'collected':
      return send(response, 200, JSON_TYPE, JSON.stringify(answer.body));
    case 'nothing-collected':
      return send(response, 500, JSON_TYPE, JSON.stringify(answer.body));
    case 'busy':
      return send(response, 429, TEXT, BUSY);
    case 'abandoned':
      return send(response, 503, TEXT, 'the snapshot was abandoned\n');
  }
}

const PROFILING_NOTICE = `Profiles in Go's format are not offered. Node.js writes its own:
CPU: start with NODE_OPTIONS=--cpu-prof --cpu-prof-dir=/tmp
heap: start with NODE_OPTIONS=--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=/tmp and send SIGUSR2
`;

/** `below` is the path behind `/debug/pprof`. */
export function answerProfiling(response: ServerResponse, below: string): void {
  if (below === '') {
    response.setHeader('Location', '/debug/pprof/');
    send(response, 302, TEXT, '');
  } else if (below === '/') {
    send(response, 200, TEXT, PROFILING_NOTICE);
  } else {
    send(response, 404, TEXT, PROFILING_NOTICE);
  }
}

function send(response: ServerResponse, status: number, contentType: string, body: string | Buffer): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
