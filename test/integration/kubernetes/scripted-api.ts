import type { Front, FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';

const JSON_HEADERS = { 'content-type': 'application/json' };

/** What the API says about pods; every other resource is empty and quiet. For faults that a real server hides well. */
export interface PodScript {
  list(request: FrontRequest): FrontResponse;
  watch(request: FrontRequest): FrontResponse;
}

export class ScriptedApi implements Front {
  /** Requests for pods, oldest first, as `list` or `watch <version>`. */
  readonly asked: string[] = [];

  constructor(private readonly pods: PodScript) {}

  handle(request: FrontRequest): Promise<FrontResponse> {
    const isWatch = request.query.get('watch') === 'true';
    if (!request.path.endsWith('/pods'))
      return Promise.resolve(isWatch ? open([], request) : listOf([], '1'));
    this.asked.push(isWatch ? `watch ${request.query.get('resourceVersion') ?? ''}` : 'list');
    return Promise.resolve(isWatch ? this.pods.watch(request) : this.pods.list(request));
  }
}

export function listOf(items: readonly unknown[], resourceVersion: string): FrontResponse {
  const body = JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: { resourceVersion }, items });
  return { status: 200, headers: JSON_HEADERS, body };
}

export function line(type: string, object: unknown): string {
  return `${JSON.stringify({ type, object })}\n`;
}

/** A watch that says its lines and then stays open until the client leaves. */
export function open(lines: readonly string[], request: FrontRequest): FrontResponse {
  return { status: 200, headers: JSON_HEADERS, body: thenWait(lines, request.signal) };
}

/** A watch that says its lines and ends. */
export function ended(lines: readonly string[]): FrontResponse {
  return { status: 200, headers: JSON_HEADERS, body: lines.join('') };
}

async function* thenWait(lines: readonly string[], signal: AbortSignal): AsyncGenerator<string> {
  yield* lines;
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
