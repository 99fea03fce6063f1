import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the scheduler's message says of a node that passed all filters. */
export const FEASIBLE = 'node(s) passed all filters';

interface Asked {
  readonly Pod: { readonly metadata: { readonly uid: string } };
  readonly NodeNames: readonly string[] | null;
}

/**
 * A scheduler extender: the scheduler asks it about the nodes that passed all filters. It writes them down and refuses
 * them all, so that nothing is bound and the scheduler's message counts every node, whether feasible or not.
 */
export class FeasibilityExtender {
  private readonly feasible = new Map<string, readonly string[]>();

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<FeasibilityExtender> {
    const server = createServer();
    const extender = new FeasibilityExtender(server);
    server.on('request', (request: IncomingMessage, response) => {
      void readBody(request).then((body) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(extender.refuse(JSON.parse(body) as Asked)));
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return extender;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Nodes that passed for this pod at its last judgement; none where the scheduler had none to ask about. */
  take(podUid: string): readonly string[] {
    const names = this.feasible.get(podUid) ?? [];
    this.feasible.delete(podUid);
    return names;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private refuse({ Pod: pod, NodeNames: names }: Asked) {
    this.feasible.set(pod.metadata.uid, [...(names ?? [])].sort());
    return { NodeNames: [], FailedNodes: Object.fromEntries((names ?? []).map((name) => [name, FEASIBLE])) };
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
