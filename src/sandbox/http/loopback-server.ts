import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isProtobuf } from '../world/front.js';
import type { Front, FrontRequest, FrontResponse } from '../world/front.js';
import { addHeader, frontRequest } from './front-request.js';
import { untilAborted } from './until-aborted.js';

const LOOPBACK = '127.0.0.1';

/** Serves one front over HTTP, on the loopback interface only. */
export class LoopbackServer {
  private readonly departures = new Set<AbortController>();

  private constructor(
    private readonly server: Server,
    private readonly front: Front,
    readonly port: number,
  ) {
    server.on('request', (incoming, outgoing) => void this.serve(incoming, outgoing));
  }

  /** Listens on the port, or on a free one. Rejects when the port is taken. */
  static async listen(front: Front, port = 0): Promise<LoopbackServer> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, LOOPBACK, () => {
        server.off('error', reject);
        resolve();
      });
    });
    return new LoopbackServer(server, front, (server.address() as AddressInfo).port);
  }

  /** `http://127.0.0.1:<port>`. */
  get origin(): string {
    return `http://${LOOPBACK}:${this.port}`;
  }

  /** Stops listening and ends all connections, also those of watches. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
    for (const departure of this.departures) departure.abort(new Error('the server stops'));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const departure = new AbortController();
    this.departures.add(departure);
    outgoing.on('close', () => {
      this.departures.delete(departure);
      departure.abort(new Error('the client left'));
    });
    try {
      const response = await this.front.handle(await readRequest(incoming, departure.signal));
      if (response.cut === true) outgoing.destroy();
      else await send(response, outgoing, departure.signal);
    } catch (error) {
      // Too late for an answer, or the front broke: the client sees a connection that ended.
      outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

async function readRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<FrontRequest> {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    addHeader(headers, incoming.rawHeaders[index]!, incoming.rawHeaders[index + 1]!);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const head = { method: incoming.method ?? 'GET', target: incoming.url ?? '/', headers };
  const body = Buffer.concat(chunks).toString(isProtobuf(headers) ? 'latin1' : 'utf8');
  return frontRequest(head, body, signal);
}

async function send(response: FrontResponse, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  outgoing.writeHead(response.status, response.headers);
  if (typeof response.body === 'string') {
    outgoing.end(response.body);
    return;
  }
  outgoing.flushHeaders();
  for await (const chunk of untilAborted(response.body, signal)) {
    if (!outgoing.write(chunk)) await drained(outgoing);
  }
  outgoing.end();
}

/** Settles once the client takes more, or is gone. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}
