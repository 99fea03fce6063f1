import type { Outcome } from './outcome.js';

export type ExchangeErrorCode =
  /** The connection was never made. */
  | 'connect_failed'
  /** It broke before the answer was complete. */
  | 'connection_lost'
  | 'timeout'
  /** The caller gave up. */
  | 'aborted'
  /** The answer is too large to be one of the API. */
  | 'bad_response';

/** No complete answer came. The code is fit for metric labels. */
export class ExchangeError extends Error {
  constructor(
    readonly code: ExchangeErrorCode,
    readonly outcome: Outcome,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ExchangeError';
  }
}

/** Node.js and undici codes of a connection that was never made: the request can't have been carried out. */
const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

export function connectionError(error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  const code = (error as { code?: unknown }).code;
  const cause = error instanceof Error ? error.message : 'unknown cause';
  if (typeof code === 'string' && CONNECT_CODES.has(code)) {
    const message = `the API cannot be reached: ${cause}`;
    return new ExchangeError('connect_failed', 'unsent', message, { cause: error });
  }
  const message = `the connection was lost before the answer: ${cause}`;
  return new ExchangeError('connection_lost', 'unknown', message, { cause: error });
}
