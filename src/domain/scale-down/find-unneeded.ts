import type { Node } from '../kubernetes/node.js';
import type { Observation } from '../observation.js';
import type { Keyed } from '../readiness/keyed.js';
import { entryOf } from '../readiness/keyed.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import { ExpendablePods } from '../simulation/expendable-pods.js';
import type { RankedCandidate } from './candidates.js';
import { emptinessIn, sortCandidates } from './candidates.js';
import type { NodePods } from './collect-pods.js';
import { DisruptionTracker } from './disruption-tracker.js';
import type { DrainContext } from './drainability/rule.js';
import { judgeEligibility } from './eligibility.js';
import type { GroupIndex } from './group-index.js';
import { PlacementHints } from './hints.js';
import type { Recheck, ScaleDownMemory } from './memory.js';
import type { UnneededNode } from './plan.js';
import type { ScaleDownPolicy } from './policy.js';
import { awaitedPods, reserveRoom } from './recent-evictions.js';
import type { RemovalSimulation, RemovalWorld } from './simulate-removal.js';
import { simulateRemoval } from './simulate-removal.js';
import { unneededLimit } from './unneeded-limit.js';
import type { UnremovableNode } from './unremovable.js';
import type { Utilization } from './utilization.js';
import { WorkloadIndex } from './workload-index.js';

export interface UnneededSearch {
  readonly observation: Observation;
  readonly snapshot: ClusterSnapshot;
  readonly policy: ScaleDownPolicy;
  /** With the time of this update noted. */
  readonly memory: ScaleDownMemory;
  readonly gpuLabel: string;
  readonly groups: GroupIndex;
  readonly candidates: readonly Node[];
  readonly isOutOfTime: () => boolean;
}

export interface UnneededFindings {
  readonly unneeded: readonly UnneededNode[];
  readonly unremovable: readonly UnremovableNode[];
  readonly notEvaluated: readonly string[];
  readonly utilization: ReadonlyMap<string, Utilization>;
  readonly rechecks: Keyed<Recheck>;
  readonly hints: ScaleDownMemory['hints'];
}

/** Unneeded nodes and the others, in the making. */
interface Findings {
  readonly unneeded: UnneededNode[];
  readonly unremovable: UnremovableNode[];
  readonly notEvaluated: string[];
  readonly utilization: Map<string, Utilization>;
  readonly rechecks: Map<string, Recheck>;
}

/**
 * Which candidates could all go together (`scale-down` 2.8). Yields after every node, so that the caller can let others
 * run; meanwhile the snapshot is forked and must not be touched. At the end it is as it was, also after `return()`.
 */
export function* findUnneeded(search: UnneededSearch): Generator<undefined, UnneededFindings, undefined> {
  const findings: Findings = {
    unneeded: [],
    unremovable: [],
    notEvaluated: [],
    utilization: new Map(),
    rechecks: new Map(standingRechecks(search)),
  };
  const world = openWorld(search);
  search.snapshot.fork();
  try {
    reserveRoom(awaitedPods(search.observation), search.snapshot, (name) => world.destinations.has(name));
    const eligible = yield* findEligible(search, world, findings);
    const order = sortCandidates(eligible, search.memory);
    yield* simulateAll(order, search, world, findings);
  } finally {
    search.snapshot.revert();
  }
  return { ...findings, rechecks: Object.fromEntries(findings.rechecks), hints: world.hints.toMemory() };
}

function openWorld({ observation, snapshot, policy, memory, groups }: UnneededSearch): RemovalWorld {
  const { nowMs, nodes, workloads, daemonSets, disruptionBudgets } = observation;
  const drain: DrainContext = {
    nowMs,
    policy,
    workloads: new WorkloadIndex(workloads, daemonSets),
    budgets: new DisruptionTracker(disruptionBudgets),
  };
  const names = nodes.map(({ name }) => name).filter((name) => !groups.beingDeleted.has(name));
  return {
    snapshot,
    drain,
    destinations: new Set(names),
    expendable: new ExpendablePods(observation.pods, policy.expendablePriorityCutoff),
    hints: new PlacementHints(memory.hints),
  };
}

