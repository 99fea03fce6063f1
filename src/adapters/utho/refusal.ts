import { CloudError } from '../../application/ports/cloud-provider.js';
import type { CloudErrorKind, CloudFailure } from '../../domain/node-group/node-group.js';

/** Something that is not done, and why. Kind `configuration`: asking again changes nothing. */
export function refusal(code: string, message: string, kind: CloudErrorKind = 'configuration'): CloudFailure {
  return { kind, code, message };
}

export function refused(...parts: Parameters<typeof refusal>): CloudError {
  return new CloudError(refusal(...parts));
}

/** A write that would remove the pool (`utho` 4.9). */
export function zeroRefusal(poolId: string): CloudFailure {
  return refusal(
    'zero-count',
    `refusing to set node pool ${poolId} to 0 workers: Utho removes a pool whose count is 0`,
  );
}
