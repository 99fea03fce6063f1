import type { Labels } from '../../../domain/kubernetes/labels.js';
import { QuantityError, readQuantity, toUnits } from '../../../domain/kubernetes/quantity.js';
import type {
  ClusterStorage,
  CsiDriver,
  CsiNode,
  CsiStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from '../../../domain/kubernetes/storage.js';
import type { Kind } from '../objects/kind.js';
import { KINDS } from '../objects/kinds.js';
import { controllerOf } from '../objects/object.js';
import type { KubeObject, ObjectMeta } from '../objects/object.js';
import type { LabelSelector } from '../objects/selector.js';
import type { NodeSelectorTerm } from '../objects/types.js';
import type { ObjectStore } from '../store/object-store.js';
import { labelSelector, nodeSelectorOf } from './project-selector.js';

const PLURALS = [
  'persistentvolumes',
  'persistentvolumeclaims',
  'storageclasses',
  'csinodes',
  'csidrivers',
  'csistoragecapacities',
  'volumeattachments',
] as const;

/** Kinds that decide where a pod's volumes can be had. */
export const STORAGE_KINDS: readonly Kind[] = PLURALS.map(kindOf);

/** What the scheduler knows of storage, as the record that the filters read. */
export function projectStorage(store: ObjectStore): ClusterStorage {
  const read = <T>(plural: (typeof PLURALS)[number], project: (object: never) => T): T[] =>
    store.list(kindOf(plural)).flatMap((object) => wellFormed(object as never, project));
  return {
    volumes: read('persistentvolumes', projectVolume),
    claims: read('persistentvolumeclaims', projectClaim),
    classes: read('storageclasses', projectClass),
    csiNodes: read('csinodes', projectCsiNode),
    csiDrivers: read('csidrivers', projectCsiDriver),
    capacities: read('csistoragecapacities', projectCapacity),
    attachments: read('volumeattachments', projectAttachment),
  };
}

/** Without an object whose size is no quantity, as only a test can plant it. */
function wellFormed<O, T>(object: O, project: (object: O) => T): T[] {
  try {
    return [project(object)];
  } catch (error) {
    if (error instanceof QuantityError) return [];
    throw error;
  }
}

function kindOf(plural: string): Kind {
  return KINDS.find((kind) => kind.plural === plural)!;
}

interface VolumeObject extends KubeObject {
  readonly spec: {
    readonly storageClassName?: string;
    readonly capacity?: Readonly<Record<string, unknown>>;
    readonly accessModes?: readonly string[];
    readonly volumeMode?: string;
    readonly volumeAttributesClassName?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly nodeAffinity?: {
      readonly required?: { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] };
    };
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  };
  readonly status?: { readonly phase?: string };
}

function projectVolume({ metadata, spec, status }: VolumeObject): PersistentVolume {
  const { claimRef, nodeAffinity, csi } = spec;
  return {
    name: metadata.name,
    labels: labelsOf(metadata),
    className: classNameOf(metadata, spec.storageClassName),
    capacityBytes: bytesOf(spec.capacity?.['storage']) ?? 0,
    ...modesOf(spec),
    phase: status?.phase ?? '',
    terminating: metadata.deletionTimestamp !== undefined,
    claimRef: claimRef === undefined ? null : { namespace: '', name: '', uid: '', ...claimRef },
    nodeAffinity: nodeSelectorOf(nodeAffinity?.required),
    csi: csi === undefined ? null : { driver: csi.driver, volumeHandle: csi.volumeHandle },
  };
}

interface ClaimObject extends KubeObject {
  readonly spec: {
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly accessModes?: readonly string[];
    readonly volumeMode?: string;
    readonly volumeAttributesClassName?: string;
    readonly selector?: LabelSelector;
    readonly resources?: { readonly requests?: Readonly<Record<string, unknown>> };
  };
  readonly status?: { readonly phase?: string };
}

function projectClaim(claim: ClaimObject): PersistentVolumeClaim {
  const { metadata, spec, status } = claim;
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    className: classNameOf(metadata, spec.storageClassName),
    volumeName: spec.volumeName ?? '',
    bindCompleted: metadata.annotations?.['pv.kubernetes.io/bind-completed'] !== undefined,
    phase: status?.phase ?? '',
    terminating: metadata.deletionTimestamp !== undefined,
    controllerUid: controllerOf(claim)?.uid ?? '',
    ...modesOf(spec),
    selector: labelSelector(spec.selector),
    requestBytes: bytesOf(spec.resources?.requests?.['storage']),
    selectedNode: metadata.annotations?.['volume.kubernetes.io/selected-node'] ?? null,
  };
}

interface ClassObject extends KubeObject {
  readonly provisioner?: string;
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: StorageClass['allowedTopologies'][number];
  }[];
}

function projectClass({ metadata, provisioner, ...fields }: ClassObject): StorageClass {
  return {
    name: metadata.name,
    provisioner: provisioner ?? '',
    bindingMode: fields.volumeBindingMode ?? null,
    allowedTopologies: (fields.allowedTopologies ?? []).map((term) => term.matchLabelExpressions ?? []),
  };
}

interface CsiNodeObject extends KubeObject {
  readonly spec?: {
    readonly drivers?: readonly {
      readonly name: string;
      readonly allocatable?: { readonly count?: number };
    }[];
  };
}

function projectCsiNode({ metadata, spec }: CsiNodeObject): CsiNode {
  const drivers = spec?.drivers ?? [];
  return {
    nodeName: metadata.name,
    limits: new Map(drivers.map(({ name, allocatable }) => [name, allocatable?.count ?? Infinity])),
  };
}

function projectCsiDriver({
  metadata,
  spec,
}: KubeObject & { readonly spec?: { readonly storageCapacity?: boolean } }): CsiDriver {
  return { name: metadata.name, storageCapacity: spec?.storageCapacity === true };
}

interface CapacityObject extends KubeObject {
  readonly storageClassName?: string;
  readonly nodeTopology?: LabelSelector;
}

function projectCapacity(capacity: CapacityObject): CsiStorageCapacity {
  return {
    className: capacity.storageClassName ?? '',
    nodeTopology: labelSelector(capacity.nodeTopology),
    largestBytes: bytesOf(capacity['maximumVolumeSize'] ?? capacity['capacity']),
  };
}

interface AttachmentObject extends KubeObject {
  readonly spec: {
    readonly attacher?: string;
    readonly nodeName?: string;
    readonly source?: { readonly persistentVolumeName?: string };
  };
}

function projectAttachment({ spec }: AttachmentObject): VolumeAttachment {
  return {
    nodeName: spec.nodeName ?? '',
    attacher: spec.attacher ?? '',
    volumeName: spec.source?.persistentVolumeName ?? '',
  };
}

function modesOf(
  spec: Pick<ClaimObject['spec'], 'accessModes' | 'volumeMode' | 'volumeAttributesClassName'>,
): Pick<PersistentVolume, 'accessModes' | 'volumeMode' | 'attributesClassName'> {
  return {
    accessModes: spec.accessModes ?? [],
    volumeMode: spec.volumeMode ?? 'Filesystem',
    attributesClassName: spec.volumeAttributesClassName ?? '',
  };
}

function classNameOf({ annotations }: ObjectMeta, className: string | undefined): string {
  return annotations?.['volume.beta.kubernetes.io/storage-class'] ?? className ?? '';
}

function labelsOf({ labels }: ObjectMeta): Labels {
  return new Map(Object.entries(labels ?? {}));
}

/** Null where nothing is stated. */
function bytesOf(written: unknown): number | null {
  return written == null ? null : toUnits(readQuantity(written).nano);
}
