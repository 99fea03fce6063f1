import { isMirrorPod } from '../../kubernetes/pod-kinds.js';
import type { DrainRule } from './rule.js';
import { SKIP } from './rule.js';

/** The kubelet's own pods go with the node. */
export const mirror: DrainRule = (pod) => (isMirrorPod(pod) ? SKIP : undefined);
