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
      /**
       * All pods are new: nothing should be removed before they are looked at, which is to be at this time. Null: that is
       * not the reason.
       */
      readonly opensAtMs: number | null;
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
  const batch = input.hasBypassedSchedulers ? NO_BATCH : newPods(input);
  if (batch.pods.size === input.pods.length) return closed('ScaleUpInCooldown', batch.isCompleteAtMs);
  if (input.reservedForScaleDown) return closed('ScaleUpInCooldown');
  const pods = input.pods.filter((pod) => !batch.pods.has(pod));
  return { open: true, pods, heldBack: [...batch.pods] };
}

function closed(result: ScaleUpResult, opensAtMs: number | null = null): Gate {
  return { open: false, result, opensAtMs };
}

/** Pods that are waited for, and until when. */
interface Batch {
  readonly pods: ReadonlySet<Pod>;
  readonly isCompleteAtMs: number;
}

const NO_BATCH: Batch = { pods: new Set(), isCompleteAtMs: Number.NEGATIVE_INFINITY };

/**
 * The pods that are waited for: all, while the oldest is new; the GPU pods, while the oldest of these is new.
 *
 * differs from upstream: new GPU pods delay only themselves, not pods without GPU that are old enough (`scale-up` 15.25).
 */
function newPods({ pods, nowMs }: GateInput): Batch {
  const isCompleteAtMs = oldestMs(pods) + NEW_POD_MS;
  if (isCompleteAtMs > nowMs) return { pods: new Set(pods), isCompleteAtMs };
  const gpuPods = pods.filter((pod) => GPU_RESOURCES.some((name) => pod.shape.requests.has(name)));
  const areCompleteAtMs = oldestMs(gpuPods) + NEW_GPU_POD_MS;
  return areCompleteAtMs > nowMs ? { pods: new Set(gpuPods), isCompleteAtMs: areCompleteAtMs } : NO_BATCH;
}

function oldestMs(pods: readonly Pod[]): number {
  return pods.reduce((oldest, pod) => Math.min(oldest, pod.createdMs), Number.POSITIVE_INFINITY);
}
