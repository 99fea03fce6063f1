/**
 * Kubernetes objects as the API serves them, as far as kube-scheduler's filters read them. The oracle works on these,
 * not on the program's records, so that a mistake in the projection can't cancel itself out. Any field may be absent.
 */
export type Maybe<T> = T | null | undefined;

export type Texts = Record<string, string>;

/** Quantities by resource name, as written. */
export type Quantities = Record<string, unknown>;

export interface ObjectMeta {
  name?: Maybe<string>;
  namespace?: Maybe<string>;
  uid?: Maybe<string>;
  labels?: Maybe<Texts>;
  annotations?: Maybe<Texts>;
  deletionTimestamp?: Maybe<string>;
  ownerReferences?: Maybe<{ uid?: Maybe<string>; controller?: Maybe<boolean>; [key: string]: unknown }[]>;
}

export interface RequirementObject {
  key?: Maybe<string>;
  operator?: Maybe<string>;
  values?: Maybe<string[]>;
}

export interface LabelSelectorObject {
  matchLabels?: Maybe<Texts>;
  matchExpressions?: Maybe<RequirementObject[]>;
}

export interface NodeSelectorTermObject {
  matchExpressions?: Maybe<RequirementObject[]>;
  matchFields?: Maybe<RequirementObject[]>;
}

export interface NodeSelectorObject {
  nodeSelectorTerms?: Maybe<NodeSelectorTermObject[]>;
}

export interface TaintObject {
  key?: Maybe<string>;
  value?: Maybe<string>;
  effect?: Maybe<string>;
}

export interface TolerationObject extends TaintObject {
  operator?: Maybe<string>;
}

export interface ResourceRequirementsObject {
  requests?: Maybe<Quantities>;
  limits?: Maybe<Quantities>;
}

export interface ContainerObject {
  name?: Maybe<string>;
  restartPolicy?: Maybe<string>;
  restartPolicyRules?: Maybe<{ action?: Maybe<string> }[]>;
  resources?: Maybe<ResourceRequirementsObject>;
  ports?: Maybe<
    {
      hostPort?: Maybe<number>;
      containerPort?: Maybe<number>;
      hostIP?: Maybe<string>;
      protocol?: Maybe<string>;
    }[]
  >;
}

export interface ContainerStatusObject {
  name?: Maybe<string>;
  resources?: Maybe<ResourceRequirementsObject>;
  allocatedResources?: Maybe<Quantities>;
}

export interface SpreadConstraintObject {
  topologyKey?: Maybe<string>;
  maxSkew?: Maybe<number>;
  minDomains?: Maybe<number>;
  whenUnsatisfiable?: Maybe<string>;
  labelSelector?: Maybe<LabelSelectorObject>;
  matchLabelKeys?: Maybe<string[]>;
  nodeAffinityPolicy?: Maybe<string>;
  nodeTaintsPolicy?: Maybe<string>;
}

export interface PodAffinityTermObject {
  topologyKey?: Maybe<string>;
  labelSelector?: Maybe<LabelSelectorObject>;
  namespaces?: Maybe<string[]>;
  namespaceSelector?: Maybe<LabelSelectorObject>;
}

export interface VolumeObject {
  name?: Maybe<string>;
  persistentVolumeClaim?: Maybe<{ claimName?: Maybe<string> }>;
  ephemeral?: Maybe<object>;
  gcePersistentDisk?: Maybe<{ pdName?: Maybe<string>; readOnly?: Maybe<boolean> }>;
  awsElasticBlockStore?: Maybe<{ volumeID?: Maybe<string> }>;
  iscsi?: Maybe<{ iqn?: Maybe<string>; readOnly?: Maybe<boolean> }>;
  rbd?: Maybe<{
    monitors?: Maybe<string[]>;
    pool?: Maybe<string>;
    image?: Maybe<string>;
    readOnly?: Maybe<boolean>;
  }>;
}

interface RequiredTerms {
  requiredDuringSchedulingIgnoredDuringExecution?: Maybe<PodAffinityTermObject[]>;
}

