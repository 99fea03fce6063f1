import { buildExpanderChain } from '../expansion/expander-chain.js';
import type { Expander } from '../expansion/expander.js';
import { DEFAULT_SIMILARITY_POLICY } from '../node-group/similarity.js';
import type { SimilarityPolicy } from '../node-group/similarity.js';

const MINUTE_MS = 60_000;

/** Which pods count as waiting, and from when. */
export interface PendingPodsPolicy {
  /** `--allowed-scheduler-names`, none: if set, pending pods of other schedulers are ignored. */
  readonly allowedSchedulers: readonly string[];
  /** `--bypassed-scheduler-names`, none: pods of these count as unschedulable before the scheduler has looked. */
  readonly bypassedSchedulers: readonly string[];
  /** `--expendable-pods-priority-cutoff`, -10: pods with an explicit priority below it never cause growth. */
  readonly expendablePriorityCutoff: number;
  /** `--new-pod-scale-up-delay`, 0s. */
  readonly newPodScaleUpDelayMs: number;
  /** `--enable-graceful-degradation`, false: bound the time for placing pods in free room. */
  readonly gracefulDegradation: boolean;
  /** `--pending-pods-batching-timeout`, 4m: that bound. */
  readonly placementBudgetMs: number;
}

export const DEFAULT_PENDING_PODS_POLICY: PendingPodsPolicy = {
  allowedSchedulers: [],
  bypassedSchedulers: [],
  expendablePriorityCutoff: -10,
  newPodScaleUpDelayMs: 0,
  gracefulDegradation: false,
  placementBudgetMs: 4 * MINUTE_MS,
};

/** How growth is decided. */
export interface ScaleUpPolicy {
  /** `--max-nodes-total`, 0: no limit. All nodes of the cluster count, foreign and upcoming ones too. */
  readonly maxNodesTotal: number;
  /** `--max-nodes-per-scaleup`, 1000: cap of one estimation. */
  readonly maxNodesPerScaleUp: number;
  /** `--max-binpacking-time`, 5m: after it, what was computed so far is used. */
  readonly planningBudgetMs: number;
  /** `--max-nodegroup-binpacking-duration`, 10s: the same for one group. */
  readonly groupBudgetMs: number;
  /** `--balance-similar-node-groups`, false. */
  readonly balanceSimilarGroups: boolean;
  readonly similarity: SimilarityPolicy;
  /** `--expander`, least-waste. */
  readonly expanders: readonly Expander[];
  /** `--scaleup-simulation-for-skipped-node-groups-enabled`, false. */
  readonly simulateSkippedGroups: boolean;
  /** `--salvo-scale-up`, false: several growths in one iteration. */
  readonly salvo: boolean;
  /** `--salvo-scale-up-budget`, 1m. */
  readonly salvoBudgetMs: number;
}

export const DEFAULT_SCALE_UP_POLICY: ScaleUpPolicy = {
  maxNodesTotal: 0,
  maxNodesPerScaleUp: 1000,
  planningBudgetMs: 5 * MINUTE_MS,
  groupBudgetMs: 10_000,
  balanceSimilarGroups: false,
  similarity: DEFAULT_SIMILARITY_POLICY,
  expanders: defaultExpanders(),
  simulateSkippedGroups: false,
  salvo: false,
  salvoBudgetMs: MINUTE_MS,
};

function defaultExpanders(): readonly Expander[] {
  const chain = buildExpanderChain([]);
  return chain.kind === 'chain' ? chain.expanders : [];
}
