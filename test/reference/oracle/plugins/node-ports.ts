import type { PodObject } from '../api-objects.js';
import { podsOn } from '../cluster.js';
import type { Plugin } from './plugin.js';

interface Port {
  readonly ip: string;
  readonly protocol: string;
  readonly number: number;
}

/** `scheduling` 3.5 */
export const nodePorts: Plugin = {
  name: 'NodePorts',
  filter({ cluster, pod, node }) {
    const taken = podsOn(cluster, node).flatMap(hostPorts);
    const conflict = hostPorts(pod).some((wanted) => taken.some((held) => conflicts(wanted, held)));
    return conflict ? ["node(s) didn't have free ports for the requested pod ports"] : [];
  },
};

/** Of main containers and sidecars. */
function hostPorts(pod: PodObject): Port[] {
  const sidecars = (pod.spec?.initContainers ?? []).filter(
    (container) => container.restartPolicy === 'Always',
  );
  return [...(pod.spec?.containers ?? []), ...sidecars]
    .flatMap((container) => container.ports ?? [])
    .filter((port) => (port.hostPort ?? 0) > 0)
    .map((port) => ({
      ip: port.hostIP ? port.hostIP : '0.0.0.0',
      protocol: port.protocol ? port.protocol : 'TCP',
      number: port.hostPort ?? 0,
    }));
}

function conflicts(left: Port, right: Port): boolean {
  if (left.number !== right.number || left.protocol !== right.protocol) return false;
  return left.ip === right.ip || left.ip === '0.0.0.0' || right.ip === '0.0.0.0';
}
