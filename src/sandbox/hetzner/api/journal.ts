import { createHash } from 'node:crypto';
import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';

/** One request as it came, and what became of it. */
export interface RecordedCall {
  readonly atMs: number;
  readonly method: string;
  /** Without the prefix `/v1`. */
  readonly path: string;
  readonly query: string;
  /** The token is replaced by a hash. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Null: not answered yet. 0: the connection was cut. */
  readonly status: number | null;
  readonly errorCode: string | null;
  readonly durationMs: number | null;
  /** The simulated API has no such endpoint. */
  readonly unimplemented: boolean;
}

export interface CallFilter {
  readonly method?: string;
  readonly path?: string | RegExp;
  readonly sinceMs?: number;
}

/** Requests remembered, at most; the oldest are forgotten. */
const CALLS_MAX = 10_000;
/** Characters remembered of a body. */
const BODY_MAX = 65_536;
const HASH_DIGITS = 12;

type Entry = { -readonly [Field in keyof RecordedCall]: RecordedCall[Field] };

/** Remembers the requests that pass through. */
export class Journal implements Front {
  private entries: Entry[] = [];

  constructor(
    private readonly inner: Front,
    private readonly now: () => number,
    private readonly isImplemented: (path: string) => boolean,
  ) {}

  async handle(request: FrontRequest): Promise<FrontResponse> {
    const entry = this.begin(request);
    const response = await this.inner.handle(request);
    entry.status = response.cut === true ? 0 : response.status;
    entry.errorCode = errorCodeOf(response);
    entry.durationMs = this.now() - entry.atMs;
    return response;
  }

  calls(filter: CallFilter = {}): readonly RecordedCall[] {
    const { method, path, sinceMs } = filter;
    return this.entries.filter(
      (entry) =>
        (method === undefined || entry.method === method) &&
        (sinceMs === undefined || entry.atMs >= sinceMs) &&
        (path === undefined || (typeof path === 'string' ? entry.path === path : path.test(entry.path))),
    );
  }

  clear(): void {
    this.entries = [];
  }

  private begin(request: FrontRequest): Entry {
    const path = request.path.replace(/^\/v1(?=\/)/, '');
    const entry: Entry = {
      atMs: this.now(),
      method: request.method,
      path,
      query: request.query.toString(),
      headers: withoutToken(request.headers),
      body: request.body.slice(0, BODY_MAX),
      status: null,
      errorCode: null,
      durationMs: null,
      unimplemented: !this.isImplemented(path),
    };
    this.entries.push(entry);
    // In steps, since shifting one by one would move the whole list each time.
    if (this.entries.length > 1.1 * CALLS_MAX) this.entries = this.entries.slice(-CALLS_MAX);
    return entry;
  }
}

function withoutToken(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { authorization } = headers;
  if (authorization === undefined) return headers;
  const hash = createHash('sha256').update(authorization).digest('hex').slice(0, HASH_DIGITS);
  return { ...headers, authorization: `sha256:${hash}` };
}

function errorCodeOf(response: FrontResponse): string | null {
  if (response.status < 400 || typeof response.body !== 'string') return null;
  try {
    const body = JSON.parse(response.body) as { readonly error?: { readonly code?: string } };
    return body.error?.code ?? null;
  } catch {
    return null;
  }
}
