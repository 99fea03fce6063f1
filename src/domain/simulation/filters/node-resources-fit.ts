import { formatAmount } from '../../kubernetes/format-amount.js';
import { PODS } from '../../kubernetes/resources.js';
import type { Reason } from '../../reason.js';
import type { Demand } from '../demand.js';
import type { NodeTable } from '../node-table.js';
import type { Filter } from './filter.js';

const PLUGIN = 'NodeResourcesFit';

/**
 * A free slot, and enough of everything that is asked for (`scheduling` 3.6). What is not asked for is not compared,
 * so an overcommitted node still takes pods without requests.
 */
export const nodeResourcesFit: Filter = {
  plugin: PLUGIN,
  reads: 'pods',
  concerns: () => true,
  accepts: ({ asked: { resources, amounts } }, nodes, row) => {
    for (let i = 0; i < resources.length; i++) {
      if (amounts[i]! > nodes.freeOf(row, resources[i]!)) return false;
    }
    return true;
  },
  explain: ({ asked }, nodes, row) => explainLack(asked, nodes, row),
};

function explainLack({ resources, amounts }: Demand['asked'], nodes: NodeTable, row: number): Reason[] {
  const reasons: Reason[] = [];
  resources.forEach((resource, i) => {
    const asked = amounts[i]!;
    const free = nodes.freeOf(row, resource);
    if (asked <= free) return;
    const name = nodes.resources.nameOf(resource);
    reasons.push({
      rule: PLUGIN,
      text: name === PODS ? 'Too many pods' : `Insufficient ${name}`,
      subject: name,
      asked: formatAmount(name, asked),
      free: formatAmount(name, free),
      limit: formatAmount(name, nodes.nodes[row]!.allocatable.get(name) ?? 0),
    });
  });
  return reasons;
}
