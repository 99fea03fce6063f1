import { CloudError } from '../../../application/ports/cloud-provider.js';
import type { CloudErrorKind, CloudFailure } from '../../../domain/node-group/node-group.js';
import { ApiError } from './api-error.js';
import { classify } from './error-class.js';
import type { ErrorClass } from './error-class.js';

interface Meaning {
  readonly kind: CloudErrorKind;
  readonly remedy: string;
}

const MEANING: Readonly<Record<ErrorClass, Meaning>> = {
  stockout: { kind: 'stock-out', remedy: 'another type or location may have machines' },
  quota: {
    kind: 'quota',
    remedy: 'delete unused resources or ask Hetzner to raise the limit of the project',
  },
  // Not a limit of the project, so not `quota`: only pools with this placement group are concerned.
  'placement-full': {
    kind: 'stock-out',
    remedy: 'a spread placement group holds 10 servers; use a second one',
  },
  'network-full': { kind: 'stock-out', remedy: 'enlarge the subnet or use another one' },
  throttle: { kind: 'throttled', remedy: 'the request budget of the project is used up, wait' },
  retry: { kind: 'transient', remedy: 'it is tried again' },
  adopt: { kind: 'transient', remedy: 'the name is taken by a server that is not ours' },
  protected: { kind: 'configuration', remedy: 'lift the delete protection of the server if it may go' },
  config: { kind: 'configuration', remedy: 'correct the configuration of the pool' },
  access: { kind: 'configuration', remedy: 'check HCLOUD_TOKEN: it must be valid and have write permission' },
  other: { kind: 'transient', remedy: 'see the message of the API' },
};

/** `subject` says what was attempted: `pool general: cx33 in fsn1`. */
export function toFailure(error: unknown, subject: string): CloudFailure {
  if (error instanceof CloudError) return error.toFailure();
  if (!(error instanceof ApiError)) {
    const isAbort = error instanceof Error && error.name === 'AbortError';
    // Anything else is a bug, or an abort with a reason of the caller's. Its text may hold anything, so it stays out.
    return isAbort
      ? { kind: 'transient', code: 'aborted', message: `${subject}: given up` }
      : { kind: 'transient', code: 'internal', message: `${subject}: it failed unexpectedly` };
  }
  const { kind, remedy } = MEANING[classify(error)];
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
