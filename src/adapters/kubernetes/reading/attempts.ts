import type { Incidents } from '../../../application/ports/incidents.js';
import type { Random } from '../../../application/ports/random.js';
import { ApiStatusError } from '../connection/api-error.js';
import { Backoff } from './backoff.js';

/** One kind of attempt at one resource (its list, its watch): failures in a row, their pauses and their incident. */
export class Attempts {
  private readonly backoff: Backoff;
  private inARow = 0;

  constructor(
    /** Key of the incident: `watch-pods`. */
    private readonly key: string,
    random: Random,
    private readonly incidents: Incidents,
  ) {
    this.backoff = new Backoff(random);
  }

  /** Failures that the server answered with, since the last success. */
  get refusals(): number {
    return this.inARow;
  }

  /** Gives the pause before the next attempt. */
  failed(error: unknown): number {
    const message = error instanceof Error ? error.message : String(error);
    this.incidents.happened(this.key, `${this.key}: ${message}`, error);
    if (!(error instanceof ApiStatusError)) return this.backoff.next();
    this.inARow++;
    return Math.max(this.backoff.next(), error.retryAfterMs ?? 0);
  }

  /** It held for a while, even if it failed in the end. */
  lasted(): void {
    this.backoff.reset();
  }

  succeeded(): void {
    this.inARow = 0;
    this.backoff.reset();
    this.incidents.over(this.key);
  }
}
