import type { Pod } from '../kubernetes/pod.js';
import { GPU_RESOURCES } from '../readiness/not-ready-copies.js';
import type { ScaleUpResult } from './result.js';

export interface GateInput {
  readonly nowMs: number;
  readonly pods: readonly Pod[];
  /** Ready and schedulable nodes. */
  readonly readyNodeCount: number;
  /** 0: no limit. */
  readonly maxNodesTotal: number;
  /** Pods of bypassed schedulers are not waited for. */
  readonly hasBypassedSchedulers: boolean;
  /** This iteration belongs to scale-down (graceful degradation). */
  readonly reservedForScaleDown: boolean;
}

/** Whether growth is looked at in this iteration, and for which pods (`scale-up` 2.5). */
export type Gate =
  | { readonly open: true; readonly pods: readonly Pod[]; readonly heldBack: readonly Pod[] }
  | {
      readonly open: false;
      readonly result: ScaleUpResult;
      /** All pods are new: nothing should be removed before they are looked at. */
      readonly pausesScaleDown: boolean;
    };

/** More pods of the same batch are likely to follow within this time. */
const NEW_POD_MS = 2_000;
/** GPU pods come in batches that take longer to appear. */
const NEW_GPU_POD_MS = 30_000;

export function judgeGate(input: GateInput): Gate {
  if (input.pods.length === 0) return closed('ScaleUpNotNeeded');
  if (input.maxNodesTotal > 0 && input.readyNodeCount >= input.maxNodesTotal) {
    return closed('ScaleUpLimitedByMaxNodesTotal');
  }
  const waiting = input.hasBypassedSchedulers ? new Set<Pod>() : newPods(input);
  if (waiting.size === input.pods.length) return closed('ScaleUpInCooldown', true);
  if (input.reservedForScaleDown) return closed('ScaleUpInCooldown');
  const pods = input.pods.filter((pod) => !waiting.has(pod));
  return { open: true, pods, heldBack: [...waiting] };
}

function closed(result: ScaleUpResult, pausesScaleDown = false): Gate {
  return { open: false, result, pausesScaleDown };
}

/**
 * The pods that are waited for: all, while the oldest is new; the GPU pods, while the oldest of these is new.
 *
 * differs from upstream: new GPU pods delay only themselves, not pods without GPU that are old enough (`scale-up` 15.25).
 */
function newPods({ pods, nowMs }: GateInput): ReadonlySet<Pod> {
  if (oldestMs(pods) + NEW_POD_MS > nowMs) return new Set(pods);
  const gpuPods = pods.filter((pod) => GPU_RESOURCES.some((name) => pod.shape.requests.has(name)));
  return oldestMs(gpuPods) + NEW_GPU_POD_MS > nowMs ? new Set(gpuPods) : new Set();
}

function oldestMs(pods: readonly Pod[]): number {
  return pods.reduce((oldest, pod) => Math.min(oldest, pod.createdMs), Number.POSITIVE_INFINITY);
}
