import type { Estimator, PendingClass } from '../estimation/estimate.js';
import type { Chance } from '../expansion/choose-option.js';
import type { GroupPriorities } from '../expansion/group-priorities.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import type { QuotaTracker } from '../node-group/quota-tracker.js';
import type { ScalingState } from '../readiness/scaling-state.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { StartTimer } from './steps.js';

/** All that a plan is made from. The snapshot is left as it was. */
export interface ScaleUpInput {
  readonly state: ScalingState;
  /** Real and upcoming nodes, with the pods that found room. */
  readonly snapshot: ClusterSnapshot;
  readonly templates: ReadonlyMap<string, NodeTemplate>;
  /** Price of one machine for an hour by group, where the provider names one. */
  readonly prices: ReadonlyMap<string, number>;
  /** Label key that marks this cloud's GPU nodes. */
  readonly gpuLabel: string;
  /** What the operator prefers; null: nothing is configured. */
  readonly priorities: GroupPriorities | null;
  readonly classes: readonly PendingClass[];
  /** Over the nodes of the snapshot. */
  readonly quotas: QuotaTracker;
  readonly estimator: Estimator;
  readonly startTimer: StartTimer;
  readonly chance: Chance;
}
