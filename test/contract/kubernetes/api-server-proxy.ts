import { request } from 'undici';
import type { Dispatcher } from 'undici';
import type { Front, FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';
import type { VirtualClock } from '../../../src/sandbox/world/virtual-clock.js';
import type { ApiServerAccess } from './real-api-server.js';

/** Real time that news of a write may need to come out of all watches; virtual time waits for so long. */
const NEWS_MS = 100;

interface KubeJson {
  readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
  readonly [field: string]: any;
}

/**
 * Stands between an adapter under virtual time and a real API server: forwards its requests, holds time while the
 * server works, and does to answers and watches what faults do.
 */
export class ApiServerProxy implements Front {
  down = false;
  duplicates = 0;
  /** User agents whose requests fail. */
  readonly failing = new Set<string>();
  /** Done before a write of the adapter is forwarded. */
  beforeWrite: (request: FrontRequest) => Promise<void> = () => Promise.resolve();
  /** Changes every object that passes on its way to the adapter. */
  distort: (object: KubeJson) => KubeJson = (object) => object;
  requestCount = 0;
  writeCount = 0;
  private readonly watches = new Set<ProxiedWatch>();
  /** Watches that resume at or before it are told that their version is gone. */
  private expiredUpTo = 0;
  private lastSeenVersion = 0;

  constructor(
    private readonly server: ApiServerAccess,
    private readonly clock: VirtualClock,
  ) {}

  async handle(incoming: FrontRequest): Promise<FrontResponse> {
    this.requestCount++;
    if (this.down) return { status: 0, headers: {}, body: '', cut: true };
    if (this.failing.has(incoming.headers['user-agent'] ?? '')) {
      return { status: 500, headers: {}, body: 'broken' };
    }
    const release = this.clock.hold();
    try {
      if (incoming.method === 'GET') {
        return incoming.query.get('watch') === null
          ? await this.forward(incoming)
          : await this.watch(incoming);
      }
      this.writeCount++;
      await this.beforeWrite(incoming);
      return await this.forward(incoming);
    } finally {
      this.releaseLater(release, incoming.method);
    }
  }

  /** A request of the test itself, past all faults. Virtual time waits for its consequences. */
  async ask(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<KubeJson> {
    const release = this.clock.hold();
    const { statusCode, body: answer } = await request(this.server.url + path, {
      method,
      dispatcher: this.server.dispatcher,
      headers: { ...this.authorization(), 'content-type': type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as KubeJson;
    this.releaseLater(release, method);
    if (statusCode >= 300 && statusCode !== 404)
      throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
    return statusCode === 404 ? {} : json;
  }

  cutWatches(): void {
    for (const watch of [...this.watches]) watch.cut();
  }

  silenceWatches(): void {
    for (const watch of this.watches) watch.silence();
  }

  expireWatches(): void {
    this.expiredUpTo = this.lastSeenVersion;
    for (const watch of [...this.watches]) watch.expire();
  }

  private releaseLater(release: () => void, method: string): void {
    if (method === 'GET' || this.watches.size === 0) release();
    else setTimeout(release, NEWS_MS);
  }

  private authorization(): Record<string, string> {
    return this.server.token === undefined ? {} : { authorization: `Bearer ${this.server.token}` };
  }

  private send(incoming: FrontRequest): Promise<Dispatcher.ResponseData> {
    const query = incoming.query.size === 0 ? '' : `?${incoming.query.toString()}`;
    return request(`${this.server.url}${incoming.path}${query}`, {
      method: incoming.method,
      dispatcher: this.server.dispatcher,
      headers: { ...this.authorization(), ...passedOn(incoming.headers) },
      ...(incoming.body === '' ? {} : { body: incoming.body }),
      signal: incoming.signal,
      bodyTimeout: 0,
    });
  }

  private async forward(incoming: FrontRequest): Promise<FrontResponse> {
    const { statusCode, headers, body } = await this.send(incoming);
    const text = await body.text();
    const json: KubeJson = JSON.parse(text);
    this.see(json);
    const items = (json['items'] as KubeJson[] | undefined)?.map((item) => this.distort(item));
    const answer = items === undefined ? this.distort(json) : { ...json, items };
    const type = String(headers['content-type'] ?? '');
    return { status: statusCode, headers: { 'content-type': type }, body: JSON.stringify(answer) };
  }

  private see({ metadata }: KubeJson): void {
    const version = Number(metadata?.resourceVersion ?? 0);
    if (version > this.lastSeenVersion) this.lastSeenVersion = version;
  }

  private async watch(incoming: FrontRequest): Promise<FrontResponse> {
    const from = Number(incoming.query.get('resourceVersion') ?? 0);
    const { statusCode, body } = await this.send(incoming);
    if (statusCode !== 200) {
      return { status: statusCode, headers: { 'content-type': 'application/json' }, body: await body.text() };
    }
    const watch = new ProxiedWatch(
      body,
      () => this.watches.delete(watch),
      (line) => this.pass(line),
    );
    this.watches.add(watch);
    if (from !== 0 && from <= this.expiredUpTo) watch.expire();
    return { status: 200, headers: { 'content-type': 'application/json' }, body: watch };
  }

  /** The lines that the adapter gets for one line of the server. */
  private pass(line: string): string[] {
    const event = JSON.parse(line) as { type: string; object: KubeJson };
    this.see(event.object);
    const passed = JSON.stringify({ ...event, object: this.distort(event.object) });
    const times = event.type === 'BOOKMARK' ? 1 : 1 + this.duplicates;
    return Array.from({ length: times }, () => `${passed}\n`);
  }
}

/** Headers that are the connection's own stay behind. */
function passedOn(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = [
    'host',
    'connection',
    'content-length',
    'transfer-encoding',
    'authorization',
    'accept-encoding',
  ];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
}

const GONE = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'Expired',
  code: 410,
};

/** One open watch, line by line, until somebody ends it. */
class ProxiedWatch implements AsyncIterable<string> {
  private readonly lines: string[] = [];
  private state: 'open' | 'ended' | 'cut' = 'open';
  private silent = false;
  private wake: (() => void) | null = null;

  constructor(
    private readonly source: Dispatcher.ResponseData['body'],
    private readonly onEnd: () => void,
    pass: (line: string) => string[],
  ) {
    void this.read(pass);
  }

  cut(): void {
    this.finish('cut');
  }

  silence(): void {
    this.silent = true;
  }

  expire(): void {
    this.lines.push(`${JSON.stringify({ type: 'ERROR', object: GONE })}\n`);
    this.finish('ended');
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: () => this.next(),
      return: () => {
        this.finish('ended');
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  private async next(): Promise<IteratorResult<string>> {
    for (;;) {
      if (this.state === 'cut') throw new Error('watch cut off');
      const line = this.lines.shift();
      if (line !== undefined) return { done: false, value: line };
      if (this.state === 'ended') return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private async read(pass: (line: string) => string[]): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of this.source) {
        const parts = (rest + String(chunk)).split('\n');
        rest = parts.pop()!;
        const lines = parts.filter((part) => part !== '').flatMap(pass);
        if (this.silent || this.state !== 'open') continue;
        this.lines.push(...lines);
        this.stir();
      }
      if (!this.silent) this.finish('ended');
    } catch {
      // Ended from this side, or the server broke off.
      if (!this.silent) this.finish('cut');
    }
  }

  private finish(state: 'ended' | 'cut'): void {
    if (this.state !== 'open') return;
    this.state = state;
    this.onEnd();
    this.source.destroy();
    this.stir();
  }

  private stir(): void {
    const { wake } = this;
    this.wake = null;
    wake?.();
  }
}
