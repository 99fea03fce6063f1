import type { ClaimObject, PersistentVolumeObject, PodObject } from '../api-objects.js';
import { annotationOf, findNamed, isTerminating, labelsOf, nameOf, namespaceOf } from '../cluster.js';
import type { Cluster, Question } from '../cluster.js';
import { chooseStaticVolume, requestedSize } from '../static-volumes.js';
import { hasEnoughCapacity, topologyAllows } from '../provisioning.js';
import { claimVolumes, classNameOf, classOf, findClaim, notFound, volumeReaches } from '../volumes.js';
import type { ClaimVolume } from '../volumes.js';
import type { Plugin } from './plugin.js';

const NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
const BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind";
const NO_SPACE = 'node(s) did not have enough free storage';
const VOLUME_MISSING = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** `scheduling` 3.8 */
export const volumeBinding: Plugin = {
  name: 'VolumeBinding',
  preFilter({ cluster, pod }) {
    for (const volume of claimVolumes(pod)) {
      const problem = claimProblem(cluster, pod, volume);
      if (problem !== null) return { rejection: problem };
    }
    const kinds = claimsOf(cluster, pod).map((claim) => classify(cluster, claim));
    const error = kinds.find((kind) => kind.startsWith('VolumeBindingMode'));
    if (error !== undefined) return { rejection: error };
    if (kinds.includes('immediate')) return { rejection: 'pod has unbound immediate PersistentVolumeClaims' };
    return null;
  },
  filter(question) {
    const claims = claimsOf(question.cluster, question.pod);
    const ofKind = (kind: string) => claims.filter((claim) => classify(question.cluster, claim) === kind);
    const found = new Set([
      ...checkBound(question, ofKind('bound')),
      ...checkDelayed(question, ofKind('delayed')),
    ]);
    return [NODE_CONFLICT, BIND_CONFLICT, NO_SPACE, VOLUME_MISSING].filter((reason) => found.has(reason));
  },
};

function claimProblem(cluster: Cluster, pod: PodObject, volume: ClaimVolume): string | null {
  const name = volume.claimName;
  const claim = findClaim(cluster, namespaceOf(pod), name);
  if (claim === undefined) {
    if (!volume.ephemeral) return notFound(name);
    return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
  }
  if (claim.status?.phase === 'Lost') {
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
  }
  if (isTerminating(claim)) return `persistentvolumeclaim "${name}" is being deleted`;
  if (volume.ephemeral && !isControlledBy(claim, pod)) {
    const owner = `${namespaceOf(pod)}/${nameOf(pod)}`;
    return `PVC ${namespaceOf(pod)}/${name} was not created for pod ${owner} (pod is not owner)`;
  }
  return null;
}

function isControlledBy(claim: ClaimObject, pod: PodObject): boolean {
  const controller = (claim.metadata?.ownerReferences ?? []).find((owner) => owner.controller === true);
  return controller !== undefined && (controller.uid ?? '') === (pod.metadata?.uid ?? '');
}

function claimsOf(cluster: Cluster, pod: PodObject): ClaimObject[] {
  return claimVolumes(pod).flatMap(({ claimName }) => findClaim(cluster, namespaceOf(pod), claimName) ?? []);
}

/** `bound`, `delayed`, `immediate`, or the text of an internal error. */
function classify(cluster: Cluster, claim: ClaimObject): string {
  const volumeName = claim.spec?.volumeName ?? '';
  const completed = annotationOf(claim, 'pv.kubernetes.io/bind-completed') !== undefined;
  if (volumeName !== '' && completed) return 'bound';
  const storageClass = classOf(cluster, claim);
  if (storageClass === undefined) return 'immediate';
  if (storageClass.volumeBindingMode == null) {
    return `VolumeBindingMode not set for StorageClass "${classNameOf(claim)}"`;
  }
  return storageClass.volumeBindingMode === 'WaitForFirstConsumer' && volumeName === ''
    ? 'delayed'
    : 'immediate';
}

function checkBound({ cluster, node }: Question, claims: readonly ClaimObject[]): string[] {
  for (const claim of claims) {
    const volume = findNamed(cluster.persistentVolumes, claim.spec?.volumeName ?? '');
    if (volume === undefined) return [VOLUME_MISSING];
    if (!volumeReaches(volume, node)) return [NODE_CONFLICT];
  }
  return [];
}

function checkDelayed(question: Question, claims: readonly ClaimObject[]): string[] {
  const selected = (claim: ClaimObject) => annotationOf(claim, 'volume.kubernetes.io/selected-node');
  const elsewhere = claims.some((claim) => ![undefined, nameOf(question.node)].includes(selected(claim)));
  if (elsewhere) return [BIND_CONFLICT];
  const toProvision = claims.filter((claim) => selected(claim) !== undefined);
  const chosen = new Set<PersistentVolumeObject>();
  const bySize = claims
    .filter((claim) => selected(claim) === undefined)
    .sort((a, b) => compare(requestedSize(a) ?? 0n, requestedSize(b) ?? 0n));
  for (const claim of bySize) {
    const volume = chooseStaticVolume(question, claim, chosen);
    if (volume === undefined) toProvision.push(claim);
    else chosen.add(volume);
  }
  return checkProvisioning(question, toProvision);
}

function compare(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function checkProvisioning({ cluster, node }: Question, claims: readonly ClaimObject[]): string[] {
  for (const claim of claims) {
    const storageClass = classOf(cluster, claim);
    const provisioner = storageClass?.provisioner ?? '';
    if (storageClass === undefined || provisioner === '' || provisioner === 'kubernetes.io/no-provisioner') {
      return [BIND_CONFLICT];
    }
    if (!topologyAllows(storageClass, labelsOf(node))) return [BIND_CONFLICT];
    if (!hasEnoughCapacity(cluster, provisioner, claim, node)) return [NO_SPACE];
  }
  return [];
}
