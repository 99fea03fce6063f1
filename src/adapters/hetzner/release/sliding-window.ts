import type { Clock } from '../../../application/ports/clock.js';

/** At most `limit` takes within any window of time. */
export class SlidingWindow {
  private times: number[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly windowMs: number,
    private readonly limit: number,
  ) {}

  take(): boolean {
    if (this.left() === 0) return false;
    this.times.push(this.clock.now());
    return true;
  }

  /** How many takes would succeed now. */
  left(): number {
    this.forgetOld();
    return this.limit - this.times.length;
  }

  /** When the next take may succeed. */
  freeInMs(): number {
    this.forgetOld();
    const oldest = this.times[0];
    return this.times.length < this.limit || oldest === undefined
      ? 0
      : oldest + this.windowMs - this.clock.now();
  }

  private forgetOld(): void {
    const horizonMs = this.clock.now() - this.windowMs;
    this.times = this.times.filter((time) => time > horizonMs);
  }
}
