import type { ContainerObject, Maybe, PodObject, Quantities } from './api-objects.js';
import { parseQuantity } from './quantity.js';
import { isPodLevelResource } from './resource-names.js';

/** What the API server has done to any pod that was read from it (`scheduling` 1.3), for one that was made up. */
export function applyDefaults(pod: PodObject): PodObject {
  const containers = (pod.spec?.containers ?? []).map(defaultRequests);
  const initContainers = (pod.spec?.initContainers ?? []).map(defaultRequests);
  const ported = (container: ContainerObject): ContainerObject =>
    pod.spec?.hostNetwork === true ? defaultHostPorts(container) : container;
  const resources = defaultPodLevel(pod, containers);
  return {
    ...pod,
    spec: {
      ...pod.spec,
      containers: containers.map(ported),
      initContainers: initContainers.map(ported),
      ...(resources === undefined ? {} : { resources }),
    },
  };
}

function defaultRequests(container: ContainerObject): ContainerObject {
  const { limits, requests } = container.resources ?? {};
  if (limits == null) return container;
  return { ...container, resources: { limits, requests: { ...limits, ...requests } } };
}

function defaultHostPorts(container: ContainerObject): ContainerObject {
  const ports = (container.ports ?? []).map((port) => ({
    ...port,
    hostPort: port.hostPort ? port.hostPort : port.containerPort,
  }));
  return { ...container, ports };
}

/** Of the pod's own request only cpu, memory and limits' names: the aggregate of the containers, else the limit. */
function defaultPodLevel(pod: PodObject, containers: ContainerObject[]) {
  const own = pod.spec?.resources;
  if (own?.limits == null || Object.keys(own.limits).length === 0) return undefined;
  const requests: Quantities = { ...own.requests };
  for (const name of ['cpu', 'memory']) {
    const asked = containers.map((container) => container.resources?.requests?.[name]);
    if (requests[name] === undefined && asked.some((text) => text !== undefined)) requests[name] = sum(asked);
  }
  for (const [name, limit] of Object.entries(own.limits)) {
    if (requests[name] === undefined && isPodLevelResource(name)) requests[name] = limit;
  }
  return { ...own, requests };
}

function sum(texts: readonly Maybe<unknown>[]): string {
  const nano = texts.reduce<bigint>(
    (total, text) => total + (text === undefined ? 0n : (parseQuantity(text) ?? 0n)),
    0n,
  );
  return `${nano.toString()}n`;
}
