import type {
  LabelSelectorJson,
  Maybe,
  MetadataJson,
  NodeSelectorTermJson,
  RequirementJson,
} from './api-objects.js';

/** The parts of storage objects that projections read, as the API has them: everything may be missing or null. */

type QuantityMap = Readonly<Record<string, unknown>>;

export interface VolumeObject {
  readonly metadata?: Maybe<MetadataJson>;
  readonly spec?: Maybe<{
    readonly storageClassName?: Maybe<string>;
    readonly capacity?: Maybe<QuantityMap>;
    readonly accessModes?: Maybe<readonly string[]>;
    readonly volumeMode?: Maybe<string>;
    readonly volumeAttributesClassName?: Maybe<string>;
    readonly claimRef?: Maybe<{
      readonly namespace?: Maybe<string>;
      readonly name?: Maybe<string>;
      readonly uid?: Maybe<string>;
    }>;
    readonly nodeAffinity?: Maybe<{
      readonly required?: Maybe<{ readonly nodeSelectorTerms?: Maybe<readonly NodeSelectorTermJson[]> }>;
    }>;
    readonly csi?: Maybe<{ readonly driver?: Maybe<string>; readonly volumeHandle?: Maybe<string> }>;
  }>;
  readonly status?: Maybe<{ readonly phase?: Maybe<string> }>;
}

export interface ClaimObject {
  readonly metadata?: Maybe<MetadataJson>;
  readonly spec?: Maybe<{
    readonly storageClassName?: Maybe<string>;
    readonly volumeName?: Maybe<string>;
    readonly accessModes?: Maybe<readonly string[]>;
    readonly volumeMode?: Maybe<string>;
    readonly volumeAttributesClassName?: Maybe<string>;
    readonly selector?: Maybe<LabelSelectorJson>;
    readonly resources?: Maybe<{ readonly requests?: Maybe<QuantityMap> }>;
  }>;
  readonly status?: Maybe<{ readonly phase?: Maybe<string> }>;
}

export interface StorageClassObject {
  readonly metadata?: Maybe<MetadataJson>;
  readonly provisioner?: Maybe<string>;
  readonly volumeBindingMode?: Maybe<string>;
  readonly allowedTopologies?: Maybe<
    readonly { readonly matchLabelExpressions?: Maybe<readonly RequirementJson[]> }[]
  >;
}

export interface CsiNodeObject {
  readonly metadata?: Maybe<MetadataJson>;
  readonly spec?: Maybe<{
    readonly drivers?: Maybe<
      readonly {
        readonly name?: Maybe<string>;
        readonly allocatable?: Maybe<{ readonly count?: Maybe<number> }>;
      }[]
    >;
  }>;
}

export interface CsiDriverObject {
  readonly metadata?: Maybe<MetadataJson>;
  readonly spec?: Maybe<{ readonly storageCapacity?: Maybe<boolean> }>;
}

export interface CsiStorageCapacityObject {
  readonly metadata?: Maybe<MetadataJson>;
  readonly storageClassName?: Maybe<string>;
  readonly nodeTopology?: Maybe<LabelSelectorJson>;
  readonly capacity?: unknown;
  readonly maximumVolumeSize?: unknown;
}

export interface VolumeAttachmentObject {
  readonly metadata?: Maybe<MetadataJson>;
  readonly spec?: Maybe<{
    readonly nodeName?: Maybe<string>;
    readonly attacher?: Maybe<string>;
    readonly source?: Maybe<{ readonly persistentVolumeName?: Maybe<string> }>;
  }>;
}
