import type { Node } from '../kubernetes/node.js';
import { CPU, EPHEMERAL_STORAGE, MEMORY, PODS } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import { RESOURCE_NOT_READY, STARTUP_TAINT_REASON, rawReadiness } from './node-readiness.js';
import { isStartupTaint } from './taint-classes.js';
import type { TaintPolicy } from './taint-classes.js';

/** Resource names under which device plug-ins publish GPUs (`scale-up` 9.6). */
export const GPU_RESOURCES: readonly string[] = [
  'nvidia.com/gpu',
  'habana.ai/gaudi',
  'gpu.intel.com/xe',
  'amd.com/gpu',
  'microsoft.com/directx',
];

const BUILT_IN_RESOURCES: ReadonlySet<string> = new Set([CPU, MEMORY, PODS, EPHEMERAL_STORAGE]);

export interface NotReadyRules {
  readonly nowMs: number;
  readonly taints: TaintPolicy;
  /** Label that this cloud's GPU nodes carry. */
  readonly gpuLabel: string;
  readonly groupIdByNode: ReadonlyMap<string, string>;
  /** Allocatable of the provider's template by group id. */
  readonly promisedByGroup: ReadonlyMap<string, Resources>;
  readonly maxNodeStartupTimeMs: (groupId: string) => number;
}

/**
 * The nodes, with those that look ready too early replaced by copies whose Ready condition is False: nodes with a
 * startup taint and nodes whose devices are not visible yet.
 */
export function withNotReadyCopies(nodes: readonly Node[], rules: NotReadyRules): readonly Node[] {
  return nodes.map((node) => {
    if (node.unschedulable || !rawReadiness(node).ready) return node;
    if (lacksDevices(node, rules)) return notReadyCopy(node, RESOURCE_NOT_READY);
    const isStarting = node.taints.some((taint) => isStartupTaint(taint, rules.taints));
    return isStarting ? notReadyCopy(node, STARTUP_TAINT_REASON) : node;
  });
}

/** Ready, and the scheduler may use it. */
export function isUsable(node: Node): boolean {
  return !node.unschedulable && rawReadiness(node).ready;
}

function notReadyCopy(node: Node, reason: string): Node {
  const ready = { status: 'False', reason, changedMs: node.createdMs };
  return { ...node, conditions: { ...node.conditions, ready } };
}

function lacksDevices(node: Node, rules: NotReadyRules): boolean {
  if (node.labels.has(rules.gpuLabel)) return !GPU_RESOURCES.some((name) => has(node.allocatable, name));
  return lacksPromisedDevices(node, rules);
}

/**
 * differs from upstream: any extended resource of the provider's template is awaited, not only a GPU with a label, else
 * a second machine is bought while the first one's driver starts (case U023). Only for the start-up time: a template
 * that promises too much must not keep a whole group unready.
 */
function lacksPromisedDevices(node: Node, rules: NotReadyRules): boolean {
  const groupId = rules.groupIdByNode.get(node.name);
  if (groupId === undefined) return false;
  if (node.createdMs + rules.maxNodeStartupTimeMs(groupId) <= rules.nowMs) return false;
  const promised = rules.promisedByGroup.get(groupId) ?? new Map<string, number>();
  return [...promised].some(
    ([name, amount]) => amount > 0 && isExtended(name) && !has(node.allocatable, name),
  );
}

function isExtended(resource: string): boolean {
  return !BUILT_IN_RESOURCES.has(resource) && resource.includes('/');
}

function has(resources: Resources, name: string): boolean {
  return (resources.get(name) ?? 0) > 0;
}
