import type { LegacyDisk, Pod } from '../../kubernetes/pod.js';
import type { PodVolumes } from './pod-volumes.js';
import type { CountedVolume } from './storage-index.js';
import type { VolumeUse } from './volume-use.js';
import { countByDriver } from './volumes-signature.js';

/** What pods want of volumes, as things stand: one object for all that filters can't tell apart by them. */
export interface VolumeDemand {
  readonly id: number;
  /** Of the pod that stands for all; who uses the volumes is not to be read from here. */
  readonly volumes: PodVolumes;
  /** Volumes that no pod of the snapshot uses, by driver. */
  readonly fresh: ReadonlyMap<string, number>;
  /** Volumes that some pod of the snapshot uses: its node has them already. */
  readonly shared: readonly CountedVolume[];
  /** A claim that only one pod may use is in use. */
  readonly isClaimTaken: boolean;
  readonly disks: readonly LegacyDisk[];
  readonly use: VolumeUse;
}

/** Interns what pods want of volumes in one snapshot. Any placement may change what a pod wants, by sharing with it. */
export class VolumeDemands {
  private readonly byText = new Map<string, VolumeDemand>();
  private readonly sharers = new Map<CountedVolume, number>();
  /** Of pods that share nothing. */
  private readonly unshared = new WeakMap<PodVolumes, VolumeDemand>();

  constructor(private readonly use: VolumeUse) {}

  of(pod: Pod): VolumeDemand {
    this.use.wake();
    const volumes = this.use.of(pod);
    const shared = [...volumes.counted].filter((volume) => this.use.isUsed(volume));
    const isClaimTaken = volumes.exclusiveClaims.some((key) => this.use.isClaimUsed(key));
    if (shared.length > 0 || isClaimTaken) return this.intern(volumes, shared, isClaimTaken);
    let demand = this.unshared.get(volumes);
    if (demand === undefined) {
      demand = this.intern(volumes, [], false);
      this.unshared.set(volumes, demand);
    }
    return demand;
  }

  private intern(volumes: PodVolumes, shared: readonly CountedVolume[], isClaimTaken: boolean): VolumeDemand {
    const names = shared.map((volume) => this.numberOf(volume)).sort((left, right) => left - right);
    const text = JSON.stringify([volumes.signature, names, isClaimTaken]);
    let demand = this.byText.get(text);
    if (demand === undefined) {
      const fresh = countByDriver([...volumes.counted].filter((volume) => !shared.includes(volume)));
      const { disks } = volumes;
      demand = { id: this.byText.size, volumes, fresh, shared, isClaimTaken, disks, use: this.use };
      this.byText.set(text, demand);
    }
    return demand;
  }

  private numberOf(volume: CountedVolume): number {
    let number = this.sharers.get(volume);
    if (number === undefined) {
      number = this.sharers.size;
      this.sharers.set(volume, number);
    }
    return number;
  }
}
