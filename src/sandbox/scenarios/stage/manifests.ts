import type { Manifest } from '../../kubernetes/index.js';
import type {
  AttachmentDocument,
  BudgetDocument,
  ClaimDocument,
  DaemonSetDocument,
  VolumeDocument,
} from '../format/world-shape.js';
import { bytes, podTemplate, selectorOf } from './pod-manifest.js';

/** Objects other than nodes and pods, as Kubernetes has them. */

export function budgetManifest(budget: BudgetDocument): Manifest {
  const { id, app, minAvailable, maxUnavailable, namespace = 'default' } = budget;
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: id ?? app ?? 'budget', namespace },
    spec: {
      selector: selectorOf(budget),
      ...(minAvailable !== undefined && { minAvailable }),
      ...(maxUnavailable !== undefined && { maxUnavailable }),
    },
  };
}

export function daemonSetManifest(set: DaemonSetDocument): Manifest {
  const { id, selector, tolerates, cpu, mem, namespace = 'kube-system' } = set;
  const { metadata, spec } = podTemplate({
    ...{ id, namespace, owner: `ds/${id}` },
    ...(cpu !== undefined && { cpu }),
    ...(mem !== undefined && { mem }),
    ...(selector !== undefined && { selector }),
    ...(tolerates !== undefined && { tolerates }),
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: id, namespace },
    spec: { selector: { matchLabels: metadata.labels }, template: { metadata, spec } },
  };
}

export function volumeManifest({ id, affinity, size = 10, storageClass }: VolumeDocument): Manifest {
  const matchExpressions = [...(affinity ?? [])].map(([key, values]) => ({ key, operator: 'In', values }));
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: id },
    spec: {
      capacity: { storage: bytes(size) },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'csi.hetzner.cloud', volumeHandle: id },
      ...(storageClass !== undefined && { storageClassName: storageClass }),
      ...(matchExpressions.length > 0 && {
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      }),
    },
    status: { phase: 'Bound' },
  };
}

/** The claim, and the storage class that says when it is bound. */
export function claimManifests({
  id,
  volume,
  mode,
  bound,
  namespace = 'default',
}: ClaimDocument): readonly Manifest[] {
  const isBound = bound ?? volume !== undefined;
  const className = mode === undefined ? null : `story-${mode.toLowerCase()}`;
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: id, namespace },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: bytes(10) } },
      ...(volume !== undefined && { volumeName: volume }),
      ...(className !== null && { storageClassName: className }),
    },
    status: { phase: isBound ? 'Bound' : 'Pending' },
  };
  if (className === null) return [claim];
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: className },
    provisioner: 'story',
    volumeBindingMode: mode,
  };
  return [storageClass, claim];
}

export function attachmentManifest({ node, volume = `volume-of-${node}` }: AttachmentDocument): Manifest {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `${node}-${volume}` },
    spec: { attacher: 'csi.hetzner.cloud', nodeName: node, source: { persistentVolumeName: volume } },
    status: { attached: true },
  };
}
