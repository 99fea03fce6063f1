import type { LegacyDisk } from '../../../domain/kubernetes/pod.js';
import type { VolumeJson } from './api-objects.js';

/** The API server's default for `rbd.pool`. */
const RBD_POOL = 'rbd';
const NO_MONITORS: readonly string[] = [];

/** An inline disk that pods on one node may fight for, or null (`scheduling` 3.7). */
export function projectLegacyDisk(volume: VolumeJson): LegacyDisk | null {
  const { gcePersistentDisk: gce, awsElasticBlockStore: aws, iscsi, rbd } = volume;
  const disk = (
    type: LegacyDisk['type'],
    name: string | null | undefined,
    readOnly: boolean | null | undefined,
  ): LegacyDisk => ({ type, name: name ?? '', monitors: NO_MONITORS, readOnly: readOnly === true });

  if (gce != null) return disk('gcePersistentDisk', gce.pdName, gce.readOnly);
  if (aws != null) return disk('awsElasticBlockStore', aws.volumeID, aws.readOnly);
  if (iscsi != null) return disk('iscsi', iscsi.iqn, iscsi.readOnly);
  if (rbd == null) return null;
  const image = `${rbd.pool ?? RBD_POOL}/${rbd.image ?? ''}`;
  return { ...disk('rbd', image, rbd.readOnly), monitors: rbd.monitors ?? NO_MONITORS };
}
