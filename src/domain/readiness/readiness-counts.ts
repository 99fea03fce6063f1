import type { Instance } from '../node-group/node-group.js';
import type { Node } from '../kubernetes/node.js';
import type { MachineExistence, Observation } from '../observation.js';
import { RESOURCE_NOT_READY, classifyReadiness, rawReadiness } from './node-readiness.js';
import { startupTimeMs } from './policy.js';
import type { ClusterStatePolicy } from './policy.js';

/** An instance without a node. */
export interface UnregisteredInstance {
  readonly instance: Instance;
  readonly sinceMs: number;
}

/** Nodes by class (names) and instances without node. Every registered node is in exactly one of the first five. */
export interface ReadinessCounts {
  readonly ready: readonly string[];
  readonly unready: readonly string[];
  readonly notStarted: readonly string[];
  readonly suspended: readonly string[];
  readonly deleted: readonly string[];
  /** Those of `unready` that wait for a device. */
  readonly resourceUnready: readonly string[];
  readonly unregistered: readonly UnregisteredInstance[];
  readonly longUnregistered: readonly UnregisteredInstance[];
}

export const NO_COUNTS: ReadinessCounts = {
  ready: [],
  unready: [],
  notStarted: [],
  suspended: [],
  deleted: [],
  resourceUnready: [],
  unregistered: [],
  longUnregistered: [],
};

type MutableCounts = { -readonly [Key in keyof ReadinessCounts]: ReadinessCounts[Key][number][] };

/** Nodes of every class. */
export function registeredCount(counts: ReadinessCounts): number {
  const { ready, unready, notStarted, suspended, deleted } = counts;
  return ready.length + unready.length + notStarted.length + suspended.length + deleted.length;
}

export interface CountedReadiness {
  readonly total: ReadinessCounts;
  readonly byGroup: ReadonlyMap<string, ReadinessCounts>;
}

/** Counts all nodes, foreign ones in the total only, and the instances without node (`scale-up` 3.3). */
export function countReadiness(
  observation: Observation,
  unregisteredSince: ReadonlyMap<string, number>,
  isLong: (groupId: string, sinceMs: number) => boolean,
  policy: ClusterStatePolicy,
): CountedReadiness {
  const total = emptyCounts();
  const byGroup = new Map<string, MutableCounts>();
  const groups = new Map(observation.groups.map((group) => [group.id, group]));
  const instances = new Map(
    observation.groups.flatMap((group) => group.instances.map((one) => [one.id, one])),
  );
  for (const node of observation.nodes) {
    const groupId = observation.groupIdByNode.get(node.name);
    const own = groupId === undefined ? undefined : countsOf(byGroup, groupId);
    const kind = classifyReadiness(node, {
      nowMs: observation.nowMs,
      maxNodeStartupTimeMs: startupTimeMs(groupId === undefined ? undefined : groups.get(groupId), policy),
      existence: existenceOf(node, instances.get(node.providerId), observation),
    });
    for (const counts of own === undefined ? [total] : [own, total]) addNode(counts, kind, node);
  }
  for (const group of observation.groups) {
    for (const instance of group.instances) {
      const sinceMs = unregisteredSince.get(instance.id);
      if (sinceMs === undefined) continue;
      const key = isLong(group.id, sinceMs) ? 'longUnregistered' : 'unregistered';
      countsOf(byGroup, group.id)[key].push({ instance, sinceMs });
      total[key].push({ instance, sinceMs });
    }
  }
  return { total, byGroup };
}

/**
 * differs from upstream: a machine whose deletion was accepted has left the target already. Counting its node as
 * ready would hide one machine on order for each (case U046).
 */
function existenceOf(node: Node, instance: Instance | undefined, observation: Observation): MachineExistence {
  if (instance?.state === 'deleting') return 'gone';
  const existence = observation.existenceByNode.get(node.name);
  if (existence !== undefined) return existence;
  if (instance !== undefined) return 'exists';
  return observation.groupIdByNode.has(node.name) ? 'unknown' : 'foreign';
}

function addNode(counts: MutableCounts, kind: ReturnType<typeof classifyReadiness>, node: Node): void {
  const key = kind === 'not-started' ? 'notStarted' : kind;
  counts[key].push(node.name);
  if (kind === 'unready' && rawReadiness(node).reason === RESOURCE_NOT_READY) {
    counts.resourceUnready.push(node.name);
  }
}

function countsOf(byGroup: Map<string, MutableCounts>, groupId: string): MutableCounts {
  let counts = byGroup.get(groupId);
  if (counts === undefined) byGroup.set(groupId, (counts = emptyCounts()));
  return counts;
}

function emptyCounts(): MutableCounts {
  return {
    ready: [],
    unready: [],
    notStarted: [],
    suspended: [],
    deleted: [],
    resourceUnready: [],
    unregistered: [],
    longUnregistered: [],
  };
}
