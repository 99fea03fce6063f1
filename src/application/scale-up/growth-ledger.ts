import type { SizeChange } from '../../domain/node-group/index.js';
import type { NodeGroup } from '../../domain/node-group/node-group.js';
import type { Observation } from '../../domain/observation.js';
import { deriveScalingState, recordGrowth } from '../../domain/readiness/index.js';
import type {
  ClusterStateMemory,
  ClusterStatePolicy,
  Happening,
  ScalingState,
} from '../../domain/readiness/index.js';
import type { Execution } from './scale-up-executor.js';

/** The books after asking the cloud: what is remembered, how the groups stand now, what was accepted. */
export interface Ledger {
  readonly memory: ClusterStateMemory;
  readonly state: ScalingState;
  readonly accepted: readonly SizeChange[];
  /** Groups that are not grown for a while from now on. */
  readonly happenings: readonly Happening[];
}

export interface LedgerInput {
  readonly observation: Observation;
  readonly memory: ClusterStateMemory;
  readonly policy: ClusterStatePolicy;
  /** As the provider sees them after the execution. */
  readonly groups: readonly NodeGroup[];
  readonly atMs: number;
}

/** Enters what became of a plan. */
export function enterExecution(execution: Execution, input: LedgerInput): Ledger {
  const { observation, policy, groups, atMs } = input;
  const byId = new Map(groups.map((group) => [group.id, group]));
  let { memory } = input;
  for (const { change, accepted, failure } of execution.growths) {
    const group = byId.get(change.groupId);
    if (group !== undefined) memory = recordGrowth(memory, group, { accepted, failure }, atMs, policy);
  }
  const accepted = execution.growths
    .filter((growth) => growth.accepted > 0)
    .map(({ change, accepted: count }) => ({ ...change, newSize: change.currentSize + count }));
  const happenings = enteredBackOffs(input.memory, memory);
  return {
    memory,
    state: deriveScalingState({ ...observation, groups }, memory, policy),
    accepted,
    happenings,
  };
}

function enteredBackOffs(before: ClusterStateMemory, after: ClusterStateMemory): readonly Happening[] {
  return Object.values(after.backOffs)
    .filter((entry) => before.backOffs[entry.groupId] !== entry)
    .map(({ groupId, untilMs, failure }) => ({ kind: 'back-off-entered', groupId, untilMs, failure }));
}
