import { nameOf } from '../cluster.js';
import type { Plugin } from './plugin.js';

/** `scheduling` 3.2 */
export const nodeName: Plugin = {
  name: 'NodeName',
  filter({ pod, node }) {
    const wanted = pod.spec?.nodeName ?? '';
    return wanted === '' || wanted === nameOf(node) ? [] : ["node(s) didn't match the requested node name"];
  },
};
