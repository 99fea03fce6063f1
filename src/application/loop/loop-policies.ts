import type { Quota, TemplatePolicy } from '../../domain/node-group/index.js';
import type { ClusterStatePolicy } from '../../domain/readiness/index.js';
import type { PendingPodsPolicy, ScaleUpPolicy } from '../../domain/scale-up/index.js';

/** What the operator decided, as far as the loop hands it to the domain. Scale-down has its own settings. */
export interface LoopPolicies {
  readonly clusterState: ClusterStatePolicy;
  readonly pendingPods: PendingPodsPolicy;
  readonly scaleUp: ScaleUpPolicy;
  readonly templates: TemplatePolicy;
  readonly quotas: readonly Quota[];
}

export const LoopPolicies = Symbol('LoopPolicies');
