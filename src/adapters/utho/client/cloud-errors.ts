import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { CloudErrorKind, CloudFailure } from '../../../domain/node-group/node-group.js';
import { UthoError } from './utho-error.js';
import type { UthoErrorClass } from './utho-error.js';

interface Meaning {
  readonly kind: CloudErrorKind;
  readonly remedy: string;
}

const MEANING: Readonly<Record<UthoErrorClass, Meaning>> = {
  auth: {
    kind: 'configuration',
    remedy: 'check that the API key is valid',
  },
  notFound: {
    kind: 'configuration',
    remedy: 'check that cluster and pool exist in the account of the API key',
  },
  capacity: { kind: 'stock-out', remedy: 'another plan or data centre may have machines' },
  validation: { kind: 'configuration', remedy: 'see the message of the API' },
  rateLimit: { kind: 'throttled', remedy: 'the API asks to slow down, wait' },
  transient: { kind: 'transient', remedy: 'it is tried again' },
  api: { kind: 'transient', remedy: 'see the message of the API' },
};

/** Where the class alone says too little. */
const MEANING_BY_CODE: Readonly<Record<string, Meaning>> = {
  quota: { kind: 'quota', remedy: 'raise the limit or the credit of the account' },
  token_readonly: {
    kind: 'configuration',
    remedy: 'the API key seems to be read-only, create one with write access',
  },
};

/** `subject` says what was attempted: `node pool pool-Qx7Lm2Za: growth to 3`. */
export function toFailure(error: unknown, subject: string): CloudFailure {
  if (error instanceof CloudError) return error.toFailure();
  if (!(error instanceof UthoError)) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    // Anything else is a bug, or an abort with a reason of the caller's. Its text may hold anything, so it stays out.
    return isAbort
      ? { kind: 'transient', code: 'aborted', message: `${subject}: given up` }
      : { kind: 'transient', code: 'internal', message: `${subject}: it failed unexpectedly` };
  }
  const { kind, remedy } = MEANING_BY_CODE[error.code] ?? MEANING[error.class];
  const failure = {
    kind,
    code: error.code,
    message: `${subject}: ${error.message} (${error.code}); ${remedy}`,
  };
  return error.retryAfterMs === undefined ? failure : { ...failure, retryAfterMs: error.retryAfterMs };
}

export function toCloudError(error: unknown, subject: string): CloudError {
  if (error instanceof CloudError) return error;
  return new CloudError(toFailure(error, subject), { cause: error });
}
