import type { NodeGroup, NodeTemplate } from '../node-group/node-group.js';
import type { Reason } from '../reason.js';
import type { GroupState } from '../readiness/scaling-state.js';
import type { ScaleUpPolicy } from './policy.js';
import type { ScaleUpInput } from './scale-up-input.js';
import { ATOMIC_LIMIT, BACKED_OFF, MAX_SIZE, NOT_READY, NO_TEMPLATE, quotaExceeded } from './skip-reasons.js';

type JudgeInput = Pick<ScaleUpInput, 'state' | 'snapshot' | 'templates' | 'quotas'>;
type JudgePolicy = Pick<ScaleUpPolicy, 'maxNodesTotal'>;

/** A group that may grow. */
export interface OpenGroup {
  readonly group: NodeGroup;
  readonly template: NodeTemplate;
}

export interface JudgedGroups {
  /** In the provider's order. */
  readonly open: readonly OpenGroup[];
  readonly skipped: ReadonlyMap<string, readonly Reason[]>;
  /** Resource names of exceeded quotas, one entry for each group and resource. */
  readonly limitHits: readonly string[];
}

/** Sorts out the groups that may not grow now; the first rule that fails gives the reason (`scale-up` 5.3). */
export function judgeGroups(input: JudgeInput, policy: JudgePolicy): JudgedGroups {
  const open: OpenGroup[] = [];
  const skipped = new Map<string, readonly Reason[]>();
  const limitHits: string[] = [];
  for (const state of input.state.groups.values()) {
    const { group } = state;
    const template = input.templates.get(group.id);
    const reason = stateReason(state, template, input, policy);
    if (reason !== null || template === undefined) {
      skipped.set(group.id, [reason ?? NO_TEMPLATE]);
      continue;
    }
    const { exceeded } = input.quotas.check(template.node, smallestGrowth(group));
    if (exceeded.length > 0) {
      skipped.set(group.id, exceeded.map(quotaExceeded));
      limitHits.push(...exceeded.flatMap((quota) => quota.resources));
      continue;
    }
    open.push({ group, template });
  }
  return { open, skipped, limitHits };
}

function stateReason(
  state: GroupState,
  template: NodeTemplate | undefined,
  input: JudgeInput,
  policy: JudgePolicy,
): Reason | null {
  const { group } = state;
  if (!state.healthy) return NOT_READY;
  if (state.backOff !== null) return BACKED_OFF;
  if (group.targetSize >= group.maxSize) return MAX_SIZE;
  if (group.options.zeroOrMaxNodeScaling === true && policy.maxNodesTotal > 0) {
    const nodes = input.snapshot.nodeNames().length + smallestGrowth(group);
    if (nodes > policy.maxNodesTotal) return ATOMIC_LIMIT;
  }
  return template === undefined ? NO_TEMPLATE : null;
}

/** One node; all that are missing where the group may only be empty or full. */
export function smallestGrowth(group: NodeGroup): number {
  return group.options.zeroOrMaxNodeScaling === true ? group.maxSize - group.targetSize : 1;
}
