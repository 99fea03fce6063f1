import type {
  ClaimObject,
  Maybe,
  NodeObject,
  ObjectMeta,
  PersistentVolumeObject,
  PodObject,
  StorageClassObject,
} from './api-objects.js';
import { annotationOf, findNamed, labelsOf, nameOf, namespaceOf } from './cluster.js';
import type { Cluster } from './cluster.js';
import { nodeSelectorMatches } from './node-selector.js';

/** A volume of a pod that stands for a claim: by name, or generic ephemeral. */
export interface ClaimVolume {
  readonly claimName: string;
  readonly ephemeral: boolean;
}

/** In volume order (`scheduling` 3.8). */
export function claimVolumes(pod: PodObject): ClaimVolume[] {
  return (pod.spec?.volumes ?? []).flatMap((volume): ClaimVolume[] => {
    if (volume.persistentVolumeClaim != null) {
      return [{ claimName: volume.persistentVolumeClaim.claimName ?? '', ephemeral: false }];
    }
    if (volume.ephemeral != null)
      return [{ claimName: `${nameOf(pod)}-${volume.name ?? ''}`, ephemeral: true }];
    return [];
  });
}

export function findClaim(cluster: Cluster, namespace: string, name: string): ClaimObject | undefined {
  return cluster.claims.find((claim) => namespaceOf(claim) === namespace && nameOf(claim) === name);
}

/** The beta annotation wins over the field; empty where neither is there. */
export function classNameOf(object: {
  metadata?: Maybe<ObjectMeta>;
  spec?: Maybe<{ storageClassName?: Maybe<string> }>;
}): string {
  return (
    annotationOf(object, 'volume.beta.kubernetes.io/storage-class') ?? object.spec?.storageClassName ?? ''
  );
}

export function classOf(cluster: Cluster, claim: ClaimObject): StorageClassObject | undefined {
  const name = classNameOf(claim);
  return name === '' ? undefined : findNamed(cluster.storageClasses, name);
}

export function notFound(claimName: string): string {
  return `persistentvolumeclaim "${claimName}" not found`;
}

/** The node affinity of a volume is held against the labels alone. */
export function volumeReaches(volume: PersistentVolumeObject, node: NodeObject): boolean {
  const required = volume.spec?.nodeAffinity?.required;
  return required == null || nodeSelectorMatches(required, labelsOf(node), '');
}
