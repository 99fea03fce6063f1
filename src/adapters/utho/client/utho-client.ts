import { readAnswer, writeAnswer } from './answers.js';
import type { Answer, AnswerReader } from './answers.js';
import type { ClientParts } from './client-parts.js';
import type { UthoCall, UthoWrite } from './utho-request.js';
import { UthoError } from './utho-error.js';
import { UthoTransport } from './utho-transport.js';

/** Pauses before the retries; the last one repeats (`utho` 3.9). */
const BACKOFF_MS = [500, 1_000, 2_000] as const;
/** Longest advice of the API that is waited for here; a longer one goes to the caller with the error. */
const RETRY_AFTER_MS_MAX = 30_000;

export interface CallOptions {
  readonly signal: AbortSignal;
  /** World time after which no further attempt starts. */
  readonly deadlineMs?: number;
}

/** Calls with retries of reads. Throws {@link UthoError} only. */
export class UthoClient {
  private readonly transport: UthoTransport;

  constructor(private readonly parts: ClientParts) {
    this.transport = new UthoTransport(parts);
  }

  async read<T>(call: UthoCall, decode: (answer: Answer) => T, options: CallOptions): Promise<T> {
    const { configuration, clock } = this.parts;
    const request = { ...call, method: 'GET' } as const;
    const read: AnswerReader<T> = (response, what) => decode(readAnswer(response, what));
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transport.exchange(request, read, { attempt, ...options });
      } catch (error) {
        const waitMs = attempt > configuration.maxRetries.read ? null : this.pauseMs(error, attempt);
        if (waitMs === null || options.signal.aborted) throw error;
        if (clock.now() + waitMs > (options.deadlineMs ?? Infinity)) throw error;
        await clock.sleep(waitMs, options.signal).catch(() => {
          throw error;
        });
      }
    }
  }

  /** One attempt: only the caller can tell whether a write whose answer is missing took effect. */
  async write(call: UthoWrite, options: CallOptions): Promise<void> {
    await this.transport.exchange(call, writeAnswer, { attempt: 1, ...options });
  }

  /** Null: another attempt would not help, or would have to wait too long. */
  private pauseMs(error: unknown, attempt: number): number | null {
    if (!(error instanceof UthoError)) return null;
    if (error.class !== 'transient' && error.class !== 'rateLimit') return null;
    const adviceMs = error.retryAfterMs ?? 0;
    if (adviceMs > RETRY_AFTER_MS_MAX) return null;
    const baseMs = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length) - 1]!;
    // From three quarters to five quarters, so that several programs do not come back in step.
    return Math.max(adviceMs, baseMs * (0.75 + this.parts.random.next() / 2));
  }
}
