import type { ClaimObject, NodeObject, PodObject } from '../api-objects.js';
import { findNamed, nameOf, namespaceOf, podsOn } from '../cluster.js';
import type { Cluster } from '../cluster.js';
import { claimVolumes, classOf, findClaim } from '../volumes.js';
import type { Plugin } from './plugin.js';

/** Driver by volume identity. */
type Volumes = Map<string, string>;

/** `scheduling` 3.7; in-tree plugins are not migrated (optional there). */
export const nodeVolumeLimits: Plugin = {
  name: 'NodeVolumeLimits',
  filter({ cluster, pod, node }) {
    const limits = limitsOf(cluster, node);
    const attached: Volumes = new Map(
      podsOn(cluster, node).flatMap((other) => [...volumesOf(cluster, other)]),
    );
    const wanted = new Map([...volumesOf(cluster, pod)].filter(([identity]) => !attached.has(identity)));
    const held: Volumes = new Map([...attachments(cluster, node), ...attached]);
    for (const [driver, limit] of limits) {
      const fresh = countOf(wanted, driver);
      if (fresh > 0 && countOf(held, driver) + fresh > limit) return ['node(s) exceed max volume count'];
    }
    return [];
  },
};

function limitsOf(cluster: Cluster, node: NodeObject): Map<string, number> {
  const limits = new Map<string, number>();
  for (const driver of findNamed(cluster.csiNodes, nameOf(node))?.spec?.drivers ?? []) {
    if (driver.allocatable?.count != null) limits.set(driver.name ?? '', driver.allocatable.count);
  }
  return limits;
}

function volumesOf(cluster: Cluster, pod: PodObject): Volumes {
  const volumes: Volumes = new Map();
  for (const { claimName } of claimVolumes(pod)) {
    const claim = findClaim(cluster, namespaceOf(pod), claimName);
    const identity = claim && identityOf(cluster, claim);
    if (identity) volumes.set(`${identity.driver}/${identity.handle}`, identity.driver);
  }
  return volumes;
}

/** Null where the volume is not counted. */
function identityOf(cluster: Cluster, claim: ClaimObject): { driver: string; handle: string } | null {
  const bound = claim.spec?.volumeName
    ? findNamed(cluster.persistentVolumes, claim.spec.volumeName)
    : undefined;
  if (bound !== undefined) {
    const csi = bound.spec?.csi;
    return csi == null ? null : { driver: csi.driver ?? '', handle: csi.volumeHandle ?? '' };
  }
  const storageClass = classOf(cluster, claim);
  if (storageClass === undefined) return null;
  return {
    driver: storageClass.provisioner ?? '',
    handle: `not provisioned yet: ${namespaceOf(claim)}/${nameOf(claim)}`,
  };
}

function attachments(cluster: Cluster, node: NodeObject): Volumes {
  const volumes: Volumes = new Map();
  for (const { spec } of cluster.volumeAttachments) {
    if ((spec?.nodeName ?? '') !== nameOf(node)) continue;
    const csi = findNamed(cluster.persistentVolumes, spec?.source?.persistentVolumeName ?? '')?.spec?.csi;
    const attacher = spec?.attacher ?? '';
    if (csi != null) volumes.set(`${attacher}/${csi.volumeHandle ?? ''}`, attacher);
  }
  return volumes;
}

function countOf(volumes: Volumes, driver: string): number {
  return [...volumes.values()].filter((other) => other === driver).length;
}
