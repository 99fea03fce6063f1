import type { Labels } from './labels.js';
import type { Resources } from './resources.js';
import type { LabelSelector, NodeSelector } from './selectors.js';
import type { Toleration } from './taint.js';

/** The controlling owner (`controller: true`) of a pod. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface HostPort {
  /** `0.0.0.0` where the pod names none. */
  readonly hostIp: string;
  readonly protocol: string;
  readonly port: number;
}

/** A hard (`DoNotSchedule`) topology spread constraint. */
export interface TopologySpreadConstraint {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number | null;
  readonly selector: LabelSelector | null;
  readonly nodeAffinityPolicy: string;
  readonly nodeTaintsPolicy: string;
}

/** A required inter-pod affinity or anti-affinity term. */
export interface PodAffinityTerm {
  readonly topologyKey: string;
  readonly selector: LabelSelector | null;
  /** Explicit namespaces; empty with a null `namespaceSelector` means the pod's own. */
  readonly namespaces: readonly string[];
  readonly namespaceSelector: LabelSelector | null;
}

/** A volume that matters to placement or to draining; config maps, secrets and projected volumes are left out. */
export interface PodVolume {
  readonly name: string;
  readonly kind: 'hostPath' | 'emptyDir' | 'memoryEmptyDir' | 'claim' | 'ephemeral' | 'other';
  /** Set where two pods on one node may be in each other's way (`scheduling` 3.7); its kind is `other`. */
  readonly disk?: LegacyDisk;
}

/** An inline volume of a plugin that refuses to be mounted twice. */
export interface LegacyDisk {
  readonly type: 'gcePersistentDisk' | 'awsElasticBlockStore' | 'iscsi' | 'rbd';
  /** What tells disks of one type apart: `pdName`, `volumeID`, `iqn`, or `pool/image`. */
  readonly name: string;
  /** Of an `rbd`: two with a common one may be the same disk. Else empty. */
  readonly monitors: readonly string[];
  readonly readOnly: boolean;
}

/** Annotations that the autoscaler obeys, as written; absent keys are left out. */
export interface PodDirectives {
  /** `cluster-autoscaler.kubernetes.io/safe-to-evict`. */
  readonly safeToEvict?: string;
  /** `cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes`. */
  readonly safeToEvictLocalVolumes?: string;
  /** `cluster-autoscaler.kubernetes.io/daemonset-pod`. */
  readonly daemonSetPod?: string;
  /** `cluster-autoscaler.kubernetes.io/enable-ds-eviction`. */
  readonly daemonSetEviction?: string;
  /** `cluster-autoscaler.kubernetes.io/pod-scale-up-delay`. */
  readonly scaleUpDelay?: string;
  /** `kubernetes.io/config.mirror`: present on mirror pods, with any value. */
  readonly mirror?: string;
  /** `kubernetes.io/config.source`: anything but `api` marks a static pod. */
  readonly configSource?: string;
}

/**
 * Everything that pods of one template have in common. The producer interns shapes: pods with equal shapes hold the
 * same object, and `id` is unique among all live shapes of one {@link ShapeTable}. Labels are kept beside the shape
 * (a StatefulSet differs per pod only there), claims too.
 */
export interface PodShape {
  readonly id: number;
  /** Effective request in the incoming reading (`scheduling` 1.1, 1.2). */
  readonly requests: Resources;
  readonly hostPorts: readonly HostPort[];
  readonly tolerations: readonly Toleration[];
  readonly nodeSelector: Labels;
  /** Required node affinity, without the part that {@link Pod.pinnedNodeName} carries. */
  readonly nodeAffinity: NodeSelector | null;
  readonly topologySpread: readonly TopologySpreadConstraint[];
  readonly podAffinity: readonly PodAffinityTerm[];
  readonly podAntiAffinity: readonly PodAffinityTerm[];
  readonly volumes: readonly PodVolume[];
  readonly owner: OwnerReference | null;
  readonly directives: PodDirectives;
  /** `spec.priority`; null is not the same as 0. */
  readonly priority: number | null;
  readonly priorityClassName: string;
  readonly preemptionPolicy: string | null;
  readonly schedulerName: string;
  readonly restartPolicy: string;
  /** Seconds; null where the pod does not say (then 30). */
  readonly terminationGracePeriodSeconds: number | null;
  readonly hasResourceClaims: boolean;
  /** Features that the node must declare (`scheduling` 3.13), in byte order. */
  readonly requiredFeatures: readonly string[];
}

/** How the PodScheduled condition stands. `absent`: the scheduler has not looked yet. */
export type SchedulingState = 'absent' | 'scheduled' | 'unschedulable' | 'false-without-reason' | 'other';

/** One pod, compact: what a decision needs, with shape and labels shared. Immutable; an update makes a new record. */
export interface Pod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  readonly shape: PodShape;
  /** `spec.nodeName`, empty while unscheduled. */
  readonly nodeName: string;
  /** `status.nominatedNodeName`, or empty. */
  readonly nominatedNodeName: string;
  /** Node that a `matchFields` `metadata.name` requirement pins the pod to (DaemonSet pods), or empty. */
  readonly pinnedNodeName: string;
  /**
   * Claim names of its volumes, one for each volume of the kinds `claim` and `ephemeral` in the shape, in their order;
   * generic ephemeral ones by their generated name.
   */
  readonly claims: readonly string[];
  readonly phase: string;
  readonly scheduling: SchedulingState;
  /** Transition time of the PodScheduled condition, or null. */
  readonly schedulingChangedMs: number | null;
  readonly createdMs: number;
  /** `metadata.deletionTimestamp`, or null. */
  readonly deletionMs: number | null;
  /** `status.startTime`, or null. */
  readonly startedMs: number | null;
  /** What the node is charged, where it differs from the shape's request (in-place resize); else null. */
  readonly charged: Resources | null;
}

/** `namespace/name`, as events and logs print a pod. */
export function podKey(pod: Pick<Pod, 'namespace' | 'name'>): string {
  return `${pod.namespace}/${pod.name}`;
}
