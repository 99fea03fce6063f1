import type { SizeChange } from '../node-group/distribute.js';
import type { ScaleUpInput } from './scale-up-input.js';
import type { ScaleUpPolicy } from './policy.js';
import { judgeGroups } from './judge-groups.js';

export interface MinimumSizesPlan {
  readonly increases: readonly SizeChange[];
  /** `--max-nodes-total`, where it cut the growth. */
  readonly maxNodesReached: number | null;
}

type MinimumSizesInput = Pick<ScaleUpInput, 'state' | 'snapshot' | 'templates' | 'quotas'>;

/**
 * Lifts groups below their minimum (`scale-up` 5.12).
 *
 * differs from upstream: cluster-wide limits are shared out between the groups in one pass, so they can't be overshot
 * (`scale-up` 15.8).
 */
export function planMinimumSizes(
  input: MinimumSizesInput,
  policy: Pick<ScaleUpPolicy, 'maxNodesTotal'>,
): MinimumSizesPlan {
  const increases: SizeChange[] = [];
  let { quotas } = input;
  let nodeCount = input.snapshot.nodeNames().length;
  let maxNodesReached: number | null = null;
  for (const { group, template } of judgeGroups(input, policy).open) {
    const missing = group.minSize - group.targetSize;
    if (missing <= 0) continue;
    const room = policy.maxNodesTotal > 0 ? Math.max(0, policy.maxNodesTotal - nodeCount) : Infinity;
    const { allowed } = quotas.check(template.node, missing);
    const delta = Math.min(allowed, room);
    if (delta < allowed) maxNodesReached = policy.maxNodesTotal;
    if (delta === 0) continue;
    quotas = quotas.consume(template.node, delta);
    nodeCount += delta;
    const { id: groupId, targetSize: currentSize, maxSize } = group;
    increases.push({ groupId, currentSize, newSize: currentSize + delta, maxSize });
  }
  return { increases, maxNodesReached };
}
