import { isLongTerminating } from '../long-terminating-pod.js';
import type { DrainRule } from './rule.js';
import { SKIP } from './rule.js';

/** A pod that should be gone by now counts as gone. */
export const longTerminating: DrainRule = (pod, { nowMs }) =>
  isLongTerminating(pod, nowMs) ? SKIP : undefined;
