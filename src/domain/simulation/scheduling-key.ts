import type { Pod, PodShape } from '../kubernetes/pod.js';
import type { Requirement } from '../kubernetes/selectors.js';

/**
 * Text that is equal for shapes that no filter can tell apart (`scheduling` 5.3, as far as the filters in
 * `filters/filter-chain.ts` read). Labels and claims are kept beside the shape, and so is the pin to a node.
 */
export function schedulingKey(shape: PodShape): string {
  let key = keys.get(shape);
  if (key === undefined) {
    key = textOf(shape);
    keys.set(shape, key);
  }
  return key;
}

/** Shapes are immutable and live as long as their pods: the text is computed once for all loops. */
const keys = new WeakMap<PodShape, string>();

/** The key of a pod without a node: pods of a DaemonSet differ from each other in the node they are pinned to. */
export function podSchedulingKey(pod: Pick<Pod, 'shape' | 'pinnedNodeName'>): string {
  const key = schedulingKey(pod.shape);
  return pod.pinnedNodeName === '' ? key : JSON.stringify([key, pod.pinnedNodeName]);
}

function textOf(shape: PodShape): string {
  return JSON.stringify([
    sorted([...shape.requests].filter(([, amount]) => amount > 0)),
    asSet(shape.hostPorts.map(({ hostIp, protocol, port }) => [hostIp, protocol, port])),
    asSet(
      shape.tolerations
        .filter((toleration) => toleration.effect !== 'PreferNoSchedule')
        .map(({ key, operator, value, effect }) => [key, operator || 'Equal', value, effect]),
    ),
    sorted([...shape.nodeSelector]),
    shape.nodeAffinity === null
      ? null
      : asSet(
          shape.nodeAffinity.terms.map((term) => [
            asSet(term.matchExpressions.map(requirementParts)),
            asSet(term.matchFields.map(requirementParts)),
          ]),
        ),
  ]);
}

/** Values are sorted but not deduplicated: their number decides whether some operators are well-formed. */
function requirementParts({ key, operator, values }: Requirement): unknown {
  return [key, operator, [...values].sort()];
}

function asSet(parts: readonly unknown[]): string[] {
  return [...new Set(parts.map((part) => JSON.stringify(part)))].sort();
}

function sorted(entries: readonly (readonly [string, unknown])[]): unknown {
  return [...entries].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
}
