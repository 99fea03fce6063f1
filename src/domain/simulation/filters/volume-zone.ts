import { zonesReach } from '../volumes/volume-zones.js';
import { claimRejection } from './claim-rejection.js';
import type { Filter } from './filter.js';

const PLUGIN = 'VolumeZone';
const REASONS = [{ rule: PLUGIN, text: 'node(s) had no available volume zone' }];

/** The node lies in a zone and region that the labels of the volumes name (`scheduling` 3.9). */
export const volumeZone: Filter = {
  plugin: PLUGIN,
  reads: 'node',
  preFilter: (demand) => claimRejection(PLUGIN, demand),
  concerns: ({ volumes }) => volumes !== null && volumes.volumes.claims.length > 0,
  accepts: ({ volumes }, nodes, row) => zonesReach(volumes!.volumes.needs.zones, nodes.nodes[row]!.labels),
  explain: () => REASONS,
};
