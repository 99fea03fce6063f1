import { hasUntoleratedTaint } from '../tolerations.js';
import type { Plugin } from './plugin.js';

/** `scheduling` 3.3 */
export const taintToleration: Plugin = {
  name: 'TaintToleration',
  filter({ pod, node, options }) {
    return hasUntoleratedTaint(pod, node, options.tolerationComparison)
      ? ['node(s) had untolerated taint(s)']
      : [];
  },
};
