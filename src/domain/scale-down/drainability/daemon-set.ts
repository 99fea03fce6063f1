import { isDaemonSetPod } from '../../kubernetes/pod-kinds.js';
import type { DrainRule } from './rule.js';
import { DRAIN } from './rule.js';

/** DaemonSet pods never keep a node, whatever else is said of them. */
export const daemonSet: DrainRule = (pod) => (isDaemonSetPod(pod) ? DRAIN : undefined);
