import { NO_STORAGE } from '../../kubernetes/storage.js';
import type {
  ClusterStorage,
  CsiStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from '../../kubernetes/storage.js';

/** A volume as limits count it; one object for each. */
export interface CountedVolume {
  readonly driver: string;
}

const indexes = new WeakMap<ClusterStorage, StorageIndex>();
const NONE: readonly never[] = [];

/** Storage objects by what they are asked for. Built once for one state of the cluster, whoever asks. */
export class StorageIndex {
  private readonly claims: ReadonlyMap<string, PersistentVolumeClaim>;
  private readonly volumes: ReadonlyMap<string, PersistentVolume>;
  private readonly classes: ReadonlyMap<string, StorageClass>;
  /** By class; only those that a claim may be bound to that is not named by them. */
  private readonly open = new Map<string, PersistentVolume[]>();
  /** By claim. */
  private readonly reserved = new Map<string, PersistentVolume[]>();
  private readonly publishing: ReadonlySet<string>;
  private readonly capacities = new Map<string, CsiStorageCapacity[]>();
  private readonly attached = new Map<string, Set<CountedVolume>>();
  private readonly counted = new Map<string, CountedVolume>();

  private constructor(storage: ClusterStorage) {
    this.claims = new Map(storage.claims.map((claim) => [claimKey(claim.namespace, claim.name), claim]));
    this.volumes = new Map(storage.volumes.map((volume) => [volume.name, volume]));
    this.classes = new Map(storage.classes.map((each) => [each.name, each]));
    this.publishing = new Set(
      storage.csiDrivers.filter((driver) => driver.storageCapacity).map(({ name }) => name),
    );
    for (const capacity of storage.capacities) put(this.capacities, capacity.className, capacity);
    for (const volume of storage.volumes) this.fileVolume(volume);
    for (const { nodeName, attacher, volumeName } of storage.attachments) {
      const handle = this.volumes.get(volumeName)?.csi?.volumeHandle;
      const volume = handle === undefined ? null : this.countedAs(attacher, handle);
      if (volume !== null)
        this.attached.set(nodeName, (this.attached.get(nodeName) ?? new Set()).add(volume));
    }
  }

  static of(storage: ClusterStorage = NO_STORAGE): StorageIndex {
    let index = indexes.get(storage);
    if (index === undefined) {
      index = new StorageIndex(storage);
      indexes.set(storage, index);
    }
    return index;
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | null {
    return this.claims.get(claimKey(namespace, name)) ?? null;
  }

  volume(name: string): PersistentVolume | null {
    return this.volumes.get(name) ?? null;
  }

  storageClass(name: string): StorageClass | null {
    return name === '' ? null : (this.classes.get(name) ?? null);
  }

  /** Volumes of the class that are Available and reserved for nobody. */
  openVolumes(className: string): readonly PersistentVolume[] {
    return this.open.get(className) ?? NONE;
  }

  /** Volumes that name this claim. */
  volumesReservedFor({ namespace, name, uid }: PersistentVolumeClaim): readonly PersistentVolume[] {
    const named = this.reserved.get(claimKey(namespace, name)) ?? NONE;
    return named.filter(({ claimRef }) => claimRef?.uid === '' || claimRef?.uid === uid);
  }

  /** Whether the driver says how much it can still provision. */
  publishesCapacity(driver: string): boolean {
    return this.publishing.has(driver);
  }

  capacitiesOf(className: string): readonly CsiStorageCapacity[] {
    return this.capacities.get(className) ?? NONE;
  }

  /** Volumes that are attached to the node, whether a pod uses them or not. */
  attachedTo(nodeName: string): ReadonlySet<CountedVolume> | undefined {
    return this.attached.get(nodeName);
  }

  /** The claim's volume, or the one that it will get; null where limits don't count it (`scheduling` 3.7). */
  countedVolume(claim: PersistentVolumeClaim): CountedVolume | null {
    const volume = claim.volumeName === '' ? null : this.volume(claim.volumeName);
    if (volume !== null) return volume.csi && this.countedAs(volume.csi.driver, volume.csi.volumeHandle);
    const driver = this.storageClass(claim.className)?.provisioner ?? '';
    // No handle of a real volume holds a line break.
    return this.countedAs(driver, `to come\n${claimKey(claim.namespace, claim.name)}`);
  }

  private countedAs(driver: string, handle: string): CountedVolume | null {
    if (driver === '' || handle === '') return null;
    const text = `${driver}/${handle}`;
    let volume = this.counted.get(text);
    if (volume === undefined) {
      volume = { driver };
      this.counted.set(text, volume);
    }
    return volume;
  }

  private fileVolume(volume: PersistentVolume): void {
    const { claimRef, className, phase, terminating } = volume;
    if (terminating) return;
    if (claimRef !== null) put(this.reserved, claimKey(claimRef.namespace, claimRef.name), volume);
    else if (phase === 'Available') put(this.open, className, volume);
  }
}

/** Neither part can hold a slash. */
export function claimKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function put<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
