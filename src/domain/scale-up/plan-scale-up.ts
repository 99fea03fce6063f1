import { chooseOption } from '../expansion/choose-option.js';
import type { Choice } from '../expansion/choose-option.js';
import type { ExpansionOption } from '../expansion/expansion-option.js';
import { expansionContext } from './expansion-context.js';
import { buildOption } from './build-option.js';
import { judgeGroups } from './judge-groups.js';
import { matchClasses } from './match-classes.js';
import { PlanDraft } from './plan-draft.js';
import type { ScaleUpPlan } from './plan.js';
import type { ScaleUpPolicy } from './policy.js';
import type { ScaleUpInput } from './scale-up-input.js';
import { similarGroups } from './similar-groups.js';
import { addedNodes, sizeIncreases } from './size-increases.js';
import type { Steps } from './steps.js';

/**
 * Decides which group grows, and by how much, for the pods that fit nowhere (`scale-up` 5). One option is chosen, spread
 * over its similar groups; what else is pending waits for the next round.
 */
export function* planScaleUp(input: ScaleUpInput, policy: ScaleUpPolicy): Steps<ScaleUpPlan> {
  const isOutOfTime = input.startTimer(policy.planningBudgetMs);
  const judged = judgeGroups(input, policy);
  const draft = new PlanDraft(input, judged);
  for (const { group, template } of judged.open) {
    draft.match(group.id, matchClasses(input.snapshot, template, input.classes));
    yield null;
  }
  const options: ExpansionOption[] = [];
  for (const main of judged.open) {
    const accepted = draft.accepted.get(main.group.id)!;
    if (accepted.size === 0) continue;
    const similar = similarGroups(main, judged.open, draft.accepted, policy);
    const estimated = buildOption(main, similar, accepted, input, policy);
    if (estimated.option === null) draft.unplaced(main.group.id, estimated.estimate);
    else options.push(estimated.option);
    yield 'scaleUp:estimate';
    if (isOutOfTime()) break;
  }
  const choice = chooseOption(options, policy.expanders, expansionContext(input), input.chance);
  if (policy.simulateSkippedGroups) draft.matchSkipped();
  if (choice === null) return draft.finish({ result: 'ScaleUpNoOptionsAvailable' });
  return planChoice(choice, draft, input, policy);
}

function planChoice(
  choice: Choice,
  draft: PlanDraft,
  input: ScaleUpInput,
  policy: ScaleUpPolicy,
): ScaleUpPlan {
  const { best } = choice;
  const { increases, maxNodesReached } = sizeIncreases(best, draft.judged.open, input, policy);
  if (increases.length > 0) {
    const placed = servedPods(best, addedNodes(increases), draft, input, policy);
    return draft.finish({ result: 'ScaleUpSuccessful', increases, choice, maxNodesReached, placed });
  }
  // differs from upstream: growth that limits cut to nothing is no success (`scale-up` 5.1 step 18).
  if (maxNodesReached === null) return draft.finish({ result: 'ScaleUpNoOptionsAvailable', choice });
  const error = { type: 'transientError', message: 'max node total count already reached' };
  return draft.finish({ result: 'ScaleUpError', choice, maxNodesReached, error });
}

/**
 * differs from upstream: only pods that the growth, cut by limits, can hold count as helped (`scale-up` 15.12).
 */
function servedPods(
  option: ExpansionOption,
  nodeCount: number,
  draft: PlanDraft,
  input: ScaleUpInput,
  policy: ScaleUpPolicy,
): readonly number[] {
  if (nodeCount >= option.nodeCount) return option.placed;
  const { open } = draft.judged;
  const main = open.find(({ group }) => group.id === option.groupId)!;
  const similar = open.filter(({ group }) => option.similarGroupIds.includes(group.id));
  const limited = { ...policy, maxNodesPerScaleUp: nodeCount };
  const accepted = draft.accepted.get(option.groupId)!;
  return buildOption(main, similar, accepted, input, limited).option?.placed ?? input.classes.map(() => 0);
}
