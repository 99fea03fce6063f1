import type { Incidents } from '../../../application/ports/incidents.js';
import type { Random } from '../../../application/ports/random.js';
import { ApiStatusError, ApiUnreachableError } from '../connection/api-error.js';
import { Backoff } from './backoff.js';

/** One incident for all resources: when the server is away, eight lines about it say no more than one. */
const UNREACHABLE = 'kubernetes-api';

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
    this.tell(error);
    if (!(error instanceof ApiStatusError)) return this.backoff.next();
    this.answered();
    this.inARow++;
    return Math.max(this.backoff.next(), error.retryAfterMs ?? 0);
  }

  /** The server said something, be it good or bad. */
  answered(): void {
    this.incidents.over(UNREACHABLE);
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

  private tell(error: unknown): void {
    if (error instanceof ApiUnreachableError) {
      this.incidents.happened(UNREACHABLE, "the Kubernetes API can't be reached", error);
      return;
    }
    // Without what differs from attempt to attempt, as the versions of an expired watch: that is in the detail.
    const message =
      error instanceof ApiStatusError && error.isExpired
        ? 'the version asked for is too old, all is listed anew'
        : error instanceof Error
          ? error.message
          : String(error);
    this.incidents.happened(this.key, `${this.key}: ${message}`, error);
  }
}
