import type { Instance, NodeGroup } from '../node-group/node-group.js';
import { entryOf, withEntry } from './keyed.js';
import type { ClusterStateMemory } from './memory.js';
import { provisionTimeMs } from './policy.js';
import type { ClusterStatePolicy } from './policy.js';
import { existingCount, isFailedInstance } from './registration.js';
import type { GroupState, ScalingState } from './scaling-state.js';

/** A target that asks for machines that will not come. */
export interface TargetCut {
  readonly groupId: string;
  /** At least one. */
  readonly count: number;
}

/** Machines of one group to delete. */
export interface MachineRemoval {
  readonly groupId: string;
  readonly machines: readonly Instance[];
  /** Lift the minimum. */
  readonly force: boolean;
}

export type RepairKind = 'release-unregistered' | 'release-failed' | 'lower-target';

/** What the autoscaler puts right before it decides anything new. */
export interface RepairPlan {
  /** Machines whose node never joined (`scale-up` 11.5). */
  readonly unregistered: readonly MachineRemoval[];
  /** Machines that the cloud could not make (`scale-up` 11.4). */
  readonly failed: readonly MachineRemoval[];
  /** Targets above what exists, for longer than the provision time (`scale-up` 11.7). */
  readonly incorrectSizes: readonly TargetCut[];
  /** Groups whose overdue machines stay because the minimum forbids their removal. */
  readonly keptAtMinimum: readonly string[];
}

/** First pause after a refused repair; doubles up to the maximum (`scale-up` 15.11 asks for pacing). */
const RETRY_FIRST_MS = 10_000;
const RETRY_MAX_MS = 5 * 60_000;

/** `reverting`: groups whose target is being lowered for another reason in the same iteration. */
export function planRepairs(
  state: ScalingState,
  memory: ClusterStateMemory,
  policy: ClusterStatePolicy,
  reverting: readonly TargetCut[] = [],
): RepairPlan {
  const unregistered: MachineRemoval[] = [];
  const failed: MachineRemoval[] = [];
  const incorrectSizes: TargetCut[] = [];
  const keptAtMinimum: string[] = [];
  const cut = new Set(reverting.map((revert) => revert.groupId));
  const isDue = (kind: RepairKind, groupId: string): boolean =>
    (entryOf(memory.repairRetries, retryKey(kind, groupId))?.notBeforeMs ?? 0) <= state.nowMs;
  for (const group of state.groups.values()) {
    const { id } = group.group;
    if (group.counts.longUnregistered.length > 0 && isDue('release-unregistered', id)) {
      const removal = overdueMachines(group, policy);
      if (removal === null) keptAtMinimum.push(id);
      else if (removal.machines.length > 0) unregistered.push(removal);
    }
    const removal = failedMachines(group.group, policy);
    if (removal.machines.length > 0 && isDue('release-failed', id)) failed.push(removal);
    const count = cut.has(id) ? 0 : sizeCut(group, state.nowMs, policy);
    if (count > 0 && isDue('lower-target', id)) incorrectSizes.push({ groupId: id, count });
  }
  return { unregistered, failed, incorrectSizes, keptAtMinimum };
}

/** Null: the minimum forbids it. */
function overdueMachines(state: GroupState, policy: ClusterStatePolicy): MachineRemoval | null {
  const { group } = state;
  const overdue = [...state.counts.longUnregistered].sort(
    (left, right) => left.sinceMs - right.sinceMs || compareText(left.instance.id, right.instance.id),
  );
  const force = policy.forceDeleteUnregisteredNodes;
  const possible = force ? overdue.length : group.targetSize - group.minSize;
  if (possible <= 0) return null;
  const machines = overdue.slice(0, possible).map((one) => one.instance);
  return { groupId: group.id, machines: wholeOrNone(group, machines), force };
}

function failedMachines(group: NodeGroup, policy: ClusterStatePolicy): MachineRemoval {
  const machines = wholeOrNone(group, group.instances.filter(isFailedInstance));
  return { groupId: group.id, machines, force: policy.forceDeleteFailedNodes };
}

/** A group that is empty or full goes as a whole, or waits for the rest when it may grow in parts (`scale-up` 11.6). */
function wholeOrNone(group: NodeGroup, machines: readonly Instance[]): readonly Instance[] {
  if (group.options.zeroOrMaxNodeScaling !== true || machines.length === 0) return machines;
  const isAll = machines.length === group.instances.length;
  return isAll || group.options.allowNonAtomicScaleUpToMax !== true ? group.instances : [];
}

/**
 * differs from upstream: instances that exist without a node are left out of the cut; lowering the target below them
 * could only be refused or kill them.
 */
function sizeCut(state: GroupState, nowMs: number, policy: ClusterStatePolicy): number {
  const wrong = state.incorrectSize;
  if (wrong === null || wrong.firstObservedMs + provisionTimeMs(state.group, policy) >= nowMs) return 0;
  return Math.min(wrong.target - wrong.registered, wrong.target - existingCount(state.group));
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function retryKey(kind: RepairKind, groupId: string): string {
  return `${kind} ${groupId}`;
}

/** Group ids have no white space. */
export function groupOfRetry(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}

/** Enters how a repair went: refusals are tried again later and later, a success clears the pause. */
export function recordRepair(
  memory: ClusterStateMemory,
  repair: {
    readonly kind: RepairKind;
    readonly groupId: string;
    readonly succeeded: boolean;
    readonly atMs: number;
  },
): ClusterStateMemory {
  const key = retryKey(repair.kind, repair.groupId);
  if (repair.succeeded) {
    return { ...memory, repairRetries: withEntry(memory.repairRetries, key, null) };
  }
  const failures = (entryOf(memory.repairRetries, key)?.failures ?? 0) + 1;
  const pauseMs = Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS);
  const retry = { failures, notBeforeMs: repair.atMs + pauseMs };
  return { ...memory, repairRetries: withEntry(memory.repairRetries, key, retry) };
}
