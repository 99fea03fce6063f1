import type { SchedulingOptions } from '../scheduling-options.js';
import { dynamicResources } from './dynamic-resources.js';
import type { Filter } from './filter.js';
import { interPodAffinity } from './inter-pod-affinity.js';
import { nodeAffinity } from './node-affinity.js';
import { nodeDeclaredFeatures } from './node-declared-features.js';
import { nodeName } from './node-name.js';
import { nodePorts } from './node-ports.js';
import { nodeResourcesFit } from './node-resources-fit.js';
import { nodeVolumeLimits } from './node-volume-limits.js';
import { nodeUnschedulable } from './node-unschedulable.js';
import { podTopologySpread } from './pod-topology-spread.js';
import { taintToleration } from './taint-toleration.js';
import { volumeBinding } from './volume-binding.js';
import { volumeRestrictions } from './volume-restrictions.js';
import { volumeZone } from './volume-zone.js';

/** The scheduler's filters in its order (`scheduling` 0.1): the first that rejects is the only one reported. */
export function filterChain(options: SchedulingOptions): readonly Filter[] {
  return [
    nodeUnschedulable(options),
    nodeName,
    taintToleration(options),
    nodeAffinity(options),
    nodePorts,
    nodeResourcesFit,
    volumeRestrictions,
    nodeVolumeLimits,
    volumeBinding,
    volumeZone,
    podTopologySpread,
    interPodAffinity,
    dynamicResources,
    nodeDeclaredFeatures,
  ];
}
