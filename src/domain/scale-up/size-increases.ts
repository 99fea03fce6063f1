import type { ExpansionOption } from '../expansion/expansion-option.js';
import { distribute } from '../node-group/distribute.js';
import type { SizeChange } from '../node-group/distribute.js';
import type { OpenGroup } from './judge-groups.js';
import type { ScaleUpPolicy } from './policy.js';
import type { ScaleUpInput } from './scale-up-input.js';

export interface SizedIncreases {
  readonly increases: readonly SizeChange[];
  /** `--max-nodes-total`, where it cut the growth. */
  readonly maxNodesReached: number | null;
}

/** Turns the chosen option into new sizes within all limits (`scale-up` 5.1 steps 11 to 15, 5.8). */
export function sizeIncreases(
  option: ExpansionOption,
  open: readonly OpenGroup[],
  input: ScaleUpInput,
  policy: ScaleUpPolicy,
): SizedIncreases {
  const room = policy.maxNodesTotal > 0 ? policy.maxNodesTotal - input.snapshot.nodeNames().length : Infinity;
  const isCut = option.nodeCount > room;
  const maxNodesReached = isCut ? policy.maxNodesTotal : null;
  const wanted = Math.max(0, Math.min(option.nodeCount, room));
  const { allowed } = input.quotas.check(option.template.node, wanted);
  const members = new Map(open.map((one) => [one.group.id, one]));
  const main = members.get(option.groupId)!;
  const similar = option.similarGroupIds
    .map((groupId) => members.get(groupId)!)
    .filter(({ template }) => input.quotas.check(template.node, 1).allowed > 0);
  const sizes = [main, ...similar].map(({ group }) => ({
    groupId: group.id,
    size: group.targetSize,
    maxSize: group.maxSize,
  }));
  const changes = distribute(sizes, allowed);
  return { increases: withinQuotas(changes, members, input), maxNodesReached };
}

/** What a group loses to a shared quota is not given to others; the next iteration sees to that. */
function withinQuotas(
  changes: readonly SizeChange[],
  members: ReadonlyMap<string, OpenGroup>,
  input: ScaleUpInput,
): readonly SizeChange[] {
  let quotas = input.quotas;
  const increases: SizeChange[] = [];
  for (const change of changes) {
    const { node } = members.get(change.groupId)!.template;
    const { allowed } = quotas.check(node, change.newSize - change.currentSize);
    if (allowed === 0) continue;
    quotas = quotas.consume(node, allowed);
    increases.push({ ...change, newSize: change.currentSize + allowed });
  }
  return increases;
}

export function addedNodes(increases: readonly SizeChange[]): number {
  return increases.reduce((sum, { currentSize, newSize }) => sum + newSize - currentSize, 0);
}
