import { aggregateContainers } from './container-sums.js';
import type { ContainerJson, PodSpecJson, QuantityList, RequirementsJson } from './pod-json.js';
import { formatQuantity, roundToMilli } from './quantity.js';
import { readAmounts } from './quantity-sums.js';
import type { QuantitySums } from './quantity-sums.js';
import { isHugePages, isPodLevelResource } from './resource-names.js';
import { CPU, MEMORY } from './resources.js';

/**
 * What the API server writes into a pod when it is created (`scheduling` 1.3), as far as placement sees it. Pods read
 * from the API have it already; apply it to pods that are made from a template. Overhead of a RuntimeClass and the
 * value of a PriorityClass come from admission and are not known here.
 * @throws QuantityError
 */
export function applyPodDefaults<Spec extends PodSpecJson>(spec: Spec): Spec {
  const portsFollow = spec.hostNetwork === true;
  const containers = (spec.containers ?? []).map((container) => withDefaults(container, portsFollow));
  const initContainers = (spec.initContainers ?? []).map((container) => withDefaults(container, portsFollow));
  const defaulted: Spec = { ...spec, containers, initContainers };
  const resources = podLevelDefaults(defaulted);
  return resources === null ? defaulted : { ...defaulted, resources };
}

function withDefaults(container: ContainerJson, portsFollow: boolean): ContainerJson {
  const limits = readAmounts(container.resources?.limits);
  const requests = readAmounts(container.resources?.requests);
  setMissing(requests, limits);
  return {
    ...container,
    resources: { ...container.resources, limits: toList(limits), requests: toList(requests) },
    ...(portsFollow && { ports: (container.ports ?? []).map(withHostPort) }),
  };
}

/** On the host's network every port of a container is a port of the host. */
function withHostPort<Port extends NonNullable<ContainerJson['ports']>[number]>(port: Port): Port {
  return port.hostPort ? port : { ...port, hostPort: port.containerPort ?? 0 };
}

function podLevelDefaults(spec: PodSpecJson): RequirementsJson | null {
  const limits = readAmounts(spec.resources?.limits);
  const requests = readAmounts(spec.resources?.requests);
  if (limits.size === 0 && requests.size === 0) return null;

  const containerLimits = aggregateContainers(spec, ({ resources }) => readAmounts(resources?.limits));
  for (const [name, limit] of containerLimits) {
    if (isHugePages(name) && !requests.has(name) && !limits.has(name)) limits.set(name, limit);
  }
  if (limits.size > 0) {
    const containerRequests = aggregateContainers(spec, ({ resources }) => readAmounts(resources?.requests));
    setMissing(
      requests,
      pick(containerRequests, (name) => name === CPU || name === MEMORY),
    );
    setMissing(requests, pick(limits, isPodLevelResource));
  }
  return { ...spec.resources, limits: toList(limits), requests: toList(requests) };
}

function setMissing(target: QuantitySums, amounts: QuantitySums): void {
  for (const [name, amount] of amounts) if (!target.has(name)) target.set(name, amount);
}

function pick(amounts: QuantitySums, isWanted: (name: string) => boolean): QuantitySums {
  return new Map([...amounts].filter(([name]) => isWanted(name)));
}

/** Lists are stored in milli precision, rounded up. */
function toList(amounts: QuantitySums): QuantityList {
  return Object.fromEntries(
    [...amounts].map(([name, amount]) => [name, formatQuantity(roundToMilli(amount))]),
  );
}
