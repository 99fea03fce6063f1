import { DELETION_CANDIDATE_TAINT, TO_BE_DELETED_TAINT } from '../kubernetes/taint.js';
import type { Taint } from '../kubernetes/taint.js';

/** Which taints say something passing about a node (`scale-up` 9.5). */
export interface TaintPolicy {
  /** `--startup-taint` and its deprecated alias `--ignore-taint`: keys. Default none. */
  readonly startupTaints: readonly string[];
  /** `--startup-taint-prefix`: key prefixes besides the built-in ones. Default none. */
  readonly startupTaintPrefixes: readonly string[];
  /** `--status-taint`: keys. Default none. */
  readonly statusTaints: readonly string[];
}

export const DEFAULT_TAINT_POLICY: TaintPolicy = {
  startupTaints: [],
  startupTaintPrefixes: [],
  statusTaints: [],
};

const BUILT_IN_STARTUP_PREFIXES = [
  'startup-taint.cluster-autoscaler.kubernetes.io/',
  'ignore-taint.cluster-autoscaler.kubernetes.io/',
];
const STATUS_PREFIX = 'status-taint.cluster-autoscaler.kubernetes.io/';
const AUTOSCALER_TAINTS: ReadonlySet<string> = new Set([TO_BE_DELETED_TAINT, DELETION_CANDIDATE_TAINT]);
const CONDITION_TAINTS: ReadonlySet<string> = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/unschedulable',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/network-unavailable',
  'node.kubernetes.io/pid-pressure',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'node.cloudprovider.kubernetes.io/shutdown',
  'cloud.google.com/impending-node-termination',
  'NodeWithImpairedVolumes',
]);

export function isStartupTaint(taint: Taint, policy: TaintPolicy): boolean {
  const { key } = taint;
  return (
    policy.startupTaints.includes(key) ||
    BUILT_IN_STARTUP_PREFIXES.some((prefix) => key.startsWith(prefix)) ||
    policy.startupTaintPrefixes.some((prefix) => key.startsWith(prefix))
  );
}

export function isStatusTaint(taint: Taint, policy: TaintPolicy): boolean {
  return policy.statusTaints.includes(taint.key) || taint.key.startsWith(STATUS_PREFIX);
}

/** Taints that a fresh node of the same group would not carry. */
export function isPassingTaint(taint: Taint, policy: TaintPolicy): boolean {
  return (
    AUTOSCALER_TAINTS.has(taint.key) ||
    CONDITION_TAINTS.has(taint.key) ||
    isStartupTaint(taint, policy) ||
    isStatusTaint(taint, policy)
  );
}

/** Value of the label `type` of the metric `node_taints_count` (`interface` 2.2). */
export function taintMetricType(taint: Taint, policy: TaintPolicy): string {
  if (AUTOSCALER_TAINTS.has(taint.key) || CONDITION_TAINTS.has(taint.key)) return taint.key;
  const ignorePrefix = BUILT_IN_STARTUP_PREFIXES[1]!;
  if (taint.key.startsWith(ignorePrefix)) return ignorePrefix;
  if (isStartupTaint(taint, policy)) return 'startup-taint';
  return isStatusTaint(taint, policy) ? 'status-taint' : 'other';
}
