import type { Labels } from './labels.js';
import type { LabelSelector, NodeSelector } from './selectors.js';

/** Storage objects, compact: what placing pods reads of them (`scheduling` 3.7 to 3.9). Sizes in bytes. */

export interface PersistentVolume {
  readonly name: string;
  readonly labels: Labels;
  /** Annotation `volume.beta.kubernetes.io/storage-class`, else `spec.storageClassName`, else empty. */
  readonly className: string;
  readonly capacityBytes: number;
  readonly accessModes: readonly string[];
  readonly volumeMode: string;
  /** `spec.volumeAttributesClassName`, or empty. */
  readonly attributesClassName: string;
  /** `status.phase`: only an `Available` one can be bound to any claim. */
  readonly phase: string;
  /** `metadata.deletionTimestamp` is set. */
  readonly terminating: boolean;
  /** The claim that it is reserved for or bound to. An empty uid: any claim of that name. */
  readonly claimRef: ClaimReference | null;
  /** `spec.nodeAffinity.required`: nodes that reach it. */
  readonly nodeAffinity: NodeSelector | null;
  /** Null where the volume is not of a CSI driver. */
  readonly csi: CsiSource | null;
}

export interface ClaimReference {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface CsiSource {
  readonly driver: string;
  readonly volumeHandle: string;
}

export interface PersistentVolumeClaim {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** Annotation `volume.beta.kubernetes.io/storage-class`, else `spec.storageClassName`, else empty. */
  readonly className: string;
  /** `spec.volumeName`, or empty. */
  readonly volumeName: string;
  /** Annotation `pv.kubernetes.io/bind-completed` is there. */
  readonly bindCompleted: boolean;
  /** `status.phase`. */
  readonly phase: string;
  /** `metadata.deletionTimestamp` is set. */
  readonly terminating: boolean;
  /** Uid of the controlling owner, or empty: generic ephemeral claims belong to their pod. */
  readonly controllerUid: string;
  readonly accessModes: readonly string[];
  readonly volumeMode: string;
  readonly attributesClassName: string;
  /** Null: any volume. */
  readonly selector: LabelSelector | null;
  /** `spec.resources.requests.storage`, or null where the claim states none. */
  readonly requestBytes: number | null;
  /** Annotation `volume.kubernetes.io/selected-node`, or null. */
  readonly selectedNode: string | null;
}

export interface StorageClass {
  readonly name: string;
  readonly provisioner: string;
  /** `Immediate`, `WaitForFirstConsumer`; null where the object has none. */
  readonly bindingMode: string | null;
  /** Alternatives. None: any node. */
  readonly allowedTopologies: readonly TopologyTerm[];
}

/** Labels that a node must have, each with one of the values. Empty: no node has them. */
export type TopologyTerm = readonly { readonly key: string; readonly values: readonly string[] }[];

/** What the CSI drivers of one node have registered. */
export interface CsiNode {
  readonly nodeName: string;
  readonly limits: VolumeLimits;
}

/** Volumes that may be attached to a node, by driver. Infinity: the driver is there and names no limit. */
export type VolumeLimits = ReadonlyMap<string, number>;

export interface CsiDriver {
  readonly name: string;
  /** `spec.storageCapacity`: the driver publishes how much it can still provision. */
  readonly storageCapacity: boolean;
}

export interface CsiStorageCapacity {
  readonly className: string;
  /** Null: no node can reach it. */
  readonly nodeTopology: LabelSelector | null;
  /** `maximumVolumeSize`, else `capacity`; null where both are missing. */
  readonly largestBytes: number | null;
}

export interface VolumeAttachment {
  readonly nodeName: string;
  /** Name of the driver. */
  readonly attacher: string;
  /** `spec.source.persistentVolumeName`, or empty. */
  readonly volumeName: string;
}

/** All storage objects at one moment. */
export interface ClusterStorage {
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly classes: readonly StorageClass[];
  readonly csiNodes: readonly CsiNode[];
  readonly csiDrivers: readonly CsiDriver[];
  readonly capacities: readonly CsiStorageCapacity[];
  readonly attachments: readonly VolumeAttachment[];
}

export const NO_STORAGE: ClusterStorage = {
  volumes: [],
  claims: [],
  classes: [],
  csiNodes: [],
  csiDrivers: [],
  capacities: [],
  attachments: [],
};

export const READ_WRITE_ONCE_POD = 'ReadWriteOncePod';
export const WAIT_FOR_FIRST_CONSUMER = 'WaitForFirstConsumer';
