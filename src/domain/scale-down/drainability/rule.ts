import type { Pod } from '../../kubernetes/pod.js';
import type { DisruptionTracker } from '../disruption-tracker.js';
import type { ScaleDownPolicy } from '../policy.js';
import type { BlockingReason } from '../unremovable.js';
import type { WorkloadIndex } from '../workload-index.js';

/** What one rule says of one pod; undefined: nothing, ask the next rule. */
export type DrainVerdict =
  | undefined
  /** May be moved. */
  | { readonly kind: 'drain' }
  /** Neither moved nor in the way. */
  | { readonly kind: 'skip' }
  /** Stays until it has completed, and the node with it. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'block'; readonly reason: BlockingReason; readonly details: string };

export type DrainPolicy = Pick<
  ScaleDownPolicy,
  | 'skipNodesWithSystemPods'
  | 'systemPodBlocksForMs'
  | 'skipNodesWithLocalStorage'
  | 'skipNodesWithCustomControllerPods'
  | 'minReplicaCount'
>;

/** What the rules may look at besides the pod. */
export interface DrainContext {
  readonly nowMs: number;
  readonly policy: DrainPolicy;
  /** Null: controllers are not checked. */
  readonly workloads: WorkloadIndex | null;
  readonly budgets: DisruptionTracker;
}

/** One file a rule; {@link DRAINABILITY_RULES} lists them in order. */
export type DrainRule = (pod: Pod, context: DrainContext) => DrainVerdict;

export const DRAIN: DrainVerdict = { kind: 'drain' };
export const SKIP: DrainVerdict = { kind: 'skip' };
export const WAIT: DrainVerdict = { kind: 'wait' };

export function block(reason: BlockingReason, details = ''): DrainVerdict {
  return { kind: 'block', reason, details };
}
