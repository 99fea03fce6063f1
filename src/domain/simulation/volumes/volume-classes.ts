import type { LegacyDisk, Pod } from '../../kubernetes/pod.js';
import { NO_STORAGE } from '../../kubernetes/storage.js';
import type { ClusterStorage } from '../../kubernetes/storage.js';
import { hasVolumesThatMatter, podVolumes } from './pod-volumes.js';
import type { PodVolumes } from './pod-volumes.js';
import { StorageIndex } from './storage-index.js';
import type { CountedVolume } from './storage-index.js';
import { countByDriver } from './volumes-signature.js';

/** What each pod of a class takes of volumes from the node that it comes to. */
export interface VolumeNeed {
  /** Volumes of its own, by driver: no other pod uses them. */
  readonly own: ReadonlyMap<string, number>;
  /** Volumes that others use too; all pods of the class the same ones. */
  readonly shared: readonly CountedVolume[];
  /** Claims for one pod only that several ask for; all pods of the class the same ones. */
  readonly contested: readonly string[];
  readonly disks: readonly LegacyDisk[];
}

/** What the volumes of pods mean for their being equal (`scheduling` 5.3 item 9). */
export class VolumeClasses {
  private readonly index: StorageIndex;
  private readonly users = new Map<CountedVolume | string, number>();
  private readonly numbers = new Map<CountedVolume, number>();

  /** `pods`: all that wait or run. */
  constructor(storage: ClusterStorage = NO_STORAGE, pods: Iterable<Pod> = []) {
    this.index = StorageIndex.of(storage);
    for (const pod of pods) {
      if (!hasVolumesThatMatter(pod)) continue;
      const { counted, exclusiveClaims } = this.of(pod);
      for (const used of [...counted, ...exclusiveClaims]) {
        this.users.set(used, (this.users.get(used) ?? 0) + 1);
      }
    }
  }

  /** Equal for pods whose volumes make no difference; null for a pod whose volumes matter to nothing. */
  keyOf(pod: Pod): string | null {
    if (!hasVolumesThatMatter(pod)) return null;
    const volumes = this.of(pod);
    const shared = this.sharedOf(volumes).map((volume) => this.numberOf(volume));
    return JSON.stringify([volumes.signature, shared, this.contestedOf(volumes)]);
  }

  needOf(pod: Pod): VolumeNeed | null {
    if (!hasVolumesThatMatter(pod)) return null;
    const volumes = this.of(pod);
    const shared = this.sharedOf(volumes);
    const own = countByDriver([...volumes.counted].filter((volume) => !shared.includes(volume)));
    return { own, shared, contested: this.contestedOf(volumes), disks: volumes.disks };
  }

  private of(pod: Pod): PodVolumes {
    return podVolumes(pod, this.index);
  }

  private sharedOf({ counted }: PodVolumes): readonly CountedVolume[] {
    return [...counted].filter((volume) => this.isShared(volume));
  }

  private contestedOf({ exclusiveClaims }: PodVolumes): readonly string[] {
    return exclusiveClaims.filter((key) => this.isShared(key));
  }

  private isShared(used: CountedVolume | string): boolean {
    return (this.users.get(used) ?? 0) > 1;
  }

  private numberOf(volume: CountedVolume): number {
    const number = this.numbers.get(volume) ?? this.numbers.size;
    this.numbers.set(volume, number);
    return number;
  }
}
