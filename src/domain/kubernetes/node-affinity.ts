import type { Labels } from './labels.js';
import { nodeSelectorMatches } from './match-selector.js';
import type { SelectableNode } from './match-selector.js';
import type { Pod } from './pod.js';
import type { NodeSelector, NodeSelectorTerm, Requirement } from './selectors.js';

/**
 * Whether the pod's `nodeSelector`, its required node affinity and its pin to a node name allow the node. Serves also
 * for 'should the DaemonSet run there' (`scheduling` 4.4).
 */
export function requiredNodeAffinityMatches(
  pod: Pick<Pod, 'shape' | 'pinnedNodeName'>,
  node: SelectableNode,
): boolean {
  if (pod.pinnedNodeName !== '' && pod.pinnedNodeName !== node.name) return false;
  if (!hasLabels(node.labels, pod.shape.nodeSelector)) return false;
  return pod.shape.nodeAffinity === null || nodeSelectorMatches(pod.shape.nodeAffinity, node);
}

function hasLabels(labels: Labels, wanted: Labels): boolean {
  for (const [key, value] of wanted) if (labels.get(key) !== value) return false;
  return true;
}

/** Names that a term admits through `metadata.name In`, or null where it does not restrict them. */
export function namesAdmittedBy(term: NodeSelectorTerm): ReadonlySet<string> | null {
  const sets = term.matchFields.filter(isNameIn).map((requirement) => requirement.values);
  const [first, ...others] = sets;
  if (first === undefined) return null;
  return new Set(first.filter((name) => others.every((values) => values.includes(name))));
}

function isNameIn(requirement: Requirement): boolean {
  return requirement.key === 'metadata.name' && requirement.operator === 'In';
}

export interface PinnedNodeAffinity {
  readonly pinnedNodeName: string;
  readonly nodeAffinity: NodeSelector | null;
}

/**
 * Splits a required node affinity into the one node that every term names and the rest, so that the pods of a
 * DaemonSet share one shape. The two parts together mean what the whole meant; an affinity that does not name one
 * single node in every term comes back whole, with an empty name.
 */
export function splitPinnedNode(affinity: NodeSelector | null): PinnedNodeAffinity {
  const pin = affinity === null ? null : commonPin(affinity.terms);
  if (affinity === null || pin === null) return { pinnedNodeName: '', nodeAffinity: affinity };
  const rest = affinity.terms.map((term) => ({ matchExpressions: term.matchExpressions, matchFields: [] }));
  const isFree = rest.some((term) => term.matchExpressions.length === 0);
  return { pinnedNodeName: pin, nodeAffinity: isFree ? null : { terms: rest } };
}

/** The name that is the only field requirement of every term, or null. */
function commonPin(terms: readonly NodeSelectorTerm[]): string | null {
  const name = terms[0]?.matchFields[0]?.values[0];
  if (name === undefined || name === '') return null;
  const isPinned = terms.every(({ matchFields: [only, ...others] }) => {
    if (only === undefined || others.length > 0 || !isNameIn(only)) return false;
    return only.values.length === 1 && only.values[0] === name;
  });
  return isPinned ? name : null;
}