export interface PodSpecObject {
  nodeName?: Maybe<string>;
  nodeSelector?: Maybe<Texts>;
  affinity?: Maybe<{
    nodeAffinity?: Maybe<{ requiredDuringSchedulingIgnoredDuringExecution?: Maybe<NodeSelectorObject> }>;
    podAffinity?: Maybe<RequiredTerms>;
    podAntiAffinity?: Maybe<RequiredTerms>;
  }>;
  tolerations?: Maybe<TolerationObject[]>;
  topologySpreadConstraints?: Maybe<SpreadConstraintObject[]>;
  containers?: Maybe<ContainerObject[]>;
  initContainers?: Maybe<ContainerObject[]>;
  resources?: Maybe<ResourceRequirementsObject>;
  overhead?: Maybe<Quantities>;
  volumes?: Maybe<VolumeObject[]>;
  hostNetwork?: Maybe<boolean>;
  hostUsers?: Maybe<boolean>;
  resourceClaims?: Maybe<object[]>;
}

export interface PodObject {
  metadata?: Maybe<ObjectMeta>;
  spec?: Maybe<PodSpecObject>;
  status?: Maybe<{
    phase?: Maybe<string>;
    resources?: Maybe<ResourceRequirementsObject>;
    allocatedResources?: Maybe<Quantities>;
    containerStatuses?: Maybe<ContainerStatusObject[]>;
    initContainerStatuses?: Maybe<ContainerStatusObject[]>;
    conditions?: Maybe<{ type?: Maybe<string>; status?: Maybe<string>; reason?: Maybe<string> }[]>;
  }>;
}

export interface NodeObject {
  metadata?: Maybe<ObjectMeta>;
  spec?: Maybe<{ unschedulable?: Maybe<boolean>; taints?: Maybe<TaintObject[]>; providerID?: Maybe<string> }>;
  status?: Maybe<{ allocatable?: Maybe<Quantities>; declaredFeatures?: Maybe<string[]> }>;
}

export interface NamespaceObject {
  metadata?: Maybe<ObjectMeta>;
}

export interface ClaimObject {
  metadata?: Maybe<ObjectMeta>;
  spec?: Maybe<{
    volumeName?: Maybe<string>;
    storageClassName?: Maybe<string>;
    accessModes?: Maybe<string[]>;
    volumeMode?: Maybe<string>;
    volumeAttributesClassName?: Maybe<string>;
    selector?: Maybe<LabelSelectorObject>;
    resources?: Maybe<ResourceRequirementsObject>;
  }>;
  status?: Maybe<{ phase?: Maybe<string> }>;
}

export interface PersistentVolumeObject {
  metadata?: Maybe<ObjectMeta>;
  spec?: Maybe<{
    csi?: Maybe<{ driver?: Maybe<string>; volumeHandle?: Maybe<string> }>;
    nodeAffinity?: Maybe<{ required?: Maybe<NodeSelectorObject> }>;
    storageClassName?: Maybe<string>;
    capacity?: Maybe<Quantities>;
    accessModes?: Maybe<string[]>;
    volumeMode?: Maybe<string>;
    volumeAttributesClassName?: Maybe<string>;
    claimRef?: Maybe<{ namespace?: Maybe<string>; name?: Maybe<string>; uid?: Maybe<string> }>;
  }>;
  status?: Maybe<{ phase?: Maybe<string> }>;
}

export interface StorageClassObject {
  metadata?: Maybe<ObjectMeta>;
  provisioner?: Maybe<string>;
  volumeBindingMode?: Maybe<string>;
  allowedTopologies?: Maybe<
    { matchLabelExpressions?: Maybe<{ key?: Maybe<string>; values?: Maybe<string[]> }[]> }[]
  >;
}

export interface CsiNodeObject {
  metadata?: Maybe<ObjectMeta>;
  spec?: Maybe<{
    drivers?: Maybe<{ name?: Maybe<string>; allocatable?: Maybe<{ count?: Maybe<number> }> }[]>;
  }>;
}

export interface CsiDriverObject {
  metadata?: Maybe<ObjectMeta>;
  spec?: Maybe<{ storageCapacity?: Maybe<boolean> }>;
}

export interface StorageCapacityObject {
  metadata?: Maybe<ObjectMeta>;
  storageClassName?: Maybe<string>;
  nodeTopology?: Maybe<LabelSelectorObject>;
  capacity?: unknown;
  maximumVolumeSize?: unknown;
}

export interface VolumeAttachmentObject {
  metadata?: Maybe<ObjectMeta>;
  spec?: Maybe<{
    nodeName?: Maybe<string>;
    attacher?: Maybe<string>;
    source?: Maybe<{ persistentVolumeName?: Maybe<string> }>;
  }>;
}
