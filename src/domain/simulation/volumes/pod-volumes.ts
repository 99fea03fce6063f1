import type { LegacyDisk, Pod } from '../../kubernetes/pod.js';
import { READ_WRITE_ONCE_POD } from '../../kubernetes/storage.js';
import { resolveClaim } from './claim-volume.js';
import type { ClaimVolume } from './claim-volume.js';
import { claimKey } from './storage-index.js';
import type { CountedVolume, StorageIndex } from './storage-index.js';
import { volumeNeeds } from './volume-needs.js';
import type { VolumeNeeds } from './volume-needs.js';
import { volumesSignature } from './volumes-signature.js';

/** Whether any volume of the pod matters to where it may run. */
export function hasVolumesThatMatter({ claims, shape }: Pod): boolean {
  if (claims.length > 0) return true;
  return shape.volumes.length > 0 && shape.volumes.some(({ disk }) => disk !== undefined);
}

const resolved = new WeakMap<StorageIndex, WeakMap<Pod, PodVolumes>>();

/** Worked out once for a pod and a state of the storage. */
export function podVolumes(pod: Pod, index: StorageIndex): PodVolumes {
  let byPod = resolved.get(index);
  if (byPod === undefined) {
    byPod = new WeakMap<Pod, PodVolumes>();
    resolved.set(index, byPod);
  }
  let volumes = byPod.get(pod);
  if (volumes === undefined) {
    volumes = new PodVolumes(pod, index);
    byPod.set(pod, volumes);
  }
  return volumes;
}

/** The volumes of one pod, resolved. What only a pod that looks for a node needs is worked out when it is asked for. */
export class PodVolumes {
  /** In the order of the pod's volumes. */
  readonly claims: readonly ClaimVolume[];
  readonly disks: readonly LegacyDisk[];
  /** What limits count, each once. */
  readonly counted: ReadonlySet<CountedVolume>;
  /** Claims that only one pod in the cluster may use, by {@link claimKey}. */
  readonly exclusiveClaims: readonly string[];
  private knownNeeds: VolumeNeeds | undefined;
  private knownSignature: string | undefined;

  constructor(
    private readonly pod: Pod,
    readonly index: StorageIndex,
  ) {
    const { namespace, shape } = pod;
    const kinds = shape.volumes.filter(({ kind }) => kind === 'claim' || kind === 'ephemeral');
    this.claims = pod.claims.map((name, i) =>
      resolveClaim(index, namespace, name, kinds[i]?.kind === 'ephemeral'),
    );
    this.disks = shape.volumes.flatMap(({ disk }) => disk ?? []);
    this.counted = new Set(
      this.claims.flatMap(({ claim }) => (claim === null ? [] : (index.countedVolume(claim) ?? []))),
    );
    this.exclusiveClaims = this.claims
      .filter(({ isEphemeral, claim }) => !isEphemeral && claim?.accessModes.includes(READ_WRITE_ONCE_POD))
      .map(({ name }) => claimKey(namespace, name));
  }

  get needs(): VolumeNeeds {
    this.knownNeeds ??= volumeNeeds(this.pod, this.claims, this.index);
    return this.knownNeeds;
  }

  /** Equal for pods that no filter can tell apart by their volumes, as long as no other pod uses the same. */
  get signature(): string {
    this.knownSignature ??= volumesSignature(this);
    return this.knownSignature;
  }
}
