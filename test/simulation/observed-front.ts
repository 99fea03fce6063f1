import type { Front, FrontRequest, FrontResponse } from '../../src/sandbox/world/front.js';
import type { WorldClock } from '../../src/sandbox/world/world-clock.js';

/** Sees every request before it is served, and may see its answer too. */
export type RequestObserver = (request: FrontRequest) => ((response: FrontResponse) => void) | undefined;

/** A service with somebody looking over its shoulder, whose watches may lag behind. */
export class ObservedFront implements Front {
  constructor(
    private readonly inner: Front,
    private readonly clock: WorldClock,
    private readonly observe: RequestObserver,
    /** World time by which each watch event comes late. */
    private readonly watchLagMs: (path: string) => number = () => 0,
  ) {}

  async handle(request: FrontRequest): Promise<FrontResponse> {
    const answered = this.observe(request);
    const response = await this.inner.handle(request);
    answered?.(response);
    const lagMs = request.query.get('watch') === 'true' ? this.watchLagMs(request.path) : 0;
    if (lagMs === 0 || typeof response.body === 'string') return response;
    return { ...response, body: this.late(response.body, lagMs, request.signal) };
  }

  /** Each chunk after its own time: a lag, not a limit of throughput. */
  private async *late(
    body: AsyncIterable<string>,
    lagMs: number,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const arrived: { readonly chunk: string; readonly dueMs: number }[] = [];
    const state: { ended: boolean; error: unknown; wake: () => void } = {
      ended: false,
      error: null,
      wake: () => undefined,
    };
    const pump = async (): Promise<void> => {
      for await (const chunk of body) {
        arrived.push({ chunk, dueMs: this.clock.now() + lagMs });
        state.wake();
      }
    };
    pump()
      .catch((error: unknown) => (state.error = error))
      .finally(() => {
        state.ended = true;
        state.wake();
      });
    for (;;) {
      const next = arrived.shift();
      if (next !== undefined) {
        await this.clock.sleep(Math.max(0, next.dueMs - this.clock.now()), signal);
        yield next.chunk;
      } else if (state.error !== null) {
        throw state.error as Error;
      } else if (state.ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          state.wake = resolve;
        });
      }
    }
  }
}
