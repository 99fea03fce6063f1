import type { Pod } from '../../kubernetes/pod.js';
import { WAIT_FOR_FIRST_CONSUMER } from '../../kubernetes/storage.js';
import { isBound } from './claim-volume.js';
import type { ClaimVolume } from './claim-volume.js';

/** Why a pod fits no node, whatever the node: the first PreFilter that rejects, in the scheduler's order. */
export interface ClaimProblem {
  readonly plugin: 'VolumeRestrictions' | 'VolumeBinding' | 'VolumeZone';
  readonly text: string;
}

export function claimProblem(pod: Pod, claims: readonly ClaimVolume[]): ClaimProblem | null {
  const restrictions = missingClaim(claims);
  if (restrictions !== null) return { plugin: 'VolumeRestrictions', text: restrictions };
  const binding = unusableClaim(pod, claims) ?? unboundClaim(claims);
  if (binding !== null) return { plugin: 'VolumeBinding', text: binding };
  const zone = firstText(claims, zoneProblem);
  return zone === null ? null : { plugin: 'VolumeZone', text: zone };
}

/** `scheduling` 3.7. */
function missingClaim(claims: readonly ClaimVolume[]): string | null {
  return firstText(claims, ({ name, isEphemeral, claim }) =>
    claim === null && !isEphemeral ? `persistentvolumeclaim "${name}" not found` : null,
  );
}

/** `scheduling` 3.8, PreFilter 1 to 4; claims that are not ephemeral are there by now. */
function unusableClaim(pod: Pod, claims: readonly ClaimVolume[]): string | null {
  return firstText(claims, ({ name, isEphemeral, claim }) => {
    if (claim === null) {
      return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
    }
    if (claim.phase === 'Lost') {
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.volumeName}"`;
    }
    if (claim.terminating) return `persistentvolumeclaim "${name}" is being deleted`;
    if (!isEphemeral || claim.controllerUid === pod.uid) return null;
    const { namespace } = pod;
    return `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.name} (pod is not owner)`;
  });
}

/** `scheduling` 3.8, PreFilter 5. */
function unboundClaim(claims: readonly ClaimVolume[]): string | null {
  const unbound = claims.filter(({ claim }) => claim !== null && !isBound(claim));
  const withoutMode = unbound.find(({ storageClass }) => storageClass?.bindingMode === null);
  if (withoutMode?.storageClass) return modeMissing(withoutMode.storageClass.name);
  const isImmediate = unbound.some(
    ({ claim, storageClass }) =>
      storageClass?.bindingMode !== WAIT_FOR_FIRST_CONSUMER || claim?.volumeName !== '',
  );
  return isImmediate ? 'pod has unbound immediate PersistentVolumeClaims' : null;
}

/** `scheduling` 3.9; what is left of it once the plugins before had nothing to say. */
function zoneProblem({ isEphemeral, claim, volume }: ClaimVolume): string | null {
  if (isEphemeral || claim === null || claim.volumeName === '' || volume !== null) return null;
  return `persistentvolume "${claim.volumeName}" not found`;
}

function modeMissing(className: string): string {
  return `VolumeBindingMode not set for StorageClass "${className}"`;
}

function firstText(
  claims: readonly ClaimVolume[],
  textOf: (claim: ClaimVolume) => string | null,
): string | null {
  for (const claim of claims) {
    const text = textOf(claim);
    if (text !== null) return text;
  }
  return null;
}
