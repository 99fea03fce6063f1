import type { Front, FrontRequest, FrontResponse } from '../../../src/sandbox/world/front.js';
import type { WorldClock } from '../../../src/sandbox/world/world-clock.js';

/** `list`: machines; `read`: anything else that changes nothing; `write`: what is neither order nor release. */
export type RequestKind = 'list' | 'read' | 'order' | 'release' | 'write';

/** What happens to a request on its way. */
export type Trouble =
  /** The cloud's error of this name, in place of its work. */
  | { readonly kind: 'refused'; readonly error: string; readonly retryAfterMs?: number }
  /** The connection ends before or after the cloud did its work. */
  | { readonly kind: 'cut-before' | 'cut-after' }
  /** Nobody listens there. */
  | { readonly kind: 'no-connection' }
  /** The cloud's certificate has expired. */
  | { readonly kind: 'bad-certificate' }
  /** Never answered. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'late'; readonly ms: number }
  /** A list as it was answered the last time before the trouble; the cloud is not asked. */
  | { readonly kind: 'stale' }
  /** The cloud does its work, and something else arrives. */
  | { readonly kind: 'changed'; readonly change: (body: string) => string };

export interface WireOptions {
  readonly kindOf: (request: FrontRequest) => RequestKind;
  /** The answer with which this cloud reports an error of this name. */
  readonly refusal: (error: string, retryAfterMs?: number) => FrontResponse;
}

interface ArmedTrouble {
  readonly match: RequestKind | 'any';
  readonly trouble: Trouble;
  times: number;
}

export interface SeenRequest {
  readonly atMs: number;
  readonly kind: RequestKind;
}

/** Requests remembered; counts go on beyond. */
const SEEN_MAX = 10_000;
/** Answers remembered: pages of the longest list that a rule needs, and more. */
const LISTS_MAX = 100;
const CUT: FrontResponse = { status: 0, headers: {}, body: '', cut: true };

/** The network between adapters and one fake cloud: it counts what passes, and makes trouble. */
export class Wire {
  private troubles: ArmedTrouble[] = [];
  private readonly requests: SeenRequest[] = [];
  private readonly count = { reads: 0, writes: 0 };
  /** Latest answer to each list, or page of one. */
  private readonly lists = new Map<string, FrontResponse>();
  private onNextList: (() => void) | null = null;

  constructor(
    private readonly cloud: Front,
    private readonly clock: WorldClock,
    private readonly options: WireOptions,
  ) {}

  /** The next requests of this kind meet with trouble. */
  failNext(match: RequestKind | 'any', trouble: Trouble, times = 1): void {
    this.troubles.push({ match, trouble, times });
  }

  /** Until mended: every request of this kind meets with trouble. */
  fail(match: RequestKind | 'any', trouble: Trouble): void {
    this.failNext(match, trouble, Infinity);
  }

  /** Ends all trouble. */
  mend(): void {
    this.troubles = [];
  }

  /** Something happens just after the next list, or page of a list, was read. */
  afterNextList(change: () => void): void {
    this.onNextList = change;
  }

  calls(): { readonly reads: number; readonly writes: number } {
    return { ...this.count };
  }

  /** The latest requests, oldest first. */
  seen(): readonly SeenRequest[] {
    return this.requests;
  }

  async handle(request: FrontRequest): Promise<FrontResponse> {
    const kind = this.options.kindOf(request);
    this.note(kind);
    const response = await this.carry(request, kind);
    if (kind === 'list' && this.onNextList !== null) {
      const change = this.onNextList;
      this.onNextList = null;
      change();
    }
    return response;
  }

  private note(kind: RequestKind): void {
    this.count[kind === 'list' || kind === 'read' ? 'reads' : 'writes']++;
    this.requests.push({ atMs: this.clock.now(), kind });
    if (this.requests.length > SEEN_MAX) this.requests.shift();
  }

  private async carry(request: FrontRequest, kind: RequestKind): Promise<FrontResponse> {
    const trouble = this.takeTrouble(kind);
    switch (trouble?.kind) {
      case undefined:
        return this.ask(request, kind);
      case 'refused':
        return this.options.refusal(trouble.error, trouble.retryAfterMs);
      case 'cut-before':
        return CUT;
      case 'cut-after':
        await this.cloud.handle(request);
        return CUT;
      case 'no-connection':
        throw connectionError('ECONNREFUSED', 'connect ECONNREFUSED');
      case 'bad-certificate':
        throw connectionError('CERT_HAS_EXPIRED', 'certificate has expired');
      case 'silence':
        await untilGone(request.signal);
        return CUT;
      case 'late':
        await this.clock.sleep(trouble.ms, request.signal);
        return this.cloud.handle(request);
      case 'stale':
        return this.lists.get(addressOf(request)) ?? this.ask(request, kind);
      case 'changed':
        return changed(await this.cloud.handle(request), trouble.change);
    }
  }

  private async ask(request: FrontRequest, kind: RequestKind): Promise<FrontResponse> {
    const response = await this.cloud.handle(request);
    if (kind === 'list' && this.lists.size < LISTS_MAX) this.lists.set(addressOf(request), response);
    return response;
  }

  private takeTrouble(kind: RequestKind): Trouble | undefined {
    const armed = this.troubles.find(({ match, times }) => times > 0 && (match === 'any' || match === kind));
    if (armed !== undefined) armed.times--;
    return armed?.trouble;
  }
}

/** The connection of one process to the wire. */
export class Line implements Front {
  private left = Infinity;
  private underWay = 0;

  constructor(private readonly wire: Wire) {}

  /** Requests that wait for an answer. */
  get open(): number {
    return this.underWay;
  }

  /** The process dies: of so many more requests the last is carried out and its answer lost, none gets through then. */
  dieAfter(requests: number): void {
    this.left = requests;
  }

  async handle(request: FrontRequest): Promise<FrontResponse> {
    if (this.left <= 0) return CUT;
    this.left--;
    this.underWay++;
    try {
      const response = await this.wire.handle(request);
      return this.left <= 0 ? CUT : response;
    } finally {
      this.underWay--;
    }
  }
}

function addressOf({ path, query }: FrontRequest): string {
  return `${path}?${query.toString()}`;
}

/** As Node.js reports it. */
function connectionError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function changed(response: FrontResponse, change: (body: string) => string): FrontResponse {
  return { ...response, body: typeof response.body === 'string' ? change(response.body) : response.body };
}

function untilGone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
