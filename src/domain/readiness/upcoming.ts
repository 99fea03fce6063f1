import type { ReadinessCounts } from './readiness-counts.js';

/** Machines that should soon be usable. */
export interface Upcoming {
  readonly count: number;
  /** Names of nodes among them that have joined but not started; placeholders replace them in simulations. */
  readonly registered: readonly string[];
}

export const NO_UPCOMING: Upcoming = { count: 0, registered: [] };

/** Target minus what is there for good or will never be (`scale-up` 3.5). May be negative. */
export function missingFromTarget(target: number, counts: ReadinessCounts): number {
  const { ready, unready, suspended, longUnregistered } = counts;
  return target - (ready.length + unready.length + suspended.length + longUnregistered.length);
}

export interface UpcomingInput {
  readonly target: number;
  readonly counts: ReadinessCounts;
  readonly isRequested: boolean;
  readonly isBackedOff: boolean;
}

/**
 * differs from upstream: without a request (after a restart, a resize by hand) or in back-off (after a success in part)
 * upstream counts nothing and buys the booting machines a second time (`scale-up` 15.1). Here machines that the cloud
 * lists, or whose node has joined, still count while they are young; mere numbers of the target do not.
 */
export function upcomingNodes(input: UpcomingInput): Upcoming {
  const missing = missingFromTarget(input.target, input.counts);
  const { notStarted, unregistered } = input.counts;
  const isTrusted = input.isRequested && !input.isBackedOff;
  const count = isTrusted ? missing : Math.min(missing, notStarted.length + unregistered.length);
  return count <= 0 ? NO_UPCOMING : { count, registered: notStarted };
}
