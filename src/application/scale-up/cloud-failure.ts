import type { CloudFailure } from '../../domain/node-group/node-group.js';
import { CloudError } from '../ports/cloud-provider.js';

/** What a call to the cloud threw, as data. An error of another class is a fault of the adapter, and worth a retry. */
export function failureOf(error: unknown): CloudFailure {
  if (error instanceof CloudError) return error.toFailure();
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'transient', code: 'cloudProviderError', message };
}
