/** The API server answered, but not with success. */
export class ApiStatusError extends Error {
  /** `Expired`, `Conflict`, `AlreadyExists`, …; empty where the body is no Status. */
  readonly reason: string;
  /** What the server said, with its causes. */
  readonly detail: string;
  /** Of the Retry-After header, else null. */
  readonly retryAfterMs: number | null;

  constructor(
    readonly status: number,
    told: { readonly reason: string; readonly detail: string; readonly retryAfterMs?: number | null },
  ) {
    super(`the Kubernetes API answered ${status}${told.detail === '' ? '' : `: ${told.detail}`}`);
    this.name = 'ApiStatusError';
    this.reason = told.reason;
    this.detail = told.detail;
    this.retryAfterMs = told.retryAfterMs ?? null;
  }

  /** The history or the page that was asked for is gone: list anew. */
  get isExpired(): boolean {
    return this.status === 410 || this.reason === 'Expired' || this.reason === 'Gone';
  }
}

/** No answer: refused, cut, silent for too long. */
export class ApiUnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiUnreachableError';
  }
}

interface StatusBody {
  readonly kind?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: { readonly causes?: readonly { readonly message?: unknown }[] | null } | null;
}

/** Longest part of a body that is no Status to go into an error. */
const TEXT_LENGTH_MAX = 200;

/** The error of an answer without success; its body is a Status, or text of a proxy. */
export function statusError(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ApiStatusError {
  const parsed = parseStatus(body);
  return new ApiStatusError(status, {
    reason: typeof parsed?.reason === 'string' ? parsed.reason : '',
    detail: parsed === null ? body.trim().slice(0, TEXT_LENGTH_MAX) : detailOf(parsed),
    retryAfterMs: retryAfter(headers['retry-after']),
  });
}

function parseStatus(body: string): StatusBody | null {
  try {
    const status = JSON.parse(body) as StatusBody | null;
    return status?.kind === 'Status' ? status : null;
  } catch {
    return null;
  }
}

/** The message with those of its causes: they name the budget that forbids an eviction. */
function detailOf(status: StatusBody): string {
  const causes = (status.details?.causes ?? []).map((cause) => cause.message);
  return [status.message, ...causes].filter((part) => typeof part === 'string' && part !== '').join('; ');
}

function retryAfter(header: string | undefined): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null;
}
