import type { Filter } from './filter.js';

const PLUGIN = 'NodeName';
const REASONS = [{ rule: PLUGIN, text: "node(s) didn't match the requested node name" }];

/** A pod with `spec.nodeName` belongs to that node (`scheduling` 3.2). */
export const nodeName: Filter = {
  plugin: PLUGIN,
  reads: 'node',
  concerns: (demand) => demand.nodeName !== '',
  accepts: (demand, nodes, row) => demand.nodeName === nodes.nodes[row]!.name,
  explain: () => REASONS,
};
