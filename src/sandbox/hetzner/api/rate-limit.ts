const HOUR_MS = 3_600_000;
/** Documented default: requests per hour and project. */
const DEFAULT_LIMIT = 3600;

/** Token bucket of one project: as many tokens as requests per hour, refilled continuously in world time. */
export class RateLimit {
  private limit = DEFAULT_LIMIT;
  private tokens = DEFAULT_LIMIT;
  private backgroundPerMinute = 0;
  private refilledAtMs: number;

  constructor(private readonly now: () => number) {
    this.refilledAtMs = now();
  }

  /** Sets the limit and how much of it is left now (default: all). */
  set(limit: number, remaining: number = limit): void {
    this.refill();
    this.limit = limit;
    this.tokens = Math.min(limit, remaining);
  }

  /** Others that use up the same budget, such as controllers for load balancers and volumes. */
  setBackgroundUse(requestsPerMinute: number): void {
    this.refill();
    this.backgroundPerMinute = requestsPerMinute;
  }

  /** Takes one token; false when there is none. */
  take(): boolean {
    this.refill();
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  get message(): string {
    return `limit of ${this.limit} requests per hour reached`;
  }

  headers(): Readonly<Record<string, string>> {
    this.refill();
    const missingMs = ((this.limit - this.tokens) / this.limit) * HOUR_MS;
    return {
      'ratelimit-limit': `${this.limit}`,
      'ratelimit-remaining': `${Math.floor(this.tokens)}`,
      'ratelimit-reset': `${Math.ceil((this.now() + missingMs) / 1000)}`,
    };
  }

  private refill(): void {
    const nowMs = this.now();
    const perMs = this.limit / HOUR_MS - this.backgroundPerMinute / 60_000;
    const tokens = this.tokens + (nowMs - this.refilledAtMs) * perMs;
    this.tokens = Math.min(this.limit, Math.max(0, tokens));
    this.refilledAtMs = nowMs;
  }
}
