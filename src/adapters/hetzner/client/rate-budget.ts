import type { Clock } from '../../../application/ports/clock.js';
import type { Random } from '../../../application/ports/random.js';
import { headerOf } from '../../cloud-http/index.js';
import type { HttpResponse } from '../../cloud-http/index.js';

const HOUR_S = 3_600;
/** Bounds of the pause between two requests while the budget is used up (`hetzner` 2.4). */
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;
/** Remaining requests from which on the budget counts as refilled, and requests flow freely again. */
const REMAINING_TO_RESUME = 5;

/**
 * The project's request budget, shared with cloud controller and volume driver. Learns from the headers of every
 * answer; while the budget is used up it lets requests through one by one, at the pace of the refill.
 */
export class RateBudget {
  private limit = HOUR_S;
  private remaining: number | null = null;
  private seenMs = 0;
  private throttled = false;
  private nextSlotMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly reserve: number,
  ) {}

  observe(response: HttpResponse): void {
    const limit = Number(headerOf(response, 'ratelimit-limit') ?? Number.NaN);
    const remaining = Number(headerOf(response, 'ratelimit-remaining') ?? Number.NaN);
    if (Number.isFinite(limit) && limit > 0) this.limit = limit;
    if (!Number.isFinite(remaining)) return;
    this.remaining = remaining;
    this.seenMs = this.clock.now();
    if (remaining >= REMAINING_TO_RESUME) this.throttled = false;
  }

  /** The API answered 429. */
  exhausted(retryAfterMs: number | undefined): void {
    this.throttled = true;
    this.remaining = 0;
    this.seenMs = this.clock.now();
    this.nextSlotMs = Math.max(this.nextSlotMs, this.clock.now() + (retryAfterMs ?? this.pauseMs()));
  }

  /** How long the next request would have to wait. */
  turnInMs(): number {
    return this.throttled ? Math.max(0, this.nextSlotMs - this.clock.now()) : 0;
  }

  /** Waits for its turn while the budget is used up; at once otherwise. */
  async admit(signal: AbortSignal): Promise<void> {
    if (!this.throttled) return;
    const turnMs = Math.max(this.nextSlotMs, this.clock.now());
    this.nextSlotMs = turnMs + this.pauseMs();
    await this.clock.sleep(turnMs - this.clock.now(), signal);
  }

  /** Only what is needed should be sent: the rest belongs to others. */
  isLow(): boolean {
    const left = this.remainingNow();
    // Half of the limit at most, so that a reserve above a small limit does not silence everything.
    return left !== null && left < Math.min(this.reserve, this.limit / 2);
  }

  /** As last told by the API, plus what has been refilled since; null before the first answer. */
  remainingNow(): number | null {
    if (this.remaining === null) return null;
    const refilled = ((this.clock.now() - this.seenMs) / 1_000) * (this.limit / HOUR_S);
    return Math.min(this.limit, Math.floor(this.remaining + refilled));
  }

  private pauseMs(): number {
    const refillMs = (HOUR_S / this.limit) * 1_000;
    const pauseMs = Math.max(PAUSE_MS_MIN, Math.min(PAUSE_MS_MAX, refillMs));
    return pauseMs * (1 + this.random.next() / 4);
  }
}
