import type { Outcome } from '../../cloud-http/index.js';

/** What a failed call means (`utho` 3.3). */
export type UthoErrorClass =
  /** The key is unknown, expired, or may not do this. */
  | 'auth'
  /** No such cluster, pool or worker, or not one of this key's account. */
  | 'notFound'
  /** A limit of the account, its credit, or the stock of machines. */
  | 'capacity'
  | 'validation'
  | 'rateLimit'
  /** The API is away or out of order; the same call may work later. */
  | 'transient'
  /** It said no for a reason that is none of the others. */
  | 'api';

export interface UthoErrorParts {
  readonly class: UthoErrorClass;
  /** Short and of low cardinality: log id, metric label. */
  readonly code: string;
  readonly message: string;
  readonly outcome: Outcome;
  /** HTTP status, or null where no answer came. */
  readonly status: number | null;
  /** From `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
}

/** The only error that leaves the client. Stays inside this adapter. */
export class UthoError extends Error {
  readonly class: UthoErrorClass;
  readonly code: string;
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly retryAfterMs: number | undefined;

  constructor(parts: UthoErrorParts, options?: ErrorOptions) {
    super(parts.message, options);
    this.name = 'UthoError';
    this.class = parts.class;
    this.code = parts.code;
    this.outcome = parts.outcome;
    this.status = parts.status;
    this.retryAfterMs = parts.retryAfterMs;
  }

  withCode(code: string): UthoError {
    const { class: errorClass, message, outcome, status, retryAfterMs, cause } = this;
    return new UthoError({ class: errorClass, code, message, outcome, status, retryAfterMs }, { cause });
  }
}
