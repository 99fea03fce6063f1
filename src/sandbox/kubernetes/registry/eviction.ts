import { ApiError, badRequest, forbidden } from '../objects/api-error.js';
import { conditionStatus, withCondition } from '../objects/condition.js';
import { DISRUPTION_BUDGETS, PODS } from '../objects/kinds.js';
import { isRecord } from '../objects/object.js';
import type { Manifest } from '../objects/object.js';
import { selectorMatches } from '../objects/selector.js';
import type { DisruptionBudget, Pod } from '../objects/types.js';
import { deleteObject } from './deletion.js';
import type { DeleteOptions } from './deletion.js';
import type { ObjectRef, Registry } from './registry.js';

/** Evictions that a budget counts but has not seen happen; upstream limit. */
const DISRUPTED_PODS_MAX = 2_000;

/** The eviction subresource: deletes the pod if the budgets allow it, and counts it there. */
export function evictPod(registry: Registry, ref: ObjectRef, eviction: Manifest): void {
  const { name = ref.name } = eviction.metadata ?? {};
  if (name !== ref.name) throw badRequest('name in URL does not match name in Eviction object');
  const options = (isRecord(eviction['deleteOptions']) ? eviction['deleteOptions'] : {}) as DeleteOptions;
  const pod = registry.get(PODS, ref);
  if (!canIgnoreBudgets(pod)) chargeBudget(registry, pod, options);
  if (!isDryRun(options)) markDisrupted(registry, ref, options);
  deleteObject(registry, PODS, ref, options);
}

function isDryRun(options: DeleteOptions): boolean {
  return (options.dryRun ?? []).length > 0;
}

/** Nothing is lost with these, so no budget is asked. */
function canIgnoreBudgets(pod: Pod): boolean {
  const phase = pod.status?.phase ?? 'Pending';
  return phase !== 'Running' || pod.metadata.deletionTimestamp !== undefined;
}

function chargeBudget(registry: Registry, pod: Pod, options: DeleteOptions): void {
  const budgets = registry.store
    .list(DISRUPTION_BUDGETS, pod.metadata.namespace)
    .filter((budget) => selectorMatches(budget.spec.selector, pod.metadata.labels));
  if (budgets.length > 1) {
    const message =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw new ApiError(500, 'InternalError', message);
  }
  const budget = budgets[0];
  if (budget === undefined || isUnhealthyAndFree(pod, budget)) return;
  checkBudget(budget);
  if (isDryRun(options)) return;
  const ref = { namespace: budget.metadata.namespace ?? '', name: budget.metadata.name };
  registry.modifyStatus(DISRUPTION_BUDGETS, ref, (draft) => {
    const status = draft.status!;
    status.disruptionsAllowed--;
    status.disruptedPods = { ...status.disruptedPods, [pod.metadata.name]: registry.now() };
  });
}

/** A pod that serves nobody may go where the budget's policy says so (`unhealthyPodEvictionPolicy`). */
function isUnhealthyAndFree(pod: Pod, budget: DisruptionBudget): boolean {
  if (conditionStatus(pod.status?.conditions, 'Ready') === 'True') return false;
  if (budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function checkBudget(budget: DisruptionBudget): void {
  const { name, generation = 0 } = budget.metadata;
  const status = budget.status;
  if ((status?.observedGeneration ?? 0) < generation || status === undefined) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (status.disruptionsAllowed < 0) {
    throw forbidden(DISRUPTION_BUDGETS, name, 'pdb disruptions allowed is negative');
  }
  if (Object.keys(status.disruptedPods ?? {}).length > DISRUPTED_PODS_MAX) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(DISRUPTION_BUDGETS, name, why);
  }
  if (status.disruptionsAllowed === 0) {
    const { desiredHealthy, currentHealthy } = status;
    throw tooManyRequests(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      0,
    );
  }
}

function tooManyRequests(cause: string, retryAfterSeconds: number): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return new ApiError(429, 'TooManyRequests', message, {
    causes: [{ reason: 'DisruptionBudget', message: cause }],
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  });
}

function markDisrupted(registry: Registry, ref: ObjectRef, options: DeleteOptions): void {
  const pod = registry.get(PODS, ref);
  const uid = options.preconditions?.uid;
  if (uid !== undefined && uid !== pod.metadata.uid) return;
  // The version in the preconditions is that of before the mark.
  if (options.preconditions?.resourceVersion !== undefined) return;
  registry.modifyStatus(PODS, ref, (draft) => {
    draft.status!.conditions = withCondition(
      draft.status!.conditions,
      {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'EvictionByEvictionAPI',
        message: 'Eviction API: evicting',
      },
      registry.now(),
    );
  });
}
