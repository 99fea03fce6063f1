import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';
import type { RequestNumbers } from './request-numbers.js';

/** One request as it came, and what became of it. */
export interface RecordedCall {
  /** From 1 on; events name the request that caused them by it. */
  readonly number: number;
  readonly atMs: number;
  readonly method: string;
  /** Without the prefix `/v2`. */
  readonly path: string;
  readonly query: string;
  /** Without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Parsed body; undefined when there is none, or it is no JSON. */
  readonly json: unknown;
  /** Name of the key; null: an unknown one, or none. */
  readonly token: string | null;
  /** Null: not answered yet. 0: the connection was cut. */
  readonly status: number | null;
  readonly durationMs: number | null;
  /** The simulated API has no such endpoint. */
  readonly unimplemented: boolean;
}

export interface CallFilter {
  readonly method?: string;
  readonly path?: string | RegExp;
  readonly sinceMs?: number;
}

/** What the journal must be told. */
export interface JournalParts {
  readonly now: () => number;
  readonly numbers: RequestNumbers;
  readonly isImplemented: (method: string, path: string) => boolean;
  readonly tokenName: (request: FrontRequest) => string | null;
}

/** Requests remembered, at most; the oldest are forgotten. */
const CALLS_MAX = 10_000;
/** Characters remembered of a body. */
const BODY_MAX = 65_536;

type Entry = { -readonly [Field in keyof RecordedCall]: RecordedCall[Field] };

/** Remembers and numbers the requests that pass through. */
export class Journal implements Front {
  private entries: Entry[] = [];

  constructor(
    private readonly inner: Front,
    private readonly parts: JournalParts,
  ) {}

  async handle(request: FrontRequest): Promise<FrontResponse> {
    const entry = this.begin(request);
    const response = await this.inner.handle(request);
    entry.status = response.cut === true ? 0 : response.status;
    entry.durationMs = this.parts.now() - entry.atMs;
    return response;
  }

  calls({ method, path, sinceMs }: CallFilter = {}): readonly RecordedCall[] {
    return this.entries.filter(
      (entry) =>
        (method === undefined || entry.method === method) &&
        (sinceMs === undefined || entry.atMs >= sinceMs) &&
        (path === undefined || (typeof path === 'string' ? entry.path === path : path.test(entry.path))),
    );
  }

  private begin(request: FrontRequest): Entry {
    const { now, isImplemented, tokenName } = this.parts;
    const path = request.path.replace(/^\/v2(?=\/)/, '');
    const headers = withoutKey(request.headers);
    const number = this.parts.numbers.of(request);
    const entry: Entry = {
      ...{ number, atMs: now(), method: request.method, path, query: request.query.toString(), headers },
      ...{ body: request.body.slice(0, BODY_MAX), json: parsed(request.body), token: tokenName(request) },
      ...{ status: null, durationMs: null, unimplemented: !isImplemented(request.method, path) },
    };
    this.entries.push(entry);
    // In steps, since shifting one by one would move the whole list each time.
    if (this.entries.length > 1.1 * CALLS_MAX) this.entries = this.entries.slice(-CALLS_MAX);
    return entry;
  }
}

function withoutKey(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization'));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
