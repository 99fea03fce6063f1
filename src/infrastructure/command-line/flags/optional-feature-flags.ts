import { flag, notYet } from '../flag-definition.js';
import { boolean, duration, integer, string } from '../flag-types.js';
import { MINUTE_MS, SECOND_MS } from './units.js';

const NO_QUOTAS = notYet('CapacityQuota objects are not served');
const NO_BUFFERS = notYet('CapacityBuffer objects are not served');
const NO_REQUESTS = notYet('ProvisioningRequest objects are not served');
const NO_INJECTION = notYet('pods of missing replicas are not anticipated');
const NO_GRPC = notYet('the grpc expander is not built');

/** `interface` 1.4, the features that are off by default and stand for themselves. */
export const OPTIONAL_FEATURE_FLAGS = {
  'capacity-quotas-enabled': flag(boolean, false, 'Enforce CapacityQuota objects.', NO_QUOTAS),
  'grpc-expander-url': flag(string, '', 'Target of the grpc expander.', NO_GRPC),
  'grpc-expander-cert': flag(string, '', 'CA file of the grpc expander.', NO_GRPC),
  'enable-proactive-scaleup': flag(boolean, false, 'Anticipate pods of missing replicas.', NO_INJECTION),
  'pod-injection-limit': flag(integer, 5000, 'Most anticipated pods.', NO_INJECTION),
  'enable-provisioning-requests': flag(boolean, false, 'Serve ProvisioningRequest objects.', NO_REQUESTS),
  'provisioning-request-initial-backoff-time': flag(duration, MINUTE_MS, 'First retry delay.', NO_REQUESTS),
  'provisioning-request-max-backoff-time': flag(
    duration,
    10 * MINUTE_MS,
    'Longest retry delay.',
    NO_REQUESTS,
  ),
  'provisioning-request-max-backoff-cache-size': flag(integer, 1000, 'Remembered back-offs.', NO_REQUESTS),
  'check-capacity-batch-processing': flag(boolean, false, 'Batch check-capacity requests.', NO_REQUESTS),
  'check-capacity-provisioning-request-max-batch-size': flag(integer, 10, 'Size of a batch.', NO_REQUESTS),
  'check-capacity-provisioning-request-batch-timebox': flag(
    duration,
    10 * SECOND_MS,
    'Time for a batch.',
    NO_REQUESTS,
  ),
  'check-capacity-processor-instance': flag(
    string,
    '',
    'Serve requests with this processorInstance only.',
    NO_REQUESTS,
  ),
  'capacity-buffer-controller-enabled': flag(
    boolean,
    false,
    'Run the CapacityBuffer controller.',
    NO_BUFFERS,
  ),
  'capacity-buffer-pod-injection-enabled': flag(boolean, false, 'Keep room for ready buffers.', NO_BUFFERS),
  'capacity-buffer-pod-dry-run-enabled': flag(
    boolean,
    true,
    'Resolve buffer pods by a dry-run create.',
    NO_BUFFERS,
  ),
};
