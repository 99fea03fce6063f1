import type { SchedulingOptions } from '../scheduling-options.js';
import type { Filter } from './filter.js';
import { nodeAffinity } from './node-affinity.js';
import { nodeName } from './node-name.js';
import { nodePorts } from './node-ports.js';
import { nodeResourcesFit } from './node-resources-fit.js';
import { nodeUnschedulable } from './node-unschedulable.js';
import { taintToleration } from './taint-toleration.js';

/** The scheduler's filters in its order (`scheduling` 0.1): the first that rejects is the only one reported. */
export function filterChain(options: SchedulingOptions): readonly Filter[] {
  return [
    nodeUnschedulable(options),
    nodeName,
    taintToleration(options),
    nodeAffinity(options),
    nodePorts,
    nodeResourcesFit,
  ];
}
