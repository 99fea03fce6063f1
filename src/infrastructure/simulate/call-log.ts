import type { Front, FrontRequest, FrontResponse } from '../../sandbox/world/index.js';

/** One request of the program, as the world saw it. */
export interface Call {
  /** Since the start of the story. */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly isWatch: boolean;
  /** Shortened; empty for a PUT. */
  readonly body: string;
  /** Group of the machine that a call to the cloud is about; empty for others. */
  readonly group: string;
}

/** Calls remembered: a simulated day has about 100,000, most of them renewals of the lease. */
const CALLS_MAX = 500_000;
const BODY_MAX = 4_096;

/** Remembers the requests to one service. */
export class CallLog {
  readonly calls: Call[] = [];

  constructor(
    private readonly now: () => number,
    private readonly groupOf: (request: FrontRequest) => string = () => '',
  ) {}

  before(front: Front): Front {
    return {
      handle: (request): Promise<FrontResponse> => {
        this.add(request);
        return front.handle(request);
      },
    };
  }

  /** Lease and status are written again and again, by PUT: their content would fill the memory. */
  private keepsBody(method: string): boolean {
    return method !== 'PUT';
  }

  private add(request: FrontRequest): void {
    if (this.calls.length >= CALLS_MAX) return;
    const { method, path, query, body } = request;
    this.calls.push({
      atMs: this.now(),
      method,
      path,
      isWatch: query.get('watch') === 'true' || query.get('watch') === '1',
      body: this.keepsBody(method) ? shortened(body) : '',
      group: this.groupOf(request),
    });
  }
}

/** A copy: a slice would keep the whole. */
function shortened(body: string): string {
  return body.length <= BODY_MAX ? body : Buffer.from(body.slice(0, BODY_MAX)).toString();
}
