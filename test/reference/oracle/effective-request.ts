import type { ContainerObject, ContainerStatusObject, Maybe, PodObject, Quantities } from './api-objects.js';
import { parseQuantity, toAmount } from './quantity.js';
import { isCounted, isPodLevelResource } from './resource-names.js';

/** An amount that makes the object invalid. */
export class InvalidAmount extends Error {}

/** Exact amounts in nano units by resource name. */
type Exact = Map<string, bigint>;

/** Which of a pod's two readings is asked for (`scheduling` 1.2). */
export type Reading = 'incoming' | 'existing';

/** Rounded amounts of the names that count: cpu in milli, the rest in units. */
export function effectiveRequest(pod: PodObject, reading: Reading): Map<string, bigint> {
  let total: Exact = new Map();
  for (const container of pod.spec?.containers ?? []) {
    total = add(total, containerRequest(pod, container, reading, pod.status?.containerStatuses));
  }
  let sidecars: Exact = new Map();
  let initialising: Exact = new Map();
  for (const container of pod.spec?.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      const own = containerRequest(pod, container, reading, pod.status?.initContainerStatuses);
      total = add(total, own);
      sidecars = add(sidecars, own);
      initialising = maximum(initialising, sidecars);
    } else {
      initialising = maximum(initialising, add(readAmounts(container.resources?.requests), sidecars));
    }
  }
  total = maximum(total, initialising);
  for (const [name, amount] of podLevelRequest(pod, reading)) total.set(name, amount);
  total = add(total, readAmounts(pod.spec?.overhead));
  return round(total);
}

/** Allocatable of a node, rounded; `pods` included. Negative amounts stay. */
export function roundedAllocatable(written: Maybe<Quantities>): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const [name, text] of Object.entries(written ?? {})) {
    if (name !== 'pods' && !isCounted(name)) continue;
    const amount = parseQuantity(text);
    if (amount === null) throw new InvalidAmount(`${name}: ${String(text)}`);
    amounts.set(name, toAmount(name, amount));
  }
  return amounts;
}

function containerRequest(
  pod: PodObject,
  container: ContainerObject,
  reading: Reading,
  statuses: Maybe<ContainerStatusObject[]>,
): Exact {
  const asked = readAmounts(container.resources?.requests);
  const status = (statuses ?? []).find((entry) => entry.name === container.name);
  if (reading === 'incoming' || status?.resources == null) return asked;
  const actual = maximum(readAmounts(status.resources.requests), readAmounts(status.allocatedResources));
  return isResizeInfeasible(pod) ? actual : maximum(asked, actual);
}

function podLevelRequest(pod: PodObject, reading: Reading): Exact {
  const asked = readAmounts(pod.spec?.resources?.requests);
  const supported = [...asked.keys()].filter(isPodLevelResource);
  const status = pod.status?.resources;
  let amounts = asked;
  if (reading === 'existing' && status != null) {
    const actual = maximum(readAmounts(status.requests), readAmounts(pod.status?.allocatedResources));
    amounts = isResizeInfeasible(pod) ? actual : maximum(asked, actual);
  }
  return new Map(supported.map((name) => [name, amounts.get(name) ?? 0n]));
}

function isResizeInfeasible(pod: PodObject): boolean {
  const pending = (pod.status?.conditions ?? []).find((condition) => condition.type === 'PodResizePending');
  return pending?.reason === 'Infeasible';
}

/** A request that is no quantity, or a negative one, is invalid input (2.2): the API has no such pod. */
function readAmounts(written: Maybe<Quantities>): Exact {
  const amounts: Exact = new Map();
  for (const [name, text] of Object.entries(written ?? {})) {
    const amount = parseQuantity(text);
    if (amount === null || amount < 0n) throw new InvalidAmount(`${name}: ${String(text)}`);
    amounts.set(name, amount);
  }
  return amounts;
}

function add(left: Exact, right: Exact): Exact {
  const sum = new Map(left);
  for (const [name, amount] of right) sum.set(name, (sum.get(name) ?? 0n) + amount);
  return sum;
}

function maximum(left: Exact, right: Exact): Exact {
  const larger = new Map(left);
  for (const [name, amount] of right) {
    const other = larger.get(name);
    if (other === undefined || amount > other) larger.set(name, amount);
  }
  return larger;
}

function round(exact: Exact): Map<string, bigint> {
  const rounded = new Map<string, bigint>();
  for (const [name, amount] of exact) if (isCounted(name)) rounded.set(name, toAmount(name, amount));
  return rounded;
}
