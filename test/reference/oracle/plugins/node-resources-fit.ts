import { podsOn } from '../cluster.js';
import { effectiveRequest, roundedAllocatable } from '../effective-request.js';
import { inReportOrder } from '../resource-names.js';
import type { Plugin } from './plugin.js';

/** `scheduling` 3.6 */
export const nodeResourcesFit: Plugin = {
  name: 'NodeResourcesFit',
  filter({ cluster, pod, node }) {
    const existing = podsOn(cluster, node);
    const allocatable = roundedAllocatable(node.status?.allocatable);
    const request = effectiveRequest(pod, 'incoming');
    const reasons: string[] = [];
    if (BigInt(existing.length) + 1n > (allocatable.get('pods') ?? 0n)) reasons.push('Too many pods');
    for (const name of inReportOrder(request.keys())) {
      const wanted = request.get(name) ?? 0n;
      let free = allocatable.get(name) ?? 0n;
      for (const other of existing) free -= effectiveRequest(other, 'existing').get(name) ?? 0n;
      if (wanted > 0n && wanted > free) reasons.push(`Insufficient ${name}`);
    }
    return reasons;
  },
};
