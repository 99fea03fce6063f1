import type { NodeSelectorTermObject } from '../api-objects.js';
import { labelsOf, nameOf } from '../cluster.js';
import { nodeSelectorMatches, requiredAffinityMatches, requiredNodeAffinity } from '../node-selector.js';
import type { Plugin } from './plugin.js';

/** `scheduling` 3.4 */
export const nodeAffinity: Plugin = {
  name: 'NodeAffinity',
  preFilter({ pod }) {
    const terms = requiredNodeAffinity(pod)?.nodeSelectorTerms ?? [];
    if (terms.length === 0) return null;
    const union = new Set<string>();
    for (const term of terms) {
      const names = namesOfTerm(term);
      if (names === null) return null;
      for (const name of names) union.add(name);
    }
    return union.size === 0 ? { rejection: 'pod affinity terms conflict' } : { nodeNames: union };
  },
  filter({ pod, node, options }) {
    const added = options.addedAffinity;
    if (added !== null && !nodeSelectorMatches(added, labelsOf(node), nameOf(node))) {
      return ["node(s) didn't match scheduler-enforced node affinity"];
    }
    return requiredAffinityMatches(pod, node) ? [] : ["node(s) didn't match Pod's node affinity/selector"];
  },
};

/** Names that all `metadata.name In` requirements of a term share; null where it has none. */
function namesOfTerm(term: NodeSelectorTermObject): string[] | null {
  let names: string[] | null = null;
  for (const field of term.matchFields ?? []) {
    if (field.key !== 'metadata.name' || field.operator !== 'In') continue;
    const values = field.values ?? [];
    names = names === null ? values : names.filter((name) => values.includes(name));
  }
  return names;
}
