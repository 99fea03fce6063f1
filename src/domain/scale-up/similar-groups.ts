import { areSimilar } from '../node-group/similarity.js';
import type { OpenGroup } from './judge-groups.js';
import type { ScaleUpPolicy } from './policy.js';

/** Indices of the classes that a fresh node of the group takes. */
export type AcceptedClasses = ReadonlyMap<string, ReadonlySet<number>>;

/** Open groups that may share the growth of this one: alike, and good for at least the same pods (`scale-up` 5.6). */
export function similarGroups(
  main: OpenGroup,
  open: readonly OpenGroup[],
  accepted: AcceptedClasses,
  policy: ScaleUpPolicy,
): readonly OpenGroup[] {
  if (!policy.balanceSimilarGroups || isAtomic(main)) return [];
  const wanted = accepted.get(main.group.id);
  if (wanted === undefined || wanted.size === 0) return [];
  return open.filter((other) => {
    if (other.group.id === main.group.id || isAtomic(other)) return false;
    if (!areSimilar(main.template, other.template, policy.similarity)) return false;
    const taken = accepted.get(other.group.id);
    return [...wanted].every((index) => taken?.has(index) === true);
  });
}

function isAtomic({ group }: OpenGroup): boolean {
  return group.options.zeroOrMaxNodeScaling === true;
}
