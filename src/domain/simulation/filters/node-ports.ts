import { portsConflict } from '../../kubernetes/host-ports.js';
import type { Demand } from '../demand.js';
import type { NodeTable } from '../node-table.js';
import type { HostPort } from '../../kubernetes/pod.js';
import type { Filter } from './filter.js';

const PLUGIN = 'NodePorts';

/** No wanted host port may be taken on the node (`scheduling` 3.5). */
export const nodePorts: Filter = {
  plugin: PLUGIN,
  reads: 'pods',
  concerns: ({ pod }) => pod.shape.hostPorts.length > 0,
  accepts: (demand, nodes, row) => takenPort(demand, nodes, row) === undefined,
  explain: (demand, nodes, row) => {
    const port = takenPort(demand, nodes, row);
    const subject = port === undefined ? '' : `${port.hostIp}:${port.port}/${port.protocol}`;
    return [{ rule: PLUGIN, text: "node(s) didn't have free ports for the requested pod ports", subject }];
  },
};

function takenPort({ pod }: Demand, nodes: NodeTable, row: number): HostPort | undefined {
  const used = nodes.ports[row];
  if (used === undefined) return undefined;
  return pod.shape.hostPorts.find((wanted) => used.some((port) => portsConflict(wanted, port)));
}
