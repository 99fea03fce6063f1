import type { Outcome } from '../../cloud-http/index.js';

export interface ApiErrorParts {
  /** HTTP status, or null where no answer came. */
  readonly status: number | null;
  /** `error.code` of the API, or our own: `http_<status>`, `timeout`, `connection_lost`, `connect_failed`, … */
  readonly code: string;
  readonly message: string;
  readonly outcome: Outcome;
  /** From `Retry-After`. */
  readonly retryAfterMs?: number;
}

/** An error of the HTTP API, an answer that can't be read, or no answer at all. Stays inside this adapter. */
export class ApiError extends Error {
  readonly status: number | null;
  readonly code: string;
  readonly outcome: Outcome;
  readonly retryAfterMs: number | undefined;

  constructor(parts: ApiErrorParts, options?: ErrorOptions) {
    super(parts.message, options);
    this.name = 'ApiError';
    this.status = parts.status;
    this.code = parts.code;
    this.outcome = parts.outcome;
    this.retryAfterMs = parts.retryAfterMs;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found';
}
