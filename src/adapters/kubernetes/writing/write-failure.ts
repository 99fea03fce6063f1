import { ClusterWriteError } from '../../../application/ports/cluster-writer.js';
import { ApiStatusError } from '../connection/api-error.js';

/** Translates what a request failed with; 429 and 5xx are a server that can't, not a request that may not. */
export function writeFailure(error: unknown, deed: string): ClusterWriteError {
  if (error instanceof ClusterWriteError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new ClusterWriteError(codeOf(error), `${deed}: ${detail}`, { cause: error });
}

function codeOf(error: unknown): ClusterWriteError['code'] {
  if (!(error instanceof ApiStatusError)) return 'unreachable';
  switch (error.status) {
    case 401:
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 409:
      return 'conflict';
    default:
      return error.status === 429 || error.status >= 500 ? 'unreachable' : 'invalid';
  }
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiStatusError && error.status === status;
}
