import type { Taint, Toleration } from './taint.js';

export interface TolerationOptions {
  /**
   * Gate TaintTolerationComparisonOperators: operators `Lt` and `Gt` count. Off in Kubernetes up to 1.37; such a
   * toleration then tolerates nothing.
   */
  readonly comparisonOperators?: boolean;
}

/** Whether the toleration lets a pod ignore the taint (`scheduling` 3.0). Unknown operators tolerate nothing. */
export function tolerates(toleration: Toleration, taint: Taint, options: TolerationOptions = {}): boolean {
  if (toleration.effect !== '' && toleration.effect !== taint.effect) return false;
  if (toleration.key !== '' && toleration.key !== taint.key) return false;
  switch (toleration.operator) {
    case '':
    case 'Equal':
      return toleration.value === taint.value;
    case 'Exists':
      return true;
    case 'Lt':
    case 'Gt':
      return options.comparisonOperators === true && comparisonHolds(toleration, taint);
    default:
      return false;
  }
}

/** `Gt`: the taint's value is larger than the toleration's. */
function comparisonHolds(toleration: Toleration, taint: Taint): boolean {
  const bound = parsePlainInteger(toleration.value);
  const actual = parsePlainInteger(taint.value);
  if (bound === null || actual === null) return false;
  return toleration.operator === 'Gt' ? actual > bound : actual < bound;
}

/** A decimal 64-bit integer without `+`, leading zeros or `-0`; else null. */
function parsePlainInteger(text: string): bigint | null {
  if (!/^(?:0|-?[1-9][0-9]{0,18})$/.test(text)) return null;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : null;
}

/** Taints of effect PreferNoSchedule never block. */
export function isBlocking(taint: Taint): boolean {
  return taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';
}

/** The first blocking taint that nothing tolerates, or undefined. */
export function firstUntoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  options: TolerationOptions = {},
): Taint | undefined {
  return taints.find(
    (taint) => isBlocking(taint) && !tolerations.some((toleration) => tolerates(toleration, taint, options)),
  );
}
