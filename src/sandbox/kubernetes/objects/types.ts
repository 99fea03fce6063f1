import type { Condition } from './condition.js';
import type { KubeObject, ObjectMeta } from './object.js';
import type { LabelSelector, SelectorRequirement } from './selector.js';

/** The parts of the built-in kinds that the sandbox itself reads or writes; everything else passes through. */

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export type ResourceList = Readonly<Record<string, string | number>>;

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly restartPolicy?: string;
  readonly resources?: { readonly requests?: ResourceList; readonly limits?: ResourceList };
  readonly ports?: readonly {
    readonly containerPort?: number;
    readonly hostPort?: number;
    readonly hostIP?: string;
    readonly protocol?: string;
  }[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly SelectorRequirement[];
  readonly matchFields?: readonly SelectorRequirement[];
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
      };
    };
    readonly podAffinity?: unknown;
    readonly podAntiAffinity?: unknown;
  };
  readonly tolerations?: readonly Toleration[];
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly preemptionPolicy?: string;
  readonly hostNetwork?: boolean;
  readonly runtimeClassName?: string;
  readonly overhead?: ResourceList;
  readonly volumes?: readonly PodVolume[];
  readonly [field: string]: unknown;
}

export interface PodVolume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: { readonly volumeClaimTemplate?: { readonly spec?: unknown } };
  readonly [source: string]: unknown;
}

export interface PodTemplate {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec: PodSpec;
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly nominatedNodeName?: string;
    readonly startTime?: string;
    readonly podIP?: string;
    readonly reason?: string;
    readonly containerStatuses?: readonly {
      readonly ready: boolean;
      readonly restartCount: number;
      readonly [field: string]: unknown;
    }[];
    readonly [field: string]: unknown;
  };
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly [field: string]: unknown;
  };
  readonly status?: {
    readonly capacity?: ResourceList;
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly Condition[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
}

/** Deployment, ReplicaSet, ReplicationController, StatefulSet: what scaling needs of them. */
export interface ReplicatedWorkload extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: LabelSelector;
    readonly template: PodTemplate;
    readonly podManagementPolicy?: string;
    /** Of a StatefulSet. */
    readonly volumeClaimTemplates?: readonly {
      readonly metadata?: Partial<ObjectMeta>;
      readonly spec?: unknown;
    }[];
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: {
        readonly maxSurge?: number | string;
        readonly maxUnavailable?: number | string;
      };
    };
    readonly [field: string]: unknown;
  };
  readonly status?: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
    readonly [field: string]: unknown;
  };
}

export interface DaemonSet extends KubeObject {
  readonly spec: { readonly selector?: LabelSelector; readonly template: PodTemplate };
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface Job extends KubeObject {
  readonly spec: {
    readonly parallelism?: number;
    readonly completions?: number | null;
    readonly backoffLimit?: number;
    readonly suspend?: boolean;
    readonly selector?: LabelSelector;
    readonly template: PodTemplate;
    readonly [field: string]: unknown;
  };
  readonly status?: {
    readonly active?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly startTime?: string;
    readonly conditions?: readonly Condition[];
    readonly [field: string]: unknown;
  };
}

export interface DisruptionBudget extends KubeObject {
  readonly spec: {
    readonly selector?: LabelSelector | null;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed: number;
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly expectedPods: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
}

export interface PriorityClass extends KubeObject {
  readonly value: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

export interface KubeEvent extends KubeObject {
  readonly involvedObject: {
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly apiVersion?: string;
  };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly reportingComponent?: string;
  readonly source?: { readonly component?: string };
}

export interface RoleRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  /** Empty: all. */
  readonly resourceNames?: readonly string[];
}

/** Role and ClusterRole. */
export interface Role extends KubeObject {
  readonly rules?: readonly RoleRule[] | null;
}

/** RoleBinding and ClusterRoleBinding. */
export interface RoleBinding extends KubeObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  }[];
}

export interface RuntimeClass extends KubeObject {
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: {
    readonly nodeSelector?: Readonly<Record<string, string>>;
    readonly tolerations?: readonly Toleration[];
  };
}

export interface VolumeClaim extends KubeObject {
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: ResourceList };
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly volumeMode?: string;
  };
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: ResourceList;
  };
}

export interface Volume extends KubeObject {
  readonly spec: {
    readonly capacity?: ResourceList;
    readonly accessModes?: readonly string[];
    readonly claimRef?: {
      readonly apiVersion?: string;
      readonly kind?: string;
      readonly name: string;
      readonly namespace: string;
      readonly uid?: string;
    };
    readonly storageClassName?: string;
    readonly persistentVolumeReclaimPolicy?: string;
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
    readonly nodeAffinity?: {
      readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] };
    };
    readonly [source: string]: unknown;
  };
  readonly status?: { readonly phase?: string; readonly [field: string]: unknown };
}

export interface StorageClass extends KubeObject {
  readonly provisioner: string;
  readonly volumeBindingMode?: string;
  readonly reclaimPolicy?: string;
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  }[];
}

export interface CsiNode extends KubeObject {
  readonly spec: {
    readonly drivers: readonly {
      readonly name: string;
      readonly nodeID: string;
      readonly topologyKeys?: readonly string[] | null;
      readonly allocatable?: { readonly count?: number };
    }[];
  };
}

/** VolumeAttachment. */
export interface Attachment extends KubeObject {
  readonly spec: {
    readonly attacher: string;
    readonly nodeName: string;
    readonly source: { readonly persistentVolumeName?: string };
  };
  readonly status?: { readonly attached: boolean };
}
