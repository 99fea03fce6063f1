import type { Node } from '../kubernetes/node.js';
import { DELETION_CANDIDATE_TAINT } from '../kubernetes/taint.js';
import { entryOf, withEntry } from '../readiness/keyed.js';
import type { Keyed } from '../readiness/keyed.js';
import { markedAtMs } from './marks.js';
import type { BlockingPod, UnremovableReasonRecord } from './unremovable.js';

/** A node whose simulation failed is not looked at again before the deadline, unless its situation changed. */
export interface Recheck {
  readonly deadlineMs: number;
  readonly reason: UnremovableReasonRecord;
  readonly blockingPod: BlockingPod | null;
  /** Pods on the node when it was judged: fewer of them may make it removable. */
  readonly podCount: number;
  /** Nodes of the cluster when it was judged: more of them may take its pods. */
  readonly nodeCount: number;
}

/** When something last happened to a group; null: not in this memory. */
export interface GroupActivity {
  readonly scaleUpMs: number | null;
  readonly deletionMs: number | null;
  readonly failureMs: number | null;
}

/**
 * What scale-down remembers between iterations. Plain data: it can be saved and restored as JSON. Changed only by the
 * functions below and by `planScaleDown`, which return a new one.
 */
export interface ScaleDownMemory {
  /** Since when each node is unneeded without interruption, by node name. */
  readonly unneededSinceMs: Keyed<number>;
  readonly rechecks: Keyed<Recheck>;
  /** Where pods went in the last two simulations, by pod; only a shortcut. */
  readonly hints: { readonly recent: Keyed<string>; readonly older: Keyed<string> };
  readonly lastUpdateMs: number | null;
  /** Distances of the latest updates, newest last. */
  readonly updateGapsMs: readonly number[];
  readonly lastScaleUpMs: number;
  readonly lastDeletionMs: number;
  readonly lastFailureMs: number;
  readonly groupActivity: Keyed<GroupActivity>;
}

/** A fresh process counts as idle for an hour (upstream constant), so that it starts without cooldown. */
const IDLE_BEFORE_START_MS = 3_600_000;

export function createScaleDownMemory(nowMs: number): ScaleDownMemory {
  const idleSinceMs = nowMs - IDLE_BEFORE_START_MS;
  return {
    unneededSinceMs: {},
    rechecks: {},
    hints: { recent: {}, older: {} },
    lastUpdateMs: null,
    updateGapsMs: [],
    lastScaleUpMs: idleSinceMs,
    lastDeletionMs: idleSinceMs,
    lastFailureMs: idleSinceMs,
    groupActivity: {},
  };
}

/** Unneeded timers start over: the cluster is unhealthy, or its state unknown. */
export function clearUnneeded(memory: ScaleDownMemory): ScaleDownMemory {
  return { ...memory, unneededSinceMs: {} };
}

/** A scale-up was carried out for these groups. */
export function recordScaleUp(
  memory: ScaleDownMemory,
  nowMs: number,
  groupIds: readonly string[],
): ScaleDownMemory {
  const activity = groupIds.reduce(
    (table, id) => noted(table, id, { scaleUpMs: nowMs }),
    memory.groupActivity,
  );
  return { ...memory, lastScaleUpMs: nowMs, groupActivity: activity };
}

/** Deletions were started. */
export function recordDeletionStart(memory: ScaleDownMemory, nowMs: number): ScaleDownMemory {
  return { ...memory, lastDeletionMs: nowMs };
}

/** Nodes could not be marked. */
export function recordMarkingFailure(memory: ScaleDownMemory, nowMs: number): ScaleDownMemory {
  return { ...memory, lastFailureMs: nowMs };
}

/** A deletion that ended, as far as the local delays count it. */
export interface EndedDeletion {
  readonly groupId: string;
  readonly endedMs: number;
  /** `refused`: the cloud did not delete; other failures are not counted, as upstream does. */
  readonly outcome: 'deleted' | 'refused' | 'aborted';
}

export function recordEndedDeletions(
  memory: ScaleDownMemory,
  ended: readonly EndedDeletion[],
): ScaleDownMemory {
  let groupActivity = memory.groupActivity;
  for (const { groupId, endedMs, outcome } of ended) {
    if (outcome === 'deleted') groupActivity = noted(groupActivity, groupId, { deletionMs: endedMs });
    if (outcome === 'refused') groupActivity = noted(groupActivity, groupId, { failureMs: endedMs });
  }
  return groupActivity === memory.groupActivity ? memory : { ...memory, groupActivity };
}

/**
 * After a restart: nodes whose soft taint is at most `ttlMs` old are unneeded since then (`scale-down` 8.12). The next
 * plan must confirm them. A `ttlMs` of 0 restores nothing.
 */
export function restoreUnneeded(
  memory: ScaleDownMemory,
  nodes: readonly Node[],
  ttlMs: number,
  nowMs: number,
): ScaleDownMemory {
  if (ttlMs <= 0) return memory;
  const restored = nodes.flatMap((node): [string, number][] => {
    const sinceMs = markedAtMs(node, DELETION_CANDIDATE_TAINT);
    return sinceMs !== null && sinceMs + ttlMs >= nowMs ? [[node.name, sinceMs]] : [];
  });
  return { ...memory, unneededSinceMs: Object.fromEntries(restored) };
}

function noted(table: Keyed<GroupActivity>, id: string, news: Partial<GroupActivity>): Keyed<GroupActivity> {
  const known = entryOf(table, id) ?? { scaleUpMs: null, deletionMs: null, failureMs: null };
  return withEntry(table, id, { ...known, ...news });
}
