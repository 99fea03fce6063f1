import { renderGoDuration } from '../../../domain/go-duration.js';
import type { AutoscalerOptions } from '../flag-table.js';
import { fatal } from '../values/start-fault.js';
import type { StartFault } from '../values/start-fault.js';

/** Renewing must be tried several times before it counts as failed: the factor of Kubernetes' leader election. */
const JITTER_FACTOR = 1.2;

/** The rules of `interface` 1.10; the Go program panics on the times, hence exit code 2. */
export function checkLeaderElection(options: AutoscalerOptions): readonly StartFault[] {
  if (!options.leaderElect) return [];
  const faults: StartFault[] = [];
  if (options.leaderElectResourceLock !== 'leases') {
    const remedy = 'leave it out or write leases';
    faults.push(
      fatal('leader-elect-resource-lock', options.leaderElectResourceLock, 'not supported', remedy),
    );
  }
  const leaseMs = options.leaderElectLeaseDurationMs;
  const renewMs = options.leaderElectRenewDeadlineMs;
  const retryMs = options.leaderElectRetryPeriodMs;
  const panic = (flagName: string, ms: number, problem: string): void => {
    const remedy = 'take for example 15s, 10s and 2s for lease, renewal and retry';
    faults.push({ ...fatal(flagName, renderGoDuration(ms), problem, remedy), exitCode: 2 });
  };
  if (leaseMs <= 0) panic('leader-elect-lease-duration', leaseMs, 'it must be positive');
  if (renewMs <= 0) panic('leader-elect-renew-deadline', renewMs, 'it must be positive');
  if (retryMs <= 0) panic('leader-elect-retry-period', retryMs, 'it must be positive');
  if (faults.some(({ exitCode }) => exitCode === 2)) return faults;
  if (leaseMs <= renewMs) {
    panic('leader-elect-lease-duration', leaseMs, 'it must be greater than --leader-elect-renew-deadline');
  }
  if (renewMs <= JITTER_FACTOR * retryMs) {
    panic(
      'leader-elect-renew-deadline',
      renewMs,
      'it must be greater than 1.2 times --leader-elect-retry-period',
    );
  }
  return faults;
}
