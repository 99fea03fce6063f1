import type { Taint } from '../../kubernetes/taint.js';
import { firstUntoleratedTaint } from '../../kubernetes/tolerations.js';
import type { Demand } from '../demand.js';
import type { NodeTable } from '../node-table.js';
import type { SchedulingOptions } from '../scheduling-options.js';
import type { Filter } from './filter.js';

const PLUGIN = 'TaintToleration';

/** Every blocking taint must be tolerated (`scheduling` 3.3). The reason names the first that is not. */
export function taintToleration({ tolerations: options }: SchedulingOptions): Filter {
  const untolerated = ({ pod }: Demand, nodes: NodeTable, row: number): Taint | undefined =>
    firstUntoleratedTaint(nodes.nodes[row]!.taints, pod.shape.tolerations, options);
  return {
    plugin: PLUGIN,
    reads: 'node',
    concerns: () => true,
    accepts: (demand, nodes, row) => untolerated(demand, nodes, row) === undefined,
    explain: (demand, nodes, row) => {
      const taint = untolerated(demand, nodes, row);
      const subject = taint === undefined ? '' : `${taint.key}=${taint.value}:${taint.effect}`;
      return [{ rule: PLUGIN, text: 'node(s) had untolerated taint(s)', subject }];
    },
  };
}
