import { CloudError } from '../ports/cloud-provider.js';
import { ClusterReadError } from '../ports/cluster-reader.js';
import { ClusterWriteError } from '../ports/cluster-writer.js';

/** The label `type` of `errors_total` (`scale-up` 1.2). */
export type LoopErrorType =
  'cloudProviderError' | 'apiCallError' | 'internalError' | 'transientError' | 'configurationError';

/** What an iteration failed of. Anything unexpected is an internal error: it is counted, and the loop goes on. */
export function loopErrorType(error: unknown): LoopErrorType {
  if (error instanceof CloudError) {
    return error.kind === 'configuration' ? 'configurationError' : 'cloudProviderError';
  }
  if (error instanceof ClusterReadError || error instanceof ClusterWriteError) return 'apiCallError';
  return 'internalError';
}
