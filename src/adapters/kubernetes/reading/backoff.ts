import type { Random } from '../../../application/ports/random.js';

/** About eight attempts in the first minute of an outage, then two a minute (U049; client-go: 0.8 s to 30 s). */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Growing pauses between attempts, each with jitter of half its length, so that clients don't come back as one. */
export class Backoff {
  private attempts = 0;

  constructor(private readonly random: Random) {}

  next(): number {
    const fullMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(this.attempts, 16));
    this.attempts++;
    return fullMs * (0.5 + this.random.next() / 2);
  }

  reset(): void {
    this.attempts = 0;
  }
}
