import { aggregateContainers } from './container-sums.js';
import type { AmountsOf } from './container-sums.js';
import type { ContainerStatusJson, PodJson, PodSpecJson, QuantityList } from './pod-json.js';
import { readQuantity, ZERO_QUANTITY, toMilli, toUnits } from './quantity.js';
import { addInto, raiseTo, readAmounts } from './quantity-sums.js';
import type { QuantitySums } from './quantity-sums.js';
import { applyPodDefaults } from './pod-defaults.js';
import { isCountedResource, isPodLevelResource } from './resource-names.js';
import { CPU, NO_RESOURCES, PODS } from './resources.js';
import type { Resources } from './resources.js';

/** What a pod asks for and, if that is another amount, what the node it runs on is charged (`scheduling` 1.2). */
export interface EffectiveRequests {
  readonly incoming: Resources;
  /** Null when equal to `incoming`. */
  readonly charged: Resources | null;
}

/**
 * Both readings of a pod that came from the API server.
 * @throws QuantityError when a request is no quantity or negative
 */
export function effectiveRequests(pod: PodJson): EffectiveRequests {
  const spec = pod.spec ?? {};
  const incoming = schedulerAmounts(requestOfSpec(spec));
  if (!hasActuatedResources(pod)) return { incoming, charged: null };
  const charged = schedulerAmounts(chargeOf(pod));
  return { incoming, charged: areEqual(incoming, charged) ? null : charged };
}

/**
 * Request of the pod that a template (DaemonSet, Job, …) would make, after the API server's defaulting.
 * differs from upstream: it skips the defaulting and under-charges DaemonSets that state limits only.
 * @throws QuantityError
 */
export function requestsOfTemplate(spec: PodSpecJson): Resources {
  return schedulerAmounts(requestOfSpec(applyPodDefaults(spec)));
}

/**
 * A node's `status.allocatable` or `capacity` as the scheduler counts it: rounded up, `pods` kept as number of slots,
 * uncounted names dropped. Negative amounts stay negative: nothing fits there.
 * @throws QuantityError
 */
export function nodeResources(list: QuantityList | null | undefined): Resources {
  const amounts = new Map<string, number>();
  for (const [name, written] of Object.entries(list ?? {})) {
    if (name !== PODS && !isCountedResource(name)) continue;
    const { nano } = readQuantity(written);
    amounts.set(name, name === CPU ? toMilli(nano) : toUnits(nano));
  }
  return amounts;
}

/** Sums exactly, rounds once per pod; names that the scheduler does not count and zeros are dropped. */
function schedulerAmounts(sums: QuantitySums): Resources {
  const amounts = new Map<string, number>();
  for (const [name, { nano }] of sums) {
    if (nano === 0n || !isCountedResource(name)) continue;
    amounts.set(name, name === CPU ? toMilli(nano) : toUnits(nano));
  }
  return amounts.size === 0 ? NO_RESOURCES : amounts;
}

function requestOfSpec(spec: PodSpecJson): QuantitySums {
  const sums = aggregateContainers(spec, requestsOf);
  replaceSupported(sums, readAmounts(spec.resources?.requests));
  addInto(sums, readAmounts(spec.overhead));
  return sums;
}

const requestsOf: AmountsOf = (container) => readAmounts(container.resources?.requests);

/** Step 4: a pod-level amount stands for the sum of the containers, larger or smaller. */
function replaceSupported(sums: QuantitySums, podLevel: QuantitySums): void {
  for (const [name, amount] of podLevel) if (isPodLevelResource(name)) sums.set(name, amount);
}

function hasActuatedResources({ status }: PodJson): boolean {
  if (status == null) return false;
  const hasResources = (entry: ContainerStatusJson): boolean => entry.resources != null;
  return (
    status.resources != null ||
    (status.containerStatuses ?? []).some(hasResources) ||
    (status.initContainerStatuses ?? []).some(hasResources)
  );
}

/** The existing reading: what spec asks, what runs and what was allocated during an in-place resize, the largest. */
function chargeOf(pod: PodJson): QuantitySums {
  const spec = pod.spec ?? {};
  const status = pod.status ?? {};
  const isInfeasible =
    status.conditions?.find((condition) => condition.type === 'PodResizePending')?.reason === 'Infeasible';
  const statuses = new Map<string, ContainerStatusJson>();
  for (const entry of status.initContainerStatuses ?? []) statuses.set(`init/${entry.name ?? ''}`, entry);
  for (const entry of status.containerStatuses ?? []) statuses.set(`main/${entry.name ?? ''}`, entry);

  const sums = aggregateContainers(spec, (container, kind) => {
    const wanted = readAmounts(container.resources?.requests);
    if (kind === 'plain-init') return wanted;
    const entry = statuses.get(`${kind === 'main' ? 'main' : 'init'}/${container.name ?? ''}`);
    return entry?.resources == null ? wanted : largestOf(wanted, entry, isInfeasible);
  });
  replaceSupported(sums, podLevelCharge(pod, isInfeasible));
  addInto(sums, readAmounts(spec.overhead));
  return sums;
}

function podLevelCharge(pod: PodJson, isInfeasible: boolean): QuantitySums {
  const wanted = readAmounts(pod.spec?.resources?.requests);
  if (wanted.size === 0 || pod.status?.resources == null) return wanted;
  const largest = largestOf(wanted, pod.status, isInfeasible);
  return new Map([...wanted.keys()].map((name) => [name, largest.get(name) ?? ZERO_QUANTITY]));
}

/** A resize that can't be carried out on its node counts with what runs, not with what it wishes. */
function largestOf(
  wanted: QuantitySums,
  actual: Pick<ContainerStatusJson, 'resources' | 'allocatedResources'>,
  isInfeasible: boolean,
): QuantitySums {
  const largest: QuantitySums = new Map(isInfeasible ? [] : wanted);
  raiseTo(largest, readAmounts(actual.resources?.requests));
  raiseTo(largest, readAmounts(actual.allocatedResources));
  return largest;
}

function areEqual(left: Resources, right: Resources): boolean {
  if (left.size !== right.size) return false;
  for (const [name, amount] of left) if (right.get(name) !== amount) return false;
  return true;
}
