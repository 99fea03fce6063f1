import { effectiveRequests } from '../../../domain/kubernetes/effective-request.js';
import type { PodJson } from '../../../domain/kubernetes/pod-json.js';
import { requiredFeaturesOf } from '../../../domain/kubernetes/required-features.js';
import { hostPortsOf } from '../../../domain/kubernetes/host-ports.js';
import { splitPinnedNode } from '../../../domain/kubernetes/node-affinity.js';
import type {
  Pod as DomainPod,
  PodAffinityTerm,
  PodShape,
  TopologySpreadConstraint,
} from '../../../domain/kubernetes/pod.js';
import type { NodeSelector } from '../../../domain/kubernetes/selectors.js';
import type { ShapeTable } from '../../../domain/kubernetes/shape-table.js';
import { controllerOf } from '../objects/object.js';
import type { LabelSelector } from '../objects/selector.js';
import type { Pod, PodSpec } from '../objects/types.js';
import { labelSelector, nodeSelectorOf } from './project-selector.js';
import { claimsOf, projectVolumes } from './project-volumes.js';

/** What the scheduler needs of a pod, as the record that the filters read. */
export function projectPod(pod: Pod, shapes: ShapeTable): DomainPod {
  const { metadata, spec, status } = pod;
  const { pinnedNodeName, nodeAffinity } = splitPinnedNode(nodeAffinityOf(spec));
  const { incoming, charged } = effectiveRequests(pod as PodJson);
  return {
    uid: metadata.uid,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    labels: new Map(Object.entries(metadata.labels ?? {})),
    shape: shapes.intern({ ...shapeParts(pod), requests: incoming, nodeAffinity }),
    nodeName: spec.nodeName ?? '',
    nominatedNodeName: status?.nominatedNodeName ?? '',
    pinnedNodeName,
    claims: claimsOf(metadata.name, spec),
    phase: status?.phase ?? 'Pending',
    scheduling: 'absent',
    schedulingChangedMs: null,
    createdMs: 0,
    deletionMs: metadata.deletionTimestamp === undefined ? null : Date.parse(metadata.deletionTimestamp),
    startedMs: null,
    charged,
  };
}

function shapeParts(pod: Pod): Omit<PodShape, 'id' | 'requests' | 'nodeAffinity'> {
  const { spec } = pod;
  const owner = controllerOf(pod);
  return {
    hostPorts: hostPortsOf(spec),
    tolerations: (spec.tolerations ?? []).map(({ key = '', operator = '', value = '', effect = '' }) => ({
      key,
      operator,
      value,
      effect,
    })),
    nodeSelector: new Map(Object.entries(spec.nodeSelector ?? {})),
    topologySpread: spreadOf(spec),
    podAffinity: affinityTerms(spec.affinity?.podAffinity),
    podAntiAffinity: affinityTerms(spec.affinity?.podAntiAffinity),
    volumes: projectVolumes(spec),
    owner:
      owner === undefined
        ? null
        : { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.name, uid: owner.uid },
    directives: {},
    priority: spec.priority ?? null,
    priorityClassName: spec.priorityClassName ?? '',
    preemptionPolicy: spec.preemptionPolicy ?? null,
    schedulerName: spec.schedulerName ?? '',
    restartPolicy: spec.restartPolicy ?? '',
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds ?? null,
    hasResourceClaims: ((spec['resourceClaims'] ?? []) as readonly unknown[]).length > 0,
    requiredFeatures: requiredFeaturesOf(spec),
  };
}

function nodeAffinityOf(spec: PodSpec): NodeSelector | null {
  return nodeSelectorOf(spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
}

interface SpreadJson {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains?: number;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelector;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
}

function spreadOf(spec: PodSpec): TopologySpreadConstraint[] {
  return ((spec['topologySpreadConstraints'] ?? []) as readonly SpreadJson[])
    .filter((constraint) => constraint.whenUnsatisfiable !== 'ScheduleAnyway')
    .map((constraint) => ({
      topologyKey: constraint.topologyKey,
      maxSkew: constraint.maxSkew,
      minDomains: constraint.minDomains ?? null,
      selector: labelSelector(constraint.labelSelector),
      nodeAffinityPolicy: constraint.nodeAffinityPolicy ?? 'Honor',
      nodeTaintsPolicy: constraint.nodeTaintsPolicy ?? 'Ignore',
    }));
}

interface AffinityTermJson {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}

function affinityTerms(affinity: unknown): PodAffinityTerm[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: terms = [] } = (affinity ?? {}) as {
    requiredDuringSchedulingIgnoredDuringExecution?: readonly AffinityTermJson[];
  };
  return terms.map((term) => ({
    topologyKey: term.topologyKey,
    selector: labelSelector(term.labelSelector),
    namespaces: term.namespaces ?? [],
    namespaceSelector: labelSelector(term.namespaceSelector),
  }));
}
