import type { DomainTally } from './domain-tally.js';
import type { SpreadTally } from './spread-tally.js';

export interface SpreadRule {
  readonly tally: SpreadTally;
  readonly maxSkew: number;
  readonly minDomains: number;
  /** 1 where the pod matches the constraint itself. */
  readonly self: 0 | 1;
  /** Once placed, the pod is counted: it matches, and the selector is not the empty one. */
  readonly isCounted: boolean;
}

export interface AffinityRule {
  /** One for each topology key; counts pods that match all terms. */
  readonly tallies: readonly DomainTally[];
  /** The pod matches all terms itself: it may be the first of its kind. */
  readonly matchesItself: boolean;
}

export interface AntiAffinityRule {
  readonly tally: DomainTally;
  readonly matchesItself: boolean;
}

/** Why a pod's own rules can't be read. */
export interface UnreadableRules {
  readonly plugin: 'PodTopologySpread' | 'InterPodAffinity';
  readonly text: string;
}

/** What a pod asks of where other pods are. One object for equal rules. */
export interface TopologyRules {
  readonly id: number;
  readonly spread: readonly SpreadRule[];
  readonly affinity: AffinityRule | null;
  readonly antiAffinity: readonly AntiAffinityRule[];
  /** Pods that hold a term against this one. */
  readonly repelledBy: readonly DomainTally[];
  readonly unreadable: UnreadableRules | null;
}

/** When something last changed by which a node that refused a pod with these rules may take it now (`scheduling` 3.15). */
export function mayHelpAt({ spread, affinity, antiAffinity, repelledBy }: TopologyRules): number {
  let latest = 0;
  for (const { tally } of spread) latest = Math.max(latest, tally.changedAt, tally.census.changedAt);
  for (const tally of affinity?.tallies ?? []) latest = Math.max(latest, tally.changedAt);
  for (const { tally } of antiAffinity) latest = Math.max(latest, tally.loweredAt);
  for (const tally of repelledBy) latest = Math.max(latest, tally.loweredAt);
  return latest;
}
