import { withCondition } from '../objects/condition.js';
import {
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  PODS,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  STATEFUL_SETS,
} from '../objects/kinds.js';
import { controllerOf } from '../objects/object.js';
import type { KubeObject } from '../objects/object.js';
import { selectorMatches } from '../objects/selector.js';
import { parseTimestamp } from '../objects/time.js';
import type { DisruptionBudget, Pod, ReplicatedWorkload } from '../objects/types.js';
import type { ObjectRef, Registry } from '../registry/registry.js';
import type { StoreEvent } from '../store/collection.js';
import { scaledValue } from './int-or-percent.js';
import { isFinished, isReady } from './pods.js';
import { Reconciler, refOf } from './reconciler.js';

/** An eviction that has not been seen after this long is taken as failed; upstream value. */
const EVICTION_SEEN_WITHIN_MS = 2 * 60_000;

/** Counts healthy pods and says how many may be disrupted. */
export function disruptionBudgetController(registry: Registry): Reconciler {
  return new Reconciler(registry, (ref, reconciler) => {
    const budget = registry.store.get(DISRUPTION_BUDGETS, ref.namespace, ref.name);
    if (budget === undefined) return;
    const pods = registry.store
      .list(PODS, ref.namespace)
      .filter((pod) => selectorMatches(budget.spec.selector, pod.metadata.labels) && !isFinished(pod));
    if (writeStatus(registry, budget, pods)) reconciler.addAfter(ref, EVICTION_SEEN_WITHIN_MS);
  })
    .watchOwn(DISRUPTION_BUDGETS)
    .watch(PODS, (event) => budgetsOf(registry, event));
}

function budgetsOf(registry: Registry, { current, previous }: StoreEvent<Pod>): ObjectRef[] {
  const { namespace } = current.object.metadata;
  return registry.store
    .list(DISRUPTION_BUDGETS, namespace)
    .filter(({ spec }) =>
      [current, previous].some((state) => selectorMatches(spec.selector, state?.object.metadata.labels)),
    )
    .map(refOf);
}

/** Returns whether evictions are still to be seen. */
function writeStatus(registry: Registry, budget: DisruptionBudget, pods: readonly Pod[]): boolean {
  const disruptedPods = pendingEvictions(registry, budget, pods);
  const currentHealthy = pods.filter((pod) => isHealthy(pod, disruptedPods)).length;
  const { expectedPods, desiredHealthy } = expectationOf(registry, budget, pods);
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  registry.modifyStatus(DISRUPTION_BUDGETS, refOf(budget), (draft) => {
    const condition = {
      type: 'DisruptionAllowed',
      status: disruptionsAllowed > 0 ? 'True' : 'False',
      reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
      observedGeneration: budget.metadata.generation ?? 1,
    };
    draft.status = {
      observedGeneration: budget.metadata.generation ?? 1,
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy,
      expectedPods,
      ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
      conditions: withCondition(draft.status?.conditions, condition, registry.now()),
    };
  });
  return Object.keys(disruptedPods).length > 0;
}

function pendingEvictions(
  registry: Registry,
  budget: DisruptionBudget,
  pods: readonly Pod[],
): Record<string, string> {
  const nowMs = registry.clock.now();
  const waiting = new Set(
    pods.filter((pod) => pod.metadata.deletionTimestamp === undefined).map((pod) => pod.metadata.name),
  );
  const entries = Object.entries(budget.status?.disruptedPods ?? {}).filter(
    ([name, time]) => waiting.has(name) && parseTimestamp(time) + EVICTION_SEEN_WITHIN_MS > nowMs,
  );
  return Object.fromEntries(entries);
}

function isHealthy(pod: Pod, disrupted: Readonly<Record<string, string>>): boolean {
  return pod.metadata.deletionTimestamp === undefined && !(pod.metadata.name in disrupted) && isReady(pod);
}

function expectationOf(
  registry: Registry,
  { spec }: DisruptionBudget,
  pods: readonly Pod[],
): { expectedPods: number; desiredHealthy: number } {
  if (typeof spec.minAvailable === 'number') {
    return { expectedPods: pods.length, desiredHealthy: spec.minAvailable };
  }
  const expectedPods = expectedOf(registry, pods);
  if (spec.maxUnavailable !== undefined) {
    const unavailable = scaledValue(spec.maxUnavailable, expectedPods, 'up');
    return { expectedPods, desiredHealthy: Math.max(0, expectedPods - unavailable) };
  }
  return { expectedPods, desiredHealthy: scaledValue(spec.minAvailable ?? 1, expectedPods, 'up') };
}

const SCALED_KINDS = [REPLICA_SETS, REPLICATION_CONTROLLERS, STATEFUL_SETS];

/** Sum over the controllers of the pods; pods that nobody controls stand for themselves. */
function expectedOf(registry: Registry, pods: readonly Pod[]): number {
  const sizes = new Map<string, number>();
  for (const pod of pods) {
    const scale = scaleOf(registry, pod);
    sizes.set(scale?.metadata.uid ?? pod.metadata.uid, scale?.spec.replicas ?? 1);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** The object whose size a user sets: for a Deployment's pod the Deployment, not its ReplicaSet. */
function scaleOf(registry: Registry, object: KubeObject): ReplicatedWorkload | undefined {
  const owner = controllerOf(object);
  const namespace = object.metadata.namespace;
  const kind = [...SCALED_KINDS, DEPLOYMENTS].find((candidate) => candidate.kind === owner?.kind);
  if (owner === undefined || kind === undefined) return undefined;
  const found = registry.store.get(kind, namespace, owner.name);
  if (found?.metadata.uid !== owner.uid) return undefined;
  return scaleOf(registry, found) ?? found;
}
