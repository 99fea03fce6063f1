import type { Labels } from '../../../domain/kubernetes/labels.js';
import type {
  OwnerReference,
  PodAffinityTerm,
  PodDirectives,
  PodVolume,
  TopologySpreadConstraint,
} from '../../../domain/kubernetes/pod.js';
import { hostPortsOf } from '../../../domain/kubernetes/host-ports.js';
import { splitPinnedNode } from '../../../domain/kubernetes/node-affinity.js';
import { requiredFeaturesOf } from '../../../domain/kubernetes/required-features.js';
import type { Resources } from '../../../domain/kubernetes/resources.js';
import type { PodShapeParts } from '../../../domain/kubernetes/shape-table.js';
import type { Toleration } from '../../../domain/kubernetes/taint.js';
import type {
  FullPodSpecJson,
  Maybe,
  MetadataJson,
  OwnerReferenceJson,
  PodAffinityTermJson,
  SpreadConstraintJson,
  TolerationJson,
  VolumeJson,
} from './api-objects.js';
import { projectLegacyDisk } from './project-legacy-disk.js';
import { mergeLabelKeys, projectLabelSelector, projectNodeSelector } from './project-selector.js';
import type { SharedRecords } from './projection.js';

const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
const SAFE_TO_EVICT_LOCAL_VOLUMES = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes';
const DAEMON_SET_POD = 'cluster-autoscaler.kubernetes.io/daemonset-pod';
const ENABLE_DS_EVICTION = 'cluster-autoscaler.kubernetes.io/enable-ds-eviction';
const POD_SCALE_UP_DELAY = 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay';
const CONFIG_MIRROR = 'kubernetes.io/config.mirror';
const CONFIG_SOURCE = 'kubernetes.io/config.source';
const NO_CLAIMS: readonly string[] = [];

/** A pod, or the pod that a template would make. */
export interface ShapeSource {
  readonly metadata: MetadataJson;
  readonly spec: FullPodSpecJson;
  readonly labels: Labels;
  readonly requests: Resources;
  readonly owner: OwnerReference | null;
}

/** What pods of one template share, and the node that the pod is pinned to. */
export function projectShape(
  source: ShapeSource,
  shared: SharedRecords,
): { readonly parts: PodShapeParts; readonly pinnedNodeName: string } {
  const { spec, labels } = source;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const pin = splitPinnedNode(required == null ? null : projectNodeSelector(required.nodeSelectorTerms));
  const parts: PodShapeParts = {
    requests: source.requests,
    hostPorts: hostPortsOf(spec),
    tolerations: (spec.tolerations ?? []).map(projectToleration),
    nodeSelector: shared.labels(spec.nodeSelector),
    nodeAffinity: pin.nodeAffinity,
    topologySpread: projectSpread(spec.topologySpreadConstraints, labels),
    podAffinity: projectAffinityTerms(
      spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
      labels,
    ),
    podAntiAffinity: projectAffinityTerms(
      spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
      labels,
    ),
    volumes: projectVolumes(spec.volumes),
    owner: source.owner,
    directives: projectDirectives(source.metadata),
    priority: spec.priority ?? null,
    priorityClassName: spec.priorityClassName ?? '',
    preemptionPolicy: spec.preemptionPolicy ?? null,
    schedulerName: spec.schedulerName ?? 'default-scheduler',
    restartPolicy: spec.restartPolicy ?? 'Always',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? null,
    hasResourceClaims: (spec.resourceClaims ?? []).length > 0,
    requiredFeatures: requiredFeaturesOf(spec),
  };
  return { parts, pinnedNodeName: shared.text(pin.pinnedNodeName) };
}

/** The controlling owner; other owners never count. */
export function controllerOf(owners: Maybe<readonly OwnerReferenceJson[]>): OwnerReference | null {
  const owner = (owners ?? []).find((candidate) => candidate.controller === true);
  if (owner === undefined) return null;
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion: apiVersion ?? '', kind: kind ?? '', name: name ?? '', uid: uid ?? '' };
}

