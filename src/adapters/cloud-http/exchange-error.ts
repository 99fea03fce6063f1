import type { Outcome } from './outcome.js';

export type ExchangeErrorCode =
  /** The connection was never made. */
  | 'connect_failed'
  /** It broke before the answer was complete. */
  | 'connection_lost'
  | 'timeout'
  /** The caller gave up. */
  | 'aborted'
  /** The answer is too large to be one of the API, or in an encoding that was not asked for. */
  | 'bad_response';

/** No complete answer came. The code is fit for metric labels. */
export class ExchangeError extends Error {
  constructor(
    readonly code: ExchangeErrorCode,
    readonly outcome: Outcome,
    message: string,
  ) {
    super(message);
    this.name = 'ExchangeError';
  }
}

/**
 * Node.js and undici codes of a connection that was never made: the request can't have been carried out. A lost route
 * is not among them, since it can end an exchange in the middle, too.
 */
const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** What undici and Node.js throw; the latter has several errors in one where a host has several addresses. */
interface ForeignError {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly errors?: readonly ForeignError[];
}

/** The foreign error does not become the cause: it may hold bytes of the answer, and these the token. */
export function connectionError(error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  const foreign = error as ForeignError;
  const causes = foreign.errors ?? [foreign];
  const said = causes.map(({ message }) => String(message)).join(', ');
  return causes.every(wasNeverConnected)
    ? new ExchangeError('connect_failed', 'unsent', `the API cannot be reached: ${said}`)
    : new ExchangeError('connection_lost', 'unknown', `the connection was lost before the answer: ${said}`);
}

function wasNeverConnected({ code, syscall }: ForeignError): boolean {
  return syscall === 'connect' || (typeof code === 'string' && CONNECT_CODES.has(code));
}
