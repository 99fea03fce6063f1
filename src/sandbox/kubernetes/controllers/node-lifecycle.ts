import { conditionStatus, withCondition } from '../objects/condition.js';
import { NODES, PODS } from '../objects/kinds.js';
import { toleratesAll, tolerates } from '../objects/toleration.js';
import { parseTimestamp } from '../objects/time.js';
import type { Node, Pod, Taint } from '../objects/types.js';
import type { Registry } from '../registry/registry.js';
import type { OwnerIndex } from './owner-index.js';
import { deletePod, isFinished, markDisrupted, newlyBound } from './pods.js';
import { Reconciler, refOf } from './reconciler.js';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** Conditions that are shown as taints while they are true. */
const PRESSURE_TAINTS = new Map([
  ['MemoryPressure', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure', 'node.kubernetes.io/disk-pressure'],
  ['PIDPressure', 'node.kubernetes.io/pid-pressure'],
  ['NetworkUnavailable', 'node.kubernetes.io/network-unavailable'],
]);
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';
const OWN_KEYS = new Set([NOT_READY, UNREACHABLE, UNSCHEDULABLE, ...PRESSURE_TAINTS.values()]);

/**
 * Turns conditions and the cordon of a node into taints, marks the pods of an unready node unready, and deletes pods
 * that do not tolerate a NoExecute taint, or no longer. Nodes without a Ready condition are nobody's: left alone.
 */
export function nodeLifecycleController(registry: Registry, index: OwnerIndex): Reconciler {
  return new Reconciler(registry, (ref, reconciler) => {
    const node = registry.store.get(NODES, undefined, ref.name);
    if (node === undefined) return;
    writeTaints(registry, node);
    const ready = conditionStatus(node.status?.conditions, 'Ready');
    const pods = index.podsOn(ref.name);
    if (ready !== undefined && ready !== 'True') markUnready(registry, pods);
    const waitMs = evict(registry, registry.get(NODES, ref), pods);
    if (waitMs !== null) reconciler.addAfter(ref, waitMs);
  })
    .watchOwn(NODES)
    .watch(PODS, newlyBound);
}

function writeTaints(registry: Registry, node: Node): void {
  const wanted = wantedTaints(node);
  const present = node.spec?.taints ?? [];
  const same = (left: Taint, right: Taint): boolean => left.key === right.key && left.effect === right.effect;
  const kept = present.filter(
    (taint) => !OWN_KEYS.has(taint.key) || wanted.some((other) => same(taint, other)),
  );
  const added = wanted.filter((taint) => !present.some((other) => same(taint, other)));
  if (kept.length === present.length && added.length === 0) return;
  const now = registry.now();
  registry.modify(NODES, refOf(node), (draft) => {
    const spec = (draft.spec ??= {});
    const stamped = added.map((taint) => ({ ...taint, timeAdded: now }));
    spec.taints = [...kept.map((taint) => ({ ...taint })), ...stamped];
    if (spec.taints.length === 0) delete spec.taints;
  });
}

function wantedTaints({ spec, status }: Node): Taint[] {
  const conditions = status?.conditions;
  const ready = conditionStatus(conditions, 'Ready');
  const keys = ready === 'False' ? [NOT_READY] : ready === 'Unknown' ? [UNREACHABLE] : [];
  const taints: Taint[] = keys.flatMap((key) => [
    { key, effect: 'NoSchedule' },
    { key, effect: 'NoExecute' },
  ]);
  for (const [type, key] of PRESSURE_TAINTS) {
    if (conditionStatus(conditions, type) === 'True') taints.push({ key, effect: 'NoSchedule' });
  }
  if (spec?.unschedulable === true) taints.push({ key: UNSCHEDULABLE, effect: 'NoSchedule' });
  return taints;
}

/** A node that nobody hears of serves nobody: budgets must see that. */
function markUnready(registry: Registry, pods: readonly Pod[]): void {
  for (const pod of pods) {
    if (conditionStatus(pod.status?.conditions, 'Ready') !== 'True') continue;
    registry.modifyStatus(PODS, refOf(pod), (draft) => {
      const condition = { type: 'Ready', status: 'False', reason: 'NodeNotReady' };
      draft.status!.conditions = withCondition(draft.status!.conditions, condition, registry.now());
    });
  }
}

/** Deletes what must go now; returns the time in milliseconds until the next pod must go, or null. */
function evict(registry: Registry, node: Node, pods: readonly Pod[]): number | null {
  const taints = (node.spec?.taints ?? []).filter((taint) => taint.effect === 'NoExecute');
  if (taints.length === 0) return null;
  let next: number | null = null;
  for (const pod of pods) {
    if (pod.metadata.deletionTimestamp !== undefined || isFinished(pod)) continue;
    const waitMs = toleratedUntil(pod, taints) - registry.clock.now();
    if (waitMs === Infinity) continue;
    if (waitMs <= 0) evictOne(registry, pod);
    else next = Math.min(next ?? Infinity, waitMs);
  }
  return next;
}

function toleratedUntil(pod: Pod, taints: readonly Taint[]): number {
  const tolerations = pod.spec.tolerations ?? [];
  if (!toleratesAll(tolerations, taints)) return 0;
  const ends = taints.map((taint) => {
    const seconds = tolerations
      .filter((toleration) => tolerates(toleration, taint))
      .map((toleration) => toleration.tolerationSeconds ?? Infinity);
    return parseTimestamp(taint.timeAdded ?? '1970-01-01T00:00:00Z') + Math.min(...seconds) * 1_000;
  });
  return Math.min(...ends);
}

function evictOne(registry: Registry, pod: Pod): void {
  markDisrupted(registry, pod, {
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
  });
  deletePod(registry, pod);
}
