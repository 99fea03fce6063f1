import type { BackOff } from './back-off.js';
import type { IncorrectSize } from './incorrect-sizes.js';
import type { Keyed } from './keyed.js';
import type { ScaleUpRequest } from './scale-up-requests.js';

/** What must survive between iterations; plain data, so that it can be saved and inspected. */
export interface ClusterStateMemory {
  /** Time of the last update, null before the first. */
  readonly updatedMs: number | null;
  /** By group. */
  readonly requests: Keyed<ScaleUpRequest>;
  /** By group. */
  readonly backOffs: Keyed<BackOff>;
  /** By instance id. */
  readonly unregisteredSinceMs: Keyed<number>;
  /** Failed instance ids already reported, by group. */
  readonly reportedFailures: Keyed<readonly string[]>;
  /** By group. */
  readonly incorrectSizes: Keyed<IncorrectSize>;
  /** Pacing of repairs that the cloud refused, by `kind group`. */
  readonly repairRetries: Keyed<RepairRetry>;
}

export interface RepairRetry {
  readonly failures: number;
  readonly notBeforeMs: number;
}

export function emptyClusterStateMemory(): ClusterStateMemory {
  return {
    updatedMs: null,
    requests: {},
    backOffs: {},
    unregisteredSinceMs: {},
    reportedFailures: {},
    incorrectSizes: {},
    repairRetries: {},
  };
}
