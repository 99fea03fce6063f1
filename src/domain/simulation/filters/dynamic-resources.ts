import type { Filter, PreFilterResult } from './filter.js';

const PLUGIN = 'DynamicResources';
const REJECTED: PreFilterResult = {
  kind: 'rejected',
  reason: { rule: PLUGIN, text: 'object not found: dra manager is disabled' },
};

/** Devices are not simulated: a pod with resource claims fits nowhere (`scheduling` 3.12). */
export const dynamicResources: Filter = {
  plugin: PLUGIN,
  reads: 'node',
  preFilter: () => REJECTED,
  concerns: ({ pod }) => pod.shape.hasResourceClaims,
  accepts: () => false,
  explain: () => [],
};