/** Deadlines that are still ahead, of nodes that still exist. */
function standingRechecks({ observation, memory, snapshot }: UnneededSearch): [string, Recheck][] {
  return Object.entries(memory.rechecks).filter(
    ([name, { deadlineMs }]) => deadlineMs > observation.nowMs && snapshot.hasNode(name),
  );
}

function* findEligible(
  search: UnneededSearch,
  { drain }: RemovalWorld,
  findings: Findings,
): Generator<undefined, RankedCandidate[], undefined> {
  const { observation, policy, memory, snapshot, gpuLabel, groups } = search;
  const context = {
    nowMs: observation.nowMs,
    policy,
    memory,
    snapshot,
    gpuLabel,
    nodeCount: observation.nodes.length,
  };
  const emptinessOf = emptinessIn(snapshot, drain);
  const eligible: RankedCandidate[] = [];
  for (const node of search.candidates) {
    const group = groups.groupOf(node.name);
    const verdict = judgeEligibility(node, group, context);
    if (verdict.utilization !== null) findings.utilization.set(node.name, verdict.utilization);
    if (verdict.eligible) {
      findings.rechecks.delete(node.name);
      const { utilization, ready } = verdict;
      eligible.push({ node, utilization, ready, emptiness: emptinessOf(node.name) });
    } else {
      const { reason, blockingPod } = verdict;
      findings.unremovable.push({ nodeName: node.name, groupId: group?.id ?? '', reason, blockingPod });
    }
    yield;
  }
  return eligible;
}

function* simulateAll(
  order: readonly RankedCandidate[],
  search: UnneededSearch,
  world: RemovalWorld,
  findings: Findings,
): Generator<undefined, void, undefined> {
  // Before the first simulation: later ones may find pods that earlier ones have moved in.
  const podCounts = new Map(order.map(({ node }) => [node.name, search.snapshot.podsOn(node.name).length]));
  const limit = unneededLimit(search.policy, search.memory);
  // Members of atomic groups don't count, so that a large group can become unneeded as a whole.
  let counted = 0;
  for (const [index, candidate] of order.entries()) {
    if (counted >= limit || search.isOutOfTime()) {
      findings.notEvaluated.push(...order.slice(index).map(({ node }) => node.name));
      return;
    }
    const { name } = candidate.node;
    const simulation = simulateRemoval(name, world);
    if (simulation.removable) {
      findings.unneeded.push(accept(candidate, simulation.pods, search, world));
      if (search.groups.groupOf(name)?.isAtomic !== true) counted++;
    } else {
      refuse(candidate, simulation, podCounts.get(name) ?? 0, { search, findings });
    }
    yield;
  }
}

function accept(
  { node, utilization, ready }: RankedCandidate,
  pods: NodePods,
  search: UnneededSearch,
  { drain }: RemovalWorld,
): UnneededNode {
  const { inParallel } = drain.budgets.canRemove(pods.toMove);
  drain.budgets.remove(pods.toMove);
  return {
    node,
    groupId: search.groups.groupOf(node.name)?.id ?? '',
    sinceMs: entryOf(search.memory.unneededSinceMs, node.name) ?? search.observation.nowMs,
    utilization,
    ready,
    isEmpty: pods.toMove.length === 0,
    isRisky: !inParallel,
    podsToMove: pods.toMove.filter((pod) => pod.nodeName === node.name),
    daemonSetPods: pods.daemonSet,
    onCompletionPods: pods.onCompletion,
  };
}

/**
 * differs from upstream: a node that only this plan stands in the way of is looked at again in the next iteration (W8).
 */
function refuse(
  { node }: RankedCandidate,
  { reason, blockingPod, blockedByPlan }: RemovalSimulation & { readonly removable: false },
  podCount: number,
  { search, findings }: { readonly search: UnneededSearch; readonly findings: Findings },
): void {
  const { observation, policy, groups } = search;
  const groupId = groups.groupOf(node.name)?.id ?? '';
  findings.unremovable.push({ nodeName: node.name, groupId, reason, blockingPod });
  if (blockedByPlan) return;
  const deadlineMs = observation.nowMs + policy.recheckTimeoutMs;
  const recheck = { deadlineMs, reason, blockingPod, podCount, nodeCount: observation.nodes.length };
  findings.rechecks.set(node.name, recheck);
}
