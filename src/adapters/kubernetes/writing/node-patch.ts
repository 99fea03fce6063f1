import type { NodePatch } from '../../../application/ports/cluster-writer.js';
import type { Taint } from '../../../domain/kubernetes/taint.js';
import type { NodeObject, TaintJson } from '../projection/api-objects.js';

/**
 * The node with the changes that are asked for, or null when it is so already. All other fields, known to us or not,
 * stay as they are.
 */
export function patchedNode(node: NodeObject, patch: NodePatch): NodeObject | null {
  const taints = node.spec?.taints ?? [];
  const kept = taints.filter((taint) => !(patch.removeTaints ?? []).includes(taint.key ?? ''));
  const added = (patch.addTaints ?? []).filter((taint) => !kept.some((known) => isSame(known, taint)));
  const wasUnschedulable = node.spec?.unschedulable === true;
  const unschedulable = patch.unschedulable ?? wasUnschedulable;
  const isChanged = kept.length !== taints.length || added.length > 0 || unschedulable !== wasUnschedulable;
  if (!isChanged) return null;
  const spec = { ...node.spec, taints: [...kept, ...added.map(taintJson)], unschedulable };
  return { ...node, spec };
}

/** Key and effect make a taint; one that is there keeps its value and time. */
function isSame(known: TaintJson, wanted: Taint): boolean {
  return known.key === wanted.key && known.effect === wanted.effect;
}

function taintJson({ key, value, effect }: Taint): TaintJson {
  return value === '' ? { key, effect } : { key, value, effect };
}
