import { isTolerated } from '../tolerations.js';
import type { Plugin } from './plugin.js';

/** `scheduling` 3.1 */
export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  filter({ pod, node, options }) {
    const taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };
    const blocked =
      node.spec?.unschedulable === true && !isTolerated(pod, taint, options.tolerationComparison);
    return blocked ? ['node(s) were unschedulable'] : [];
  },
};
