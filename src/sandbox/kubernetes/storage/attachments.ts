import { ATTACHMENTS, CLAIMS, PODS, VOLUMES } from '../objects/kinds.js';
import type { Attachment, Pod, Volume } from '../objects/types.js';
import { isFinished, nodeNameOf } from '../controllers/pods.js';
import { Reconciler } from '../controllers/reconciler.js';
import type { OwnerIndex } from '../controllers/owner-index.js';
import { deleteObject } from '../registry/deletion.js';
import type { Registry } from '../registry/registry.js';
import type { StoreEvent } from '../store/collection.js';
import { claimsOf } from './claims.js';

const OWN_NAME = 'csi-';

/**
 * Keeps a VolumeAttachment for every CSI volume on every node where a pod uses it.
 *
 * @param detachMs time that a cloud needs to take a volume off a machine.
 */
export function attachmentController(registry: Registry, index: OwnerIndex, detachMs: number): Reconciler {
  const { store } = registry;
  const unusedSince = new Map<string, number>();
  return new Reconciler(registry, ({ name: nodeName }, reconciler) => {
    const missing = volumesOn(registry, index.podsOn(nodeName));
    const present = store.list(ATTACHMENTS).filter(({ spec }) => spec.nodeName === nodeName);
    for (const { metadata, spec } of present) {
      if (missing.delete(spec.source.persistentVolumeName ?? '')) {
        unusedSince.delete(metadata.name);
        continue;
      }
      // Somebody else's: a test's, or a scenario's.
      if (metadata.generateName !== OWN_NAME) continue;
      const since = unusedSince.get(metadata.name) ?? registry.clock.now();
      unusedSince.set(metadata.name, since);
      const leftMs = since + detachMs - registry.clock.now();
      if (leftMs > 0) reconciler.addAfter({ namespace: '', name: nodeName }, leftMs);
      else {
        unusedSince.delete(metadata.name);
        deleteObject(registry, ATTACHMENTS, { namespace: '', name: metadata.name });
      }
    }
    for (const volume of missing.values()) attach(registry, volume, nodeName);
  }).watch(PODS, (event) => nodesOf(event));
}

/** The node of a pod with claims that came, went or ended. */
function nodesOf({ type, current, previous }: StoreEvent<Pod>): { namespace: string; name: string }[] {
  const pod = current.object;
  const name = nodeNameOf(pod);
  if (name === '' || claimsOf(pod).length === 0) return [];
  const before = previous?.object;
  const changed =
    type !== 'MODIFIED' ||
    before === undefined ||
    nodeNameOf(before) === '' ||
    isFinished(before) !== isFinished(pod);
  return changed ? [{ namespace: '', name }] : [];
}

function volumesOn({ store }: Registry, pods: readonly Pod[]): Map<string, Volume> {
  const volumes = new Map<string, Volume>();
  for (const pod of pods.filter((one) => !isFinished(one))) {
    for (const { name } of claimsOf(pod)) {
      const volumeName = store.get(CLAIMS, pod.metadata.namespace, name)?.spec.volumeName ?? '';
      const volume = volumeName === '' ? undefined : store.get(VOLUMES, undefined, volumeName);
      if (volume?.spec.csi !== undefined) volumes.set(volumeName, volume);
    }
  }
  return volumes;
}

function attach(registry: Registry, volume: Volume, nodeName: string): void {
  const { name } = volume.metadata;
  const attachment = registry.create<Attachment>(
    ATTACHMENTS,
    {
      metadata: { generateName: OWN_NAME },
      spec: { attacher: volume.spec.csi!.driver, nodeName, source: { persistentVolumeName: name } },
    },
    '',
  );
  registry.modifyStatus(ATTACHMENTS, { namespace: '', name: attachment.metadata.name }, (draft) => {
    draft.status = { attached: true };
  });
}
