import type { NodeObject, PodObject, TaintObject, TolerationObject } from './api-objects.js';

/** Decimal integers without leading zeros or plus sign; `-0` is none. */
function parseStrictInteger(text: string): bigint | null {
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return null;
  const value = BigInt(text);
  return value >= -(2n ** 63n) && value < 2n ** 63n ? value : null;
}

/** Whether a toleration tolerates a taint (`scheduling` 3.0); `comparison`: the gate of Lt and Gt. */
function tolerates(toleration: TolerationObject, taint: TaintObject, comparison: boolean): boolean {
  const effect = toleration.effect ?? '';
  const key = toleration.key ?? '';
  if (effect !== '' && effect !== (taint.effect ?? '')) return false;
  if (key !== '' && key !== (taint.key ?? '')) return false;
  switch (toleration.operator ?? '') {
    case '':
    case 'Equal':
      return (toleration.value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    case 'Lt':
    case 'Gt':
      return comparison && comparisonTolerates(toleration, taint);
    default:
      return false;
  }
}

function comparisonTolerates(toleration: TolerationObject, taint: TaintObject): boolean {
  const bound = parseStrictInteger(toleration.value ?? '');
  const value = parseStrictInteger(taint.value ?? '');
  if (bound === null || value === null) return false;
  return toleration.operator === 'Gt' ? value > bound : value < bound;
}

export function isTolerated(pod: PodObject, taint: TaintObject, comparison: boolean): boolean {
  return (pod.spec?.tolerations ?? []).some((toleration) => tolerates(toleration, taint, comparison));
}

/** Whether any taint of the node that blocks (NoSchedule, NoExecute) is tolerated by no toleration of the pod. */
export function hasUntoleratedTaint(pod: PodObject, node: NodeObject, comparison: boolean): boolean {
  return (node.spec?.taints ?? []).some(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && !isTolerated(pod, taint, comparison),
  );
}
