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
  readonly [field: string]: unknown;
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
