import type { Pod } from '../../kubernetes/pod.js';
import { claimProblem } from './claim-problem.js';
import type { ClaimProblem } from './claim-problem.js';
import { isBound } from './claim-volume.js';
import type { ClaimVolume } from './claim-volume.js';
import { delayedClaim } from './static-volumes.js';
import type { DelayedClaim } from './static-volumes.js';
import type { StorageIndex } from './storage-index.js';
import { volumeZones } from './volume-zones.js';
import type { VolumeZone } from './volume-zones.js';

/** What a pod's volumes ask of a node, or why no node will do. */
export interface VolumeNeeds {
  /** Why the pod fits nowhere, or null. The rest is empty then. */
  readonly problem: ClaimProblem | null;
  /** Claims whose volume is bound for good. */
  readonly bound: readonly ClaimVolume[];
  /** Claims that wait for a pod to be placed. */
  readonly delayed: readonly DelayedClaim[];
  /** Where zone and region labels of the volumes bind the pod to. */
  readonly zones: readonly VolumeZone[];
}

export function volumeNeeds(pod: Pod, claims: readonly ClaimVolume[], index: StorageIndex): VolumeNeeds {
  const problem = claimProblem(pod, claims);
  if (problem !== null) return { problem, bound: [], delayed: [], zones: [] };
  return {
    problem,
    bound: claims.filter(({ claim }) => claim !== null && isBound(claim)),
    delayed: claims.flatMap(({ claim, storageClass }) =>
      claim === null || storageClass === null || isBound(claim)
        ? []
        : [delayedClaim(claim, storageClass, index)],
    ),
    zones: volumeZones(claims),
  };
}
