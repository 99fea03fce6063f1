import type { LegacyDisk, Pod } from '../../kubernetes/pod.js';
import type { Node } from '../../kubernetes/node.js';
import type { MountedVolumes } from '../cluster-snapshot.js';
import type { NodeTable, NodeWatcher } from '../node-table.js';
import { hasVolumesThatMatter, podVolumes } from './pod-volumes.js';
import type { PodVolumes } from './pod-volumes.js';
import type { CountedVolume, StorageIndex } from './storage-index.js';

/** What the pods of one node use. */
class NodeVolumes {
  /** Number of its pods that use it. */
  readonly pods = new Map<CountedVolume, number>();
  readonly byDriver = new Map<string, number>();
  readonly disks: LegacyDisk[] = [];

  /** `attached`: volumes that are attached to the node, whoever uses them. */
  constructor(private readonly attached: ReadonlySet<CountedVolume>) {
    for (const { driver } of attached) this.count(driver, 1);
  }

  /** Changes the number of pods that use the volume. */
  use(volume: CountedVolume, change: number): void {
    const before = this.pods.get(volume) ?? 0;
    changeCount(this.pods, volume, change);
    const isFirstOrLast = before === 0 || before + change === 0;
    if (isFirstOrLast && !this.attached.has(volume)) this.count(volume.driver, change);
  }

  private count(driver: string, change: number): void {
    changeCount(this.byDriver, driver, change);
  }
}

const NOTHING_ATTACHED: ReadonlySet<CountedVolume> = new Set();

/**
 * Volumes and claims that the pods of a snapshot use. Sleeps until a pod with volumes looks for a node, so that others
 * cost nothing; then it reads the table once and watches it from there.
 */
export class VolumeUse implements NodeWatcher {
  private readonly byRow: (NodeVolumes | undefined)[] = [];
  private readonly podsByVolume = new Map<CountedVolume, number>();
  private readonly podsByExclusiveClaim = new Map<string, number>();
  private isAwake = false;

  constructor(
    private readonly nodes: NodeTable,
    private readonly index: StorageIndex,
  ) {}

  wake(): void {
    if (this.isAwake) return;
    this.isAwake = true;
    this.nodes.nodes.forEach((node, row) => {
      if (this.nodes.present[row] === 1) this.nodeCame(row, node);
    });
    this.nodes.watchers.push(this);
  }

  of(pod: Pod): PodVolumes {
    return podVolumes(pod, this.index);
  }

  /** Some pod of the snapshot uses the volume. */
  isUsed(volume: CountedVolume): boolean {
    return this.podsByVolume.has(volume);
  }

  /** Some pod of the snapshot uses this `ReadWriteOncePod` claim. */
  isClaimUsed(key: string): boolean {
    return this.podsByExclusiveClaim.has(key);
  }

  /** Some pod on the node uses the volume; attachments alone don't count here. */
  isUsedOn(row: number, volume: CountedVolume): boolean {
    return this.byRow[row]?.pods.has(volume) === true;
  }

  /** Volumes of the driver that count against the node's limit. */
  countOn(row: number, driver: string): number {
    return this.byRow[row]?.byDriver.get(driver) ?? 0;
  }

  /** A picture of the moment. */
  on(row: number): MountedVolumes {
    this.wake();
    const limits = this.nodes.nodes[row]!.volumeLimits;
    const volumes = new Set(this.byRow[row]?.pods.keys());
    const byDriver = new Map(this.byRow[row]?.byDriver);
    return {
      volumes,
      disks: [...this.disksOn(row)],
      freePlaces: (driver) => (limits?.get(driver) ?? Infinity) - (byDriver.get(driver) ?? 0),
    };
  }

  disksOn(row: number): readonly LegacyDisk[] {
    return this.byRow[row]?.disks ?? [];
  }

  nodeCame(row: number, node: Node): void {
    const attached = this.index.attachedTo(node.name);
    this.byRow[row] = attached === undefined ? undefined : new NodeVolumes(attached);
    for (const pod of this.nodes.pods[row]!) this.podCame(row, pod);
  }

  nodeLeft(row: number): void {
    for (const pod of this.nodes.pods[row]!) this.podLeft(row, pod);
    this.byRow[row] = undefined;
  }

  podCame(row: number, pod: Pod): void {
    if (!hasVolumesThatMatter(pod)) return;
    this.count(row, pod, 1);
    this.byRow[row]!.disks.push(...this.of(pod).disks);
  }

  podLeft(row: number, pod: Pod): void {
    if (!hasVolumesThatMatter(pod)) return;
    this.count(row, pod, -1);
    const { disks } = this.byRow[row]!;
    for (const disk of this.of(pod).disks) disks.splice(disks.indexOf(disk), 1);
  }

  private count(row: number, pod: Pod, change: 1 | -1): void {
    const { counted, exclusiveClaims } = this.of(pod);
    const onNode = (this.byRow[row] ??= new NodeVolumes(NOTHING_ATTACHED));
    for (const volume of counted) {
      onNode.use(volume, change);
      changeCount(this.podsByVolume, volume, change);
    }
    for (const key of exclusiveClaims) changeCount(this.podsByExclusiveClaim, key, change);
  }
}

/** Keys with a count of 0 are not held. */
function changeCount<K>(counts: Map<K, number>, key: K, change: number): void {
  const after = (counts.get(key) ?? 0) + change;
  if (after === 0) counts.delete(key);
  else counts.set(key, after);
}
