import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type { CloudErrorKind, CloudFailure } from '../../../src/domain/node-group/node-group.js';

/**
 * What became of a request that failed: the cloud said no, it never got there, or nobody knows. The last is the one
 * that costs money when it is taken for the second.
 */
export type Outcome = 'refused' | 'unsent' | 'unknown';

/** The only error of {@link TinycloudApi}. Its message never holds a header, so never the token. */
export class TinycloudError extends Error {
  /** The cloud's own advice, when it gave one. */
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly code: string,
    readonly outcome: Outcome,
    message: string,
    options?: ErrorOptions & { readonly retryAfterMs?: number | undefined },
  ) {
    super(message, options);
    this.name = 'TinycloudError';
    this.retryAfterMs = options?.retryAfterMs;
  }
}

/** Decides what the engine does: another group, a pause, or a call for a human. */
const KIND_BY_CODE: Readonly<Record<string, CloudErrorKind>> = {
  sold_out: 'stock-out',
  limit_reached: 'quota',
  slow_down: 'throttled',
  unauthorized: 'configuration',
  unknown_size: 'configuration',
  bad_certificate: 'configuration',
};

/** What a human has to correct. */
const REMEDY_BY_CODE: Readonly<Record<string, string>> = {
  limit_reached: '; ask Tinycloud for a higher limit',
  unauthorized: '; correct TINYCLOUD_TOKEN',
  unknown_size: '; correct its --nodes',
  bad_certificate: '; correct TINYCLOUD_URL, or the certificates of this host',
};

/** `subject` says what was attempted: `pool web`. */
export function toFailure(error: unknown, subject: string): CloudFailure {
  if (error instanceof CloudError) return error.toFailure();
  if (!(error instanceof TinycloudError)) {
    // A bug, or an abort with a reason of the caller's: its text may hold anything.
    return { kind: 'transient', code: 'internal', message: `${subject}: it failed unexpectedly` };
  }
  const { code, outcome, retryAfterMs } = error;
  const kind = outcome === 'unknown' ? 'unknown-outcome' : (KIND_BY_CODE[code] ?? 'transient');
  const message = `${subject}: ${error.message} (${code})${REMEDY_BY_CODE[code] ?? ''}`;
  return { kind, code, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
