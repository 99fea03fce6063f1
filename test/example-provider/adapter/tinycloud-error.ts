import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import type { CloudErrorKind, CloudFailure } from '../../../src/domain/node-group/node-group.js';

/**
 * What became of a request that failed: the cloud said no, it never got there, or nobody knows. The last is the one
 * that costs money when it is taken for the second.
 */
export type Outcome = 'refused' | 'unsent' | 'unknown';

/** The only error of {@link TinycloudApi}. Its message never holds a header, so never the token. */
export class TinycloudError extends Error {
  constructor(
    readonly code: string,
    readonly outcome: Outcome,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'TinycloudError';
  }
}

/** Decides what the engine does: another group, a pause, or a call for a human. */
const KIND_BY_CODE: Readonly<Record<string, CloudErrorKind>> = {
  sold_out: 'stock-out',
  limit_reached: 'quota',
  slow_down: 'throttled',
  unauthorized: 'configuration',
  unknown_size: 'configuration',
};

/** `subject` says what was attempted: `pool web`. */
export function toFailure(error: unknown, subject: string): CloudFailure {
  if (error instanceof CloudError) return error.toFailure();
  if (!(error instanceof TinycloudError)) {
    // A bug, whose text may hold anything.
    return { kind: 'transient', code: 'internal', message: `${subject}: it failed unexpectedly` };
  }
  const kind = error.outcome === 'unknown' ? 'unknown-outcome' : (KIND_BY_CODE[error.code] ?? 'transient');
  return { kind, code: error.code, message: `${subject}: ${error.message} (${error.code})` };
}
