import type { HostPort } from './pod.js';
import { isSidecar } from './pod-json.js';
import type { PodSpecJson } from './pod-json.js';

const ANY_ADDRESS = '0.0.0.0';

/** Ports that a pod takes on its host (`scheduling` 3.5): of main containers and sidecars, in order, normalised. */
export function hostPortsOf(spec: PodSpecJson): readonly HostPort[] {
  const holders = [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)];
  return holders
    .flatMap((container) => container.ports ?? [])
    .filter((port) => (port.hostPort ?? 0) > 0)
    .map((port) => ({
      hostIp: port.hostIP || ANY_ADDRESS,
      protocol: port.protocol || 'TCP',
      port: port.hostPort ?? 0,
    }));
}

/** Same port and protocol, on the same address or with one of them on all. `::` is an address like any other. */
export function portsConflict(left: HostPort, right: HostPort): boolean {
  if (left.port !== right.port || left.protocol !== right.protocol) return false;
  return left.hostIp === right.hostIp || left.hostIp === ANY_ADDRESS || right.hostIp === ANY_ADDRESS;
}
