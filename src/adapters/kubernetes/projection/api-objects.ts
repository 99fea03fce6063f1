import type { PodConditionJson, PodSpecJson, PodStatusJson } from '../../../domain/kubernetes/pod-json.js';

/**
 * The parts of the API's JSON that projections read. Everything may be missing or null, whatever the API says:
 * what must be there is checked where it is used.
 */

/** An absent field and a null one mean the same. */
export type Maybe<T> = T | null | undefined;
type Nullable<T> = T | null;
export type StringMap = Readonly<Record<string, string>>;

export interface OwnerReferenceJson {
  readonly apiVersion?: Nullable<string>;
  readonly kind?: Nullable<string>;
  readonly name?: Nullable<string>;
  readonly uid?: Nullable<string>;
  readonly controller?: Nullable<boolean>;
}

export interface MetadataJson {
  readonly uid?: Nullable<string>;
  readonly name?: Nullable<string>;
  readonly namespace?: Nullable<string>;
  readonly resourceVersion?: Nullable<string>;
  readonly creationTimestamp?: Nullable<string>;
  readonly deletionTimestamp?: Nullable<string>;
  readonly labels?: Nullable<StringMap>;
  readonly annotations?: Nullable<StringMap>;
  readonly ownerReferences?: Nullable<readonly OwnerReferenceJson[]>;
}

export interface RequirementJson {
  readonly key?: Nullable<string>;
  readonly operator?: Nullable<string>;
  readonly values?: Nullable<readonly string[]>;
}

export interface LabelSelectorJson {
  readonly matchLabels?: Nullable<StringMap>;
  readonly matchExpressions?: Nullable<readonly RequirementJson[]>;
}

export interface NodeSelectorTermJson {
  readonly matchExpressions?: Nullable<readonly RequirementJson[]>;
  readonly matchFields?: Nullable<readonly RequirementJson[]>;
}

export interface PodAffinityTermJson {
  readonly topologyKey?: Nullable<string>;
  readonly labelSelector?: Nullable<LabelSelectorJson>;
  readonly namespaces?: Nullable<readonly string[]>;
  readonly namespaceSelector?: Nullable<LabelSelectorJson>;
  readonly matchLabelKeys?: Nullable<readonly string[]>;
  readonly mismatchLabelKeys?: Nullable<readonly string[]>;
}

interface Required<T> {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: Nullable<T>;
}

export interface AffinityJson {
  readonly nodeAffinity?: Nullable<
    Required<{ readonly nodeSelectorTerms?: Nullable<readonly NodeSelectorTermJson[]> }>
  >;
  readonly podAffinity?: Nullable<Required<readonly PodAffinityTermJson[]>>;
  readonly podAntiAffinity?: Nullable<Required<readonly PodAffinityTermJson[]>>;
}

export interface SpreadConstraintJson {
  readonly topologyKey?: Nullable<string>;
  readonly maxSkew?: Nullable<number>;
  readonly minDomains?: Nullable<number>;
  readonly whenUnsatisfiable?: Nullable<string>;
  readonly labelSelector?: Nullable<LabelSelectorJson>;
  readonly nodeAffinityPolicy?: Nullable<string>;
  readonly nodeTaintsPolicy?: Nullable<string>;
  readonly matchLabelKeys?: Nullable<readonly string[]>;
}

interface ReadOnlyJson {
  readonly readOnly?: Nullable<boolean>;
}

export interface VolumeJson {
  readonly name?: Nullable<string>;
  readonly gcePersistentDisk?: Nullable<ReadOnlyJson & { readonly pdName?: Nullable<string> }>;
  readonly awsElasticBlockStore?: Nullable<ReadOnlyJson & { readonly volumeID?: Nullable<string> }>;
  readonly iscsi?: Nullable<ReadOnlyJson & { readonly iqn?: Nullable<string> }>;
  readonly rbd?: Nullable<
    ReadOnlyJson & {
      readonly monitors?: Nullable<readonly string[]>;
      readonly pool?: Nullable<string>;
      readonly image?: Nullable<string>;
    }
  >;
  readonly hostPath?: unknown;
  readonly emptyDir?: Nullable<{ readonly medium?: Nullable<string> }>;
  readonly persistentVolumeClaim?: Nullable<{ readonly claimName?: Nullable<string> }>;
  readonly ephemeral?: unknown;
  readonly configMap?: unknown;
  readonly secret?: unknown;
  readonly projected?: unknown;
  readonly downwardAPI?: unknown;
}

