import type { ExceededQuota } from '../node-group/quota-tracker.js';
import type { Reason } from '../reason.js';

/** Why a group is not looked at (`scale-up` 5.3). The texts stand in events of pods. */

export const NOT_READY: Reason = { rule: 'GroupNotReady', text: 'not ready for scale-up' };
export const NO_TEMPLATE: Reason = { rule: 'TemplateMissing', text: 'not ready for scale-up' };
export const BACKED_OFF: Reason = { rule: 'BackedOff', text: 'in backoff after failed scale-up' };
export const MAX_SIZE: Reason = { rule: 'MaxSizeReached', text: 'max node group size reached' };
export const ATOMIC_LIMIT: Reason = {
  rule: 'AtomicLimit',
  text: 'atomic scale-up exceeds cluster node count limit',
};
export const EXECUTION_FAILED: Reason = { rule: 'ExecutionFailed', text: 'scale-up execution failed' };

export function quotaExceeded({ id, resources }: ExceededQuota): Reason {
  const text = `exceeded quota: ${JSON.stringify(id)}, resources: ${resources.join(', ')}`;
  return { rule: 'QuotaExceeded', text };
}
