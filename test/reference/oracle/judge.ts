import type { NodeObject, PodObject } from './api-objects.js';
import { DEFAULT_OPTIONS, nameOf } from './cluster.js';
import type { Cluster, Question, SchedulerOptions } from './cluster.js';
import { dynamicResources } from './plugins/dynamic-resources.js';
import { interPodAffinity } from './plugins/inter-pod-affinity.js';
import { nodeAffinity } from './plugins/node-affinity.js';
import { nodeDeclaredFeatures } from './plugins/node-declared-features.js';
import { nodeName } from './plugins/node-name.js';
import { nodePorts } from './plugins/node-ports.js';
import { nodeResourcesFit } from './plugins/node-resources-fit.js';
import { nodeUnschedulable } from './plugins/node-unschedulable.js';
import { nodeVolumeLimits } from './plugins/node-volume-limits.js';
import type { Plugin } from './plugins/plugin.js';
import { podTopologySpread } from './plugins/pod-topology-spread.js';
import { taintToleration } from './plugins/taint-toleration.js';
import { volumeBinding } from './plugins/volume-binding.js';
import { volumeRestrictions } from './plugins/volume-restrictions.js';
import { volumeZone } from './plugins/volume-zone.js';
import { PRE_FILTER_EXCLUDED, PRE_FILTER_FAILED } from './verdict.js';
import type { OracleVerdict } from './verdict.js';

/** The chain of the default profile (`scheduling` 0.1). */
export const CHAIN: readonly Plugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
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

/**
 * What kube-scheduler's filters say of a pod and a node: a plain, slow reference, written from the specification
 * alone. It keeps nothing between two questions and shares no code with the program.
 */
export function judge(
  cluster: Cluster,
  pod: PodObject,
  node: NodeObject,
  options: SchedulerOptions = DEFAULT_OPTIONS,
): OracleVerdict {
  const question = { cluster, pod, node, options };
  return runPreFilters(question) ?? runFilters(question) ?? { fit: true };
}

function runPreFilters(question: Question): OracleVerdict | null {
  let excludedBy: Plugin | null = null;
  for (const plugin of CHAIN) {
    const answer = plugin.preFilter?.(question) ?? null;
    if (answer === null) continue;
    if ('rejection' in answer) {
      return { fit: false, plugin: plugin.name, reasons: [answer.rejection], message: PRE_FILTER_FAILED };
    }
    if (!answer.nodeNames.has(nameOf(question.node))) excludedBy ??= plugin;
  }
  if (excludedBy === null) return null;
  return { fit: false, plugin: excludedBy.name, reasons: [], message: PRE_FILTER_EXCLUDED };
}

function runFilters(question: Question): OracleVerdict | null {
  for (const plugin of CHAIN) {
    const reasons = plugin.filter(question);
    if (reasons.length > 0) return { fit: false, plugin: plugin.name, reasons };
  }
  return null;
}
