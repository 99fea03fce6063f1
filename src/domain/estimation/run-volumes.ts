import { disksConflict } from '../kubernetes/legacy-disk.js';
import type { LegacyDisk } from '../kubernetes/pod.js';
import type { NameIndex } from '../simulation/name-index.js';
import type { Amounts } from '../simulation/amounts.js';
import type { CountedVolume } from '../simulation/volumes/storage-index.js';
import type { VolumeNeed } from '../simulation/volumes/volume-classes.js';
import type { Rejection } from '../simulation/verdict.js';

/** What pods of a class take of volumes beside places for volumes of their own, which are amounts like any other. */
export interface PackedVolumes {
  /** Volumes that all of them use, each with the resource number of its driver's places. */
  readonly shared: readonly { readonly volume: CountedVolume; readonly places: number }[];
  readonly disks: readonly LegacyDisk[];
}

/** What the pods on each node of a run have mounted. */
export interface RunVolumes {
  readonly volumes: ReadonlySet<CountedVolume>;
  readonly disks: readonly LegacyDisk[];
}

/** Name under which a driver's places on a node are counted; no resource can have a blank in its name. */
const PLACES = 'volumes of ';

/** The driver whose places these are, or null. */
export function driverOfPlaces(name: string): string | null {
  return name.startsWith(PLACES) ? name.slice(PLACES.length) : null;
}

/** The amounts, with a place for each volume of the pod's own. */
export function withPlaces({ resources, amounts }: Amounts, need: VolumeNeed, index: NameIndex): Amounts {
  const own = [...need.own];
  return {
    resources: [...resources, ...own.map(([driver]) => index.of(PLACES + driver))],
    amounts: [...amounts, ...own.map(([, count]) => count)],
  };
}

export function packedVolumes({ shared, disks }: VolumeNeed, index: NameIndex): PackedVolumes {
  return {
    shared: shared.map((volume) => ({ volume, places: index.of(PLACES + volume.driver) })),
    disks,
  };
}

/** Places that the first pod on a node takes for all, by resource number. */
export function placesForAll(on: RunVolumes, { shared }: PackedVolumes): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const each of shared) {
    if (!on.volumes.has(each.volume)) places.set(each.places, (places.get(each.places) ?? 0) + 1);
  }
  return places;
}

/** How many pods a node takes by the disks that they mount (`scheduling` 5.7 step 1). */
export function diskCapacity(on: RunVolumes, { disks }: PackedVolumes): number {
  const conflictsWith = (others: readonly LegacyDisk[]): boolean =>
    disks.some((disk) => others.some((other) => disksConflict(disk, other)));
  if (conflictsWith(on.disks)) return 0;
  return conflictsWith(disks) ? 1 : Infinity;
}

export function mounted(on: RunVolumes, { shared, disks }: PackedVolumes): RunVolumes {
  return {
    volumes:
      shared.length === 0 ? on.volumes : new Set([...on.volumes, ...shared.map(({ volume }) => volume)]),
    disks: disks.length === 0 ? on.disks : [...on.disks, ...disks],
  };
}

/** Claims for one pod only that several pods ask for, while they are given away. */
export class ContestedClaims {
  private readonly taken = new Set<string>();

  /** How many pods of a class may be placed at all. */
  allowance(need: VolumeNeed | undefined): number {
    const contested = need?.contested ?? [];
    if (contested.length === 0) return Infinity;
    return contested.some((claim) => this.taken.has(claim)) ? 0 : 1;
  }

  take(need: VolumeNeed | undefined): void {
    for (const claim of need?.contested ?? []) this.taken.add(claim);
  }
}

/** What the filter would say of the second pod. */
export const CLAIM_TAKEN: Rejection = {
  fit: false,
  plugin: 'VolumeRestrictions',
  reasons: [
    {
      rule: 'VolumeRestrictions',
      text: 'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
    },
  ],
};
