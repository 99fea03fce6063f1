import type { Taint, Toleration } from './types.js';

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = '', effect = '', operator = 'Equal', value = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (key !== '' && operator === 'Equal' && value === (taint.value ?? ''));
}

export function toleratesAll(tolerations: readonly Toleration[], taints: readonly Taint[]): boolean {
  return taints.every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
}
