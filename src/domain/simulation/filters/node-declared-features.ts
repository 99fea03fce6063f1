import type { Filter } from './filter.js';

const PLUGIN = 'NodeDeclaredFeatures';
const REASONS = [{ rule: PLUGIN, text: "node(s) didn't match Pod's required features" }];

/** The node must declare the features that the pod makes use of (`scheduling` 3.13). */
export const nodeDeclaredFeatures: Filter = {
  plugin: PLUGIN,
  reads: 'node',
  concerns: ({ pod }) => pod.shape.requiredFeatures.length > 0,
  accepts: ({ pod }, nodes, row) =>
    pod.shape.requiredFeatures.every((feature) => nodes.nodes[row]!.declaredFeatures.includes(feature)),
  explain: () => REASONS,
};