function projectToleration({ key, operator, value, effect }: TolerationJson): Toleration {
  return { key: key ?? '', operator: operator ?? '', value: value ?? '', effect: effect ?? '' };
}

/** Hard constraints only: soft ones never filter. */
function projectSpread(
  constraints: Maybe<readonly SpreadConstraintJson[]>,
  labels: Labels,
): readonly TopologySpreadConstraint[] {
  return (constraints ?? [])
    .filter((constraint) => constraint.whenUnsatisfiable === 'DoNotSchedule')
    .map((constraint) => ({
      topologyKey: constraint.topologyKey ?? '',
      maxSkew: constraint.maxSkew ?? 1,
      minDomains: constraint.minDomains ?? null,
      selector: mergeLabelKeys(projectLabelSelector(constraint.labelSelector), labels, {
        match: constraint.matchLabelKeys,
      }),
      nodeAffinityPolicy: constraint.nodeAffinityPolicy ?? 'Honor',
      nodeTaintsPolicy: constraint.nodeTaintsPolicy ?? 'Ignore',
    }));
}

function projectAffinityTerms(
  terms: Maybe<readonly PodAffinityTermJson[]>,
  labels: Labels,
): readonly PodAffinityTerm[] {
  return (terms ?? []).map((term) => ({
    topologyKey: term.topologyKey ?? '',
    selector: mergeLabelKeys(projectLabelSelector(term.labelSelector), labels, {
      match: term.matchLabelKeys,
      mismatch: term.mismatchLabelKeys,
    }),
    namespaces: term.namespaces ?? [],
    namespaceSelector: projectLabelSelector(term.namespaceSelector),
  }));
}

/** Names of the claims, generic ephemeral ones as their controller names them: `<pod>-<volume>`. */
export function claimsOf(podName: string, volumes: Maybe<readonly VolumeJson[]>): readonly string[] {
  const claims = (volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim != null) return [volume.persistentVolumeClaim.claimName ?? ''];
    return volume.ephemeral == null ? [] : [`${podName}-${volume.name ?? ''}`];
  });
  return claims.length === 0 ? NO_CLAIMS : claims;
}

function projectVolumes(volumes: Maybe<readonly VolumeJson[]>): readonly PodVolume[] {
  return (volumes ?? []).flatMap((volume) => {
    const kind = volumeKind(volume);
    if (kind === null) return [];
    const disk = kind === 'other' ? projectLegacyDisk(volume) : null;
    return [{ name: volume.name ?? '', kind, ...(disk !== null && { disk }) }];
  });
}

/** Null for volumes that matter to nothing: they would only make shapes differ (`kube-api-access-…`). */
function volumeKind(volume: VolumeJson): PodVolume['kind'] | null {
  if (volume.hostPath != null) return 'hostPath';
  if (volume.emptyDir != null) return volume.emptyDir.medium === 'Memory' ? 'memoryEmptyDir' : 'emptyDir';
  if (volume.persistentVolumeClaim != null) return 'claim';
  if (volume.ephemeral != null) return 'ephemeral';
  const isPlain =
    volume.configMap != null ||
    volume.secret != null ||
    volume.projected != null ||
    volume.downwardAPI != null;
  return isPlain ? null : 'other';
}

function projectDirectives({ annotations }: MetadataJson): PodDirectives {
  if (annotations == null) return {};
  const read = <Key extends keyof PodDirectives>(key: Key, annotation: string): Pick<PodDirectives, Key> => {
    const value = annotations[annotation];
    return (typeof value === 'string' ? { [key]: value } : {}) as Pick<PodDirectives, Key>;
  };
  return {
    ...read('safeToEvict', SAFE_TO_EVICT),
    ...read('safeToEvictLocalVolumes', SAFE_TO_EVICT_LOCAL_VOLUMES),
    ...read('daemonSetPod', DAEMON_SET_POD),
    ...read('daemonSetEviction', ENABLE_DS_EVICTION),
    ...read('scaleUpDelay', POD_SCALE_UP_DELAY),
    ...read('mirror', CONFIG_MIRROR),
    ...read('configSource', CONFIG_SOURCE),
  };
}