export interface TolerationJson {
  readonly key?: Nullable<string>;
  readonly operator?: Nullable<string>;
  readonly value?: Nullable<string>;
  readonly effect?: Nullable<string>;
}

export interface FullPodSpecJson extends PodSpecJson {
  readonly nodeName?: Nullable<string>;
  readonly nodeSelector?: Nullable<StringMap>;
  readonly affinity?: Nullable<AffinityJson>;
  readonly tolerations?: Nullable<readonly TolerationJson[]>;
  readonly topologySpreadConstraints?: Nullable<readonly SpreadConstraintJson[]>;
  readonly volumes?: Nullable<readonly VolumeJson[]>;
  readonly priority?: Nullable<number>;
  readonly priorityClassName?: Nullable<string>;
  readonly preemptionPolicy?: Nullable<string>;
  readonly schedulerName?: Nullable<string>;
  readonly restartPolicy?: Nullable<string>;
  readonly terminationGracePeriodSeconds?: Nullable<number>;
  readonly resourceClaims?: Nullable<readonly unknown[]>;
}

export interface ConditionJson extends PodConditionJson {
  readonly status?: Nullable<string>;
  readonly lastTransitionTime?: Nullable<string>;
}

export interface FullPodStatusJson extends PodStatusJson {
  readonly phase?: Nullable<string>;
  readonly nominatedNodeName?: Nullable<string>;
  readonly startTime?: Nullable<string>;
  readonly conditions?: Nullable<readonly ConditionJson[]>;
}

export interface PodObject {
  readonly metadata?: Nullable<MetadataJson>;
  readonly spec?: Nullable<FullPodSpecJson>;
  readonly status?: Nullable<FullPodStatusJson>;
}

export interface TaintJson {
  readonly key?: Nullable<string>;
  readonly value?: Nullable<string>;
  readonly effect?: Nullable<string>;
  readonly timeAdded?: Nullable<string>;
}

export interface NodeObject {
  readonly metadata?: Nullable<MetadataJson>;
  readonly spec?: Nullable<{
    readonly providerID?: Nullable<string>;
    readonly unschedulable?: Nullable<boolean>;
    readonly taints?: Nullable<readonly TaintJson[]>;
  }>;
  readonly status?: Nullable<{
    readonly allocatable?: Nullable<StringMap>;
    readonly capacity?: Nullable<StringMap>;
    readonly conditions?: Nullable<readonly ConditionJson[]>;
    readonly declaredFeatures?: Nullable<readonly string[]>;
  }>;
}

export interface NamespaceObject {
  readonly metadata?: Nullable<MetadataJson>;
}

export interface ConfigMapObject {
  readonly metadata?: Nullable<MetadataJson>;
  readonly data?: Maybe<StringMap>;
}

export interface WorkloadObject {
  readonly metadata?: Nullable<MetadataJson>;
  readonly spec?: Nullable<{
    readonly replicas?: Nullable<number>;
    readonly parallelism?: Nullable<number>;
    readonly completions?: Nullable<number>;
    readonly template?: unknown;
  }>;
  readonly status?: Nullable<{ readonly succeeded?: Nullable<number> }>;
}

export interface DaemonSetObject {
  readonly metadata?: Nullable<MetadataJson>;
  readonly spec?: Nullable<{
    readonly template?: Nullable<{
      readonly metadata?: Nullable<MetadataJson>;
      readonly spec?: Nullable<FullPodSpecJson>;
    }>;
  }>;
}

export interface DisruptionBudgetObject {
  readonly metadata?: Nullable<MetadataJson>;
  readonly spec?: Nullable<{
    readonly selector?: Nullable<LabelSelectorJson>;
    readonly unhealthyPodEvictionPolicy?: Nullable<string>;
  }>;
  readonly status?: Nullable<{
    readonly disruptionsAllowed?: Nullable<number>;
    readonly disruptedPods?: Nullable<Readonly<Record<string, unknown>>>;
  }>;
}
