import { disksConflict } from '../../kubernetes/legacy-disk.js';
import type { VolumeDemand } from '../volumes/volume-demand.js';
import type { Filter } from './filter.js';
import { claimRejection } from './claim-rejection.js';

const PLUGIN = 'VolumeRestrictions';
const NO_DISK = [{ rule: PLUGIN, text: 'node(s) had no available disk' }];
const CLAIM_TAKEN = [
  {
    rule: PLUGIN,
    text: 'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
  },
];

/** Claims that exist and are free for this pod, and no inline disk that a pod on the node has mounted (`scheduling` 3.7). */
export const volumeRestrictions: Filter = {
  plugin: PLUGIN,
  reads: 'pods',
  preFilter: (demand) => claimRejection(PLUGIN, demand),
  concerns: ({ volumes }) => volumes !== null,
  accepts: ({ volumes }, _, row) => volumes === null || (!volumes.isClaimTaken && !hasConflict(volumes, row)),
  explain: ({ volumes }, _, row) => (volumes !== null && hasConflict(volumes, row) ? NO_DISK : CLAIM_TAKEN),
};

function hasConflict({ disks, use }: VolumeDemand, row: number): boolean {
  if (disks.length === 0) return false;
  return use.disksOn(row).some((used) => disks.some((wanted) => disksConflict(wanted, used)));
}
