import type { Reason } from '../../reason.js';
import type { Demand } from '../demand.js';
import type { NodeTable } from '../node-table.js';
import type { VolumeDemand } from '../volumes/volume-demand.js';
import { countByDriver } from '../volumes/volumes-signature.js';
import type { Filter } from './filter.js';

const PLUGIN = 'NodeVolumeLimits';

/**
 * No more volumes of a driver than the node can hold (`scheduling` 3.7). A volume that a pod on the node uses already
 * is no new one. A node of which no limits are known has none.
 */
export const nodeVolumeLimits: Filter = {
  plugin: PLUGIN,
  reads: 'pods',
  concerns: ({ volumes }) => volumes !== null && volumes.volumes.counted.size > 0,
  accepts: (demand, nodes, row) => excess(demand, nodes, row) === null,
  explain: (demand, nodes, row) => {
    const reason: Reason = { rule: PLUGIN, text: 'node(s) exceed max volume count' };
    const { driver, asked, used, limit } = excess(demand, nodes, row) ?? NO_EXCESS;
    return [{ ...reason, subject: driver, asked, free: Math.max(0, limit - used), limit }];
  },
};

interface Excess {
  readonly driver: string;
  readonly asked: number;
  readonly used: number;
  readonly limit: number;
}

const NO_EXCESS: Excess = { driver: '', asked: 0, used: 0, limit: 0 };

/** The first driver whose limit would be exceeded, or null. */
function excess({ volumes }: Demand, nodes: NodeTable, row: number): Excess | null {
  const limits = nodes.nodes[row]!.volumeLimits;
  if (volumes === null || limits === undefined) return null;
  for (const [driver, asked] of newOn(row, volumes)) {
    const limit = limits.get(driver);
    if (limit === undefined) continue;
    const used = volumes.use.countOn(row, driver);
    if (used + asked > limit) return { driver, asked, used, limit };
  }
  return null;
}

/** Volumes that would have to be attached for the pod, by driver. */
function newOn(row: number, { fresh, shared, use }: VolumeDemand): ReadonlyMap<string, number> {
  if (shared.length === 0) return fresh;
  const counts = new Map(countByDriver(shared.filter((volume) => !use.isUsedOn(row, volume))));
  for (const [driver, count] of fresh) counts.set(driver, (counts.get(driver) ?? 0) + count);
  return counts;
}
