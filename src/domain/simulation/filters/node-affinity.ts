import { nodeSelectorMatches } from '../../kubernetes/match-selector.js';
import { namesAdmittedBy, requiredNodeAffinityMatches } from '../../kubernetes/node-affinity.js';
import type { Pod } from '../../kubernetes/pod.js';
import type { Demand } from '../demand.js';
import type { NodeTable } from '../node-table.js';
import type { SchedulingOptions } from '../scheduling-options.js';
import type { Filter, PreFilterResult } from './filter.js';

const PLUGIN = 'NodeAffinity';
const ADDED_REASONS = [{ rule: PLUGIN, text: "node(s) didn't match scheduler-enforced node affinity" }];
const POD_REASONS = [{ rule: PLUGIN, text: "node(s) didn't match Pod's node affinity/selector" }];
const CONFLICT: PreFilterResult = {
  kind: 'rejected',
  reason: { rule: PLUGIN, text: 'pod affinity terms conflict' },
};

/** `nodeSelector`, required node affinity and, if the scheduler has one, its added affinity (`scheduling` 3.4). */
export function nodeAffinity({ addedNodeAffinity: added }: SchedulingOptions): Filter {
  const matchesAdded = (nodes: NodeTable, row: number): boolean =>
    added === undefined || nodeSelectorMatches(added, nodes.nodes[row]!);
  return {
    plugin: PLUGIN,
    reads: 'node',
    preFilter: ({ pod }) => admittedNodes(pod),
    concerns: (demand) => added !== undefined || hasNodeAffinity(demand),
    accepts: ({ pod }, nodes, row) =>
      matchesAdded(nodes, row) && requiredNodeAffinityMatches(pod, nodes.nodes[row]!),
    explain: (_, nodes, row) => (matchesAdded(nodes, row) ? POD_REASONS : ADDED_REASONS),
  };
}

function hasNodeAffinity({ pod: { shape, pinnedNodeName } }: Demand): boolean {
  return pinnedNodeName !== '' || shape.nodeSelector.size > 0 || shape.nodeAffinity !== null;
}

/** The nodes that the terms name, if every term names some; the pin of a pod is part of each of its terms. */
function admittedNodes({ shape, pinnedNodeName }: Pod): PreFilterResult {
  const pin = pinnedNodeName === '' ? null : new Set([pinnedNodeName]);
  const terms = shape.nodeAffinity?.terms ?? [];
  if (terms.length === 0) return pin === null ? null : { kind: 'only-nodes', names: pin };
  const names = new Set<string>();
  for (const term of terms) {
    const admitted = namesAdmittedBy(term) ?? pin;
    if (admitted === null) return null;
    for (const name of admitted) if (pin === null || pin.has(name)) names.add(name);
  }
  return names.size === 0 ? CONFLICT : { kind: 'only-nodes', names };
}
