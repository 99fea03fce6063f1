import type { Node, NodeCondition } from '../kubernetes/node.js';
import { TO_BE_DELETED_TAINT, hasTaint } from '../kubernetes/taint.js';
import type { Taint } from '../kubernetes/taint.js';
import type { MachineExistence } from '../observation.js';

/** What the node says of itself (`scale-up` 3.3, raw readiness). */
export interface RawReadiness {
  readonly ready: boolean;
  /** Reason of the condition or key of the taint that made it not ready; empty when ready. */
  readonly reason: string;
  /** Latest change of the conditions and taints that were looked at, or null where the node tells no time. */
  readonly changedMs: number | null;
}

/** Classes of a registered node; each node has exactly one. */
export type ReadinessClass = 'deleted' | 'suspended' | 'ready' | 'not-started' | 'unready';

/** Reason of a node whose device driver has not shown the promised devices yet. */
export const RESOURCE_NOT_READY = 'cluster-autoscaler.kubernetes.io/resource-not-ready';
/** Reason of a node that still carries a startup taint. */
export const STARTUP_TAINT_REASON = 'cluster-autoscaler.kubernetes.io/startup-taint';

const NOT_READY_TAINTS: ReadonlySet<string> = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/network-unavailable',
]);

/** A node without a Ready condition counts as not ready. */
export function rawReadiness(node: Node): RawReadiness {
  const { ready, diskPressure, networkUnavailable } = node.conditions;
  const taints = node.taints.filter((taint) => NOT_READY_TAINTS.has(taint.key));
  const changedMs = latest([
    ...[ready, diskPressure, networkUnavailable].map((condition) => condition?.changedMs ?? null),
    ...taints.map((taint) => taint.timeAddedMs ?? null),
  ]);
  const reason = notReadyReason(ready, diskPressure, networkUnavailable, taints);
  return { ready: reason === null, reason: reason ?? '', changedMs };
}

function notReadyReason(
  ready: NodeCondition | null,
  diskPressure: NodeCondition | null,
  networkUnavailable: NodeCondition | null,
  taints: readonly Taint[],
): string | null {
  if (ready === null) return 'NoReadyCondition';
  if (ready.status !== 'True') return ready.reason;
  if (diskPressure?.status === 'True') return diskPressure.reason;
  if (networkUnavailable?.status === 'True') return networkUnavailable.reason;
  return taints[0]?.key ?? null;
}

function latest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** What the classification needs besides the node. */
export interface ReadinessContext {
  readonly nowMs: number;
  /** Of the node's own group, or the default where it has none. */
  readonly maxNodeStartupTimeMs: number;
  readonly existence: MachineExistence;
}

/** Class of a registered node; the first rule that matches decides. */
export function classifyReadiness(node: Node, context: ReadinessContext): ReadinessClass {
  if (isGone(node, context.existence)) return 'deleted';
  if (node.conditions.suspended?.status === 'True') return 'suspended';
  if (rawReadiness(node).ready) return 'ready';
  return node.createdMs + context.maxNodeStartupTimeMs > context.nowMs ? 'not-started' : 'unready';
}

/** Where the cloud could not tell, our own deletion mark decides. */
function isGone(node: Node, existence: MachineExistence): boolean {
  if (existence === 'unknown') return hasTaint(node.taints, TO_BE_DELETED_TAINT);
  return existence === 'gone';
}
