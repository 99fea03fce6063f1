import type {
  ClaimObject,
  ContainerObject,
  LabelSelectorObject,
  NodeObject,
  ObjectMeta,
  PersistentVolumeObject,
  PodAffinityTermObject,
  PodObject,
  PodSpecObject,
  Quantities,
  SpreadConstraintObject,
  TaintObject,
  Texts,
} from './api-objects.js';

/** API objects for questions to the oracle: say what matters. */

interface NodeParts {
  labels?: Texts;
  allocatable?: Quantities;
  taints?: TaintObject[];
  unschedulable?: boolean;
  declaredFeatures?: string[];
}

/** cpu 4, memory 8Gi, 110 pods, 100Gi of ephemeral storage; a given `allocatable` replaces all four. */
export function makeNode(name: string, parts: NodeParts = {}): NodeObject {
  const { labels, taints = [], unschedulable = false, declaredFeatures = [] } = parts;
  const allocatable = parts.allocatable ?? {
    cpu: '4',
    memory: '8Gi',
    pods: '110',
    'ephemeral-storage': '100Gi',
  };
  return {
    metadata: { name, uid: `uid-${name}`, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { taints, unschedulable },
    status: { allocatable, declaredFeatures },
  };
}

interface PodParts {
  namespace?: string;
  labels?: Texts;
  requests?: Quantities;
  terminating?: boolean;
  spec?: PodSpecObject;
  /** Laid over the one container. */
  container?: ContainerObject;
  status?: PodObject['status'];
}

/** One container, namespace default, no requests. */
export function makePod(name: string, parts: PodParts = {}): PodObject {
  const { namespace = 'default', labels = {}, requests = {}, terminating = false, spec, container } = parts;
  const metadata: ObjectMeta = { name, namespace, labels, uid: `uid-${namespace}-${name}` };
  if (terminating) metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  const containers = [{ name: 'main', resources: { requests }, ...container }];
  return { metadata, spec: { containers, ...spec }, status: parts.status ?? {} };
}

export function selectLabels(matchLabels: Texts): LabelSelectorObject {
  return { matchLabels };
}

/** DoNotSchedule on `zone`, maxSkew 1, app=w. */
export function makeSpread(parts: SpreadConstraintObject = {}): SpreadConstraintObject {
  return {
    topologyKey: 'zone',
    maxSkew: 1,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: selectLabels({ app: 'w' }),
    ...parts,
  };
}

/** On `zone`, app=w. */
export function makeTerm(parts: PodAffinityTermObject = {}): PodAffinityTermObject {
  return { topologyKey: 'zone', labelSelector: selectLabels({ app: 'w' }), ...parts };
}

export function withAffinity(...terms: PodAffinityTermObject[]): PodSpecObject {
  return { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

export function withAntiAffinity(...terms: PodAffinityTermObject[]): PodSpecObject {
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } };
}

interface ClaimParts extends NonNullable<ClaimObject['spec']> {
  annotations?: Texts;
  deletionTimestamp?: string;
}

/** In namespace default, 10Gi, ReadWriteOnce. */
export function makeClaim(name: string, parts: ClaimParts = {}): ClaimObject {
  const { annotations = {}, deletionTimestamp = null, ...spec } = parts;
  return {
    metadata: { name, namespace: 'default', uid: `uid-claim-${name}`, annotations, deletionTimestamp },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } }, ...spec },
  };
}

export function makeBoundClaim(name: string, volumeName: string): ClaimObject {
  return makeClaim(name, { volumeName, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } });
}

/** Available, 10Gi, ReadWriteOnce. */
export function makeVolume(
  name: string,
  spec: PersistentVolumeObject['spec'] = {},
  labels: Texts = {},
): PersistentVolumeObject {
  return {
    metadata: { name, labels },
    spec: { capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
    status: { phase: 'Available' },
  };
}

export function withClaims(...claimNames: string[]): PodSpecObject {
  return {
    volumes: claimNames.map((claimName, index) => ({
      name: `v${index.toString()}`,
      persistentVolumeClaim: { claimName },
    })),
  };
}
