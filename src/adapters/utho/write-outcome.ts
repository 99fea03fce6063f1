import { CloudError } from '../../application/ports/cloud-provider.js';
import { toFailure } from './client/cloud-errors.js';
import { UthoError } from './client/utho-error.js';

/** The answer is missing, or the request may not have arrived: only a look can tell. */
export function isAmbiguous(error: unknown): boolean {
  return error instanceof UthoError && error.outcome !== 'refused';
}

export function mayHaveHappened(error: unknown): boolean {
  return error instanceof UthoError && error.outcome === 'unknown';
}

/** A failed write for the engine. `subject` says what was attempted. */
export function writeFailure(error: unknown, subject: string): CloudError {
  const failure = toFailure(error, subject);
  const kind = mayHaveHappened(error) ? 'unknown-outcome' : failure.kind;
  return new CloudError({ ...failure, kind }, { cause: error });
}
