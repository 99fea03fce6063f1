import type { LegacyDisk, PodVolume } from '../../../domain/kubernetes/pod.js';
import type { PodSpec } from '../objects/types.js';

interface VolumeJson {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: unknown;
  readonly gcePersistentDisk?: { readonly pdName?: string; readonly readOnly?: boolean };
  readonly awsElasticBlockStore?: { readonly volumeID?: string; readonly readOnly?: boolean };
  readonly iscsi?: { readonly iqn?: string; readonly readOnly?: boolean };
  readonly rbd?: {
    readonly monitors?: readonly string[];
    readonly pool?: string;
    readonly image?: string;
    readonly readOnly?: boolean;
  };
}

/** Volumes that matter to the scheduler; others are left out. */
export function projectVolumes(spec: PodSpec): readonly PodVolume[] {
  return volumesOf(spec).flatMap((volume): PodVolume[] => {
    const { name } = volume;
    if (volume.persistentVolumeClaim !== undefined) return [{ name, kind: 'claim' }];
    if (volume.ephemeral !== undefined) return [{ name, kind: 'ephemeral' }];
    const disk = diskOf(volume);
    return disk === null ? [] : [{ name, kind: 'other', disk }];
  });
}

/** One claim for each volume that stands for one, generic ephemeral ones by the name that they are given. */
export function claimsOf(podName: string, spec: PodSpec): readonly string[] {
  return volumesOf(spec).flatMap(({ name, persistentVolumeClaim: claim, ephemeral }) => {
    if (claim !== undefined) return [claim.claimName];
    return ephemeral === undefined ? [] : [`${podName}-${name}`];
  });
}

function volumesOf(spec: PodSpec): readonly VolumeJson[] {
  return spec['volumes'] ?? [];
}

function diskOf(volume: VolumeJson): LegacyDisk | null {
  const { gcePersistentDisk: gce, awsElasticBlockStore: aws, iscsi, rbd } = volume;
  const disk = (type: LegacyDisk['type'], name = '', readOnly = false): LegacyDisk => ({
    type,
    name,
    monitors: [],
    readOnly,
  });
  if (gce !== undefined) return disk('gcePersistentDisk', gce.pdName, gce.readOnly);
  if (aws !== undefined) return disk('awsElasticBlockStore', aws.volumeID, aws.readOnly);
  if (iscsi !== undefined) return disk('iscsi', iscsi.iqn, iscsi.readOnly);
  if (rbd === undefined) return null;
  const { pool = 'rbd', image = '', monitors = [] } = rbd;
  return { ...disk('rbd', `${pool}/${image}`, rbd.readOnly), monitors };
}
