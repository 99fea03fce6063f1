import type { Node } from '../kubernetes/node.js';
import type { Pod } from '../kubernetes/pod.js';
import { isDaemonSetPod, isMirrorPod } from '../kubernetes/pod-kinds.js';
import { CPU, MEMORY } from '../kubernetes/resources.js';
import { GPU_RESOURCES } from '../readiness/not-ready-copies.js';
import { isLongTerminating } from './long-terminating-pod.js';

/** How much of a node is asked for, 0 to 1 and above; `value` is what the threshold is held against. */
export interface Utilization {
  readonly cpu: number;
  readonly memory: number;
  readonly gpu: number;
  /** The resource that `value` belongs to. */
  readonly resource: string;
  readonly value: number;
}

export interface UtilizationRules {
  readonly nowMs: number;
  readonly ignoreDaemonSets: boolean;
  readonly ignoreMirrorPods: boolean;
  /** Label key that marks this cloud's GPU nodes. */
  readonly gpuLabel: string;
}

/**
 * Utilization by requests (`scale-down` 4), without devices from resource claims: their slices are not observed. Null
 * when the node tells no CPU or memory.
 */
export function nodeUtilization(
  node: Node,
  pods: readonly Pod[],
  rules: UtilizationRules,
): Utilization | null {
  if (isGpuNode(node, rules.gpuLabel)) return gpuUtilization(node, pods, rules);
  const allocatable = (name: string) => node.allocatable.get(name) ?? 0;
  if (allocatable(CPU) <= 0 || allocatable(MEMORY) <= 0) return null;
  const [cpu, memory] = shares([CPU, MEMORY], node, pods, rules) as [number, number];
  const resource = cpu > memory ? CPU : MEMORY;
  return { cpu, memory, gpu: 0, resource, value: Math.max(cpu, memory) };
}

export function isGpuNode(node: Node, gpuLabel: string): boolean {
  return node.labels.has(gpuLabel);
}

/** Name of the GPU resource that the node offers, or undefined while its driver has not shown any. */
export function gpuResourceOf(node: Node): string | undefined {
  return GPU_RESOURCES.find((name) => (node.allocatable.get(name) ?? 0) > 0);
}

/** Only GPUs count. A node whose driver never came up is used by nobody, and may go. */
function gpuUtilization(node: Node, pods: readonly Pod[], rules: UtilizationRules): Utilization {
  const resource = gpuResourceOf(node);
  if (resource === undefined) return { cpu: 0, memory: 0, gpu: 0, resource: DEFAULT_GPU_RESOURCE, value: 0 };
  const gpu = shares([resource], node, pods, rules)[0] ?? 0;
  return { cpu: 0, memory: 0, gpu, resource, value: gpu };
}

const DEFAULT_GPU_RESOURCE = 'nvidia.com/gpu';

function shares(
  names: readonly string[],
  node: Node,
  pods: readonly Pod[],
  rules: UtilizationRules,
): readonly number[] {
  const used = names.map(() => 0);
  const excluded = names.map(() => 0);
  for (const pod of pods) {
    const sums = isExcluded(pod, rules) ? excluded : isLongTerminating(pod, rules.nowMs) ? null : used;
    if (sums === null) continue;
    const requests = pod.charged ?? pod.shape.requests;
    for (let index = 0; index < names.length; index++) sums[index]! += requests.get(names[index]!) ?? 0;
  }
  return names.map((name, index) =>
    share(used[index]!, (node.allocatable.get(name) ?? 0) - excluded[index]!),
  );
}

function isExcluded(pod: Pod, rules: UtilizationRules): boolean {
  return (rules.ignoreDaemonSets && isDaemonSetPod(pod)) || (rules.ignoreMirrorPods && isMirrorPod(pod));
}

/** differs from upstream: nothing of nothing is 0 and something of nothing is infinite, where upstream has NaN (W34). */
function share(used: number, available: number): number {
  if (available > 0) return used / available;
  return used > 0 ? Number.POSITIVE_INFINITY : 0;
}
