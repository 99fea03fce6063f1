import type { Front, FrontRequest, FrontResponse } from '../../world/front.js';

/** One request as the API server saw it. */
export interface RecordedRequest {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly userAgent: string;
  readonly body: string;
  /** 0: cut without an answer, or not answered yet. */
  readonly status: number;
}

/** The latest requests, for assertions and for the demo. */
export class RequestLog {
  private readonly entries: RecordedRequest[] = [];
  private total = 0;

  /** @param max requests kept. */
  constructor(private readonly max: number) {}

  /** All requests ever made, the forgotten ones too. */
  get count(): number {
    return this.total;
  }

  add(request: RecordedRequest): void {
    this.total++;
    this.entries.push(request);
    // Dropped by halves, so that the ring costs no shift per request.
    if (this.entries.length > 2 * this.max) this.entries.splice(0, this.max);
  }

  /** Oldest first. */
  list(filter: (request: RecordedRequest) => boolean = () => true): RecordedRequest[] {
    return this.entries.slice(-this.max).filter(filter);
  }

  clear(): void {
    this.entries.length = 0;
  }
}

/** Notes what passes through. */
export class RecordingFront implements Front {
  constructor(
    private readonly inner: Front,
    private readonly log: RequestLog,
    private readonly now: () => number,
  ) {}

  async handle(request: FrontRequest): Promise<FrontResponse> {
    const entry = {
      atMs: this.now(),
      method: request.method,
      path: request.path,
      query: request.query.toString(),
      userAgent: request.headers['user-agent'] ?? '',
      body: request.body,
      status: 0,
    };
    this.log.add(entry);
    const response = await this.inner.handle(request);
    if (response.cut !== true) entry.status = response.status;
    return response;
  }
}
