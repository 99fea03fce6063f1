import type { Manifest } from '../../kubernetes/index.js';
import type {
  AffinityDocument,
  ContainerDocument,
  PodDocument,
  SpreadDocument,
} from '../format/pod-shape.js';
import { RUN_FOR, STOP_AFTER } from '../../kubernetes/index.js';
import { GIB } from './machines.js';

/** Label that ties a pod to its owner's selector. */
export const OWNER_LABEL = 'story/owner';

/** Metadata and spec of a pod, as a workload's template has them. */
export interface PodTemplateManifest {
  readonly metadata: {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly spec: Readonly<Record<string, unknown>> & { readonly containers: readonly unknown[] };
}

export function podTemplate(pod: PodDocument): PodTemplateManifest {
  const annotations = {
    ...(pod.runsFor !== undefined && { [RUN_FOR]: `${pod.runsFor / 1_000}` }),
    ...(pod.stopsIn !== undefined && { [STOP_AFTER]: `${pod.stopsIn / 1_000}` }),
    ...toRecord(pod.annotations),
  };
  const ownerLabel = hasOwner(pod) ? { [OWNER_LABEL]: pod.owner.replace('/', '.') } : {};
  return { metadata: { labels: { ...ownerLabel, ...toRecord(pod.labels) }, annotations }, spec: specOf(pod) };
}

export function hasOwner(pod: PodDocument): pod is PodDocument & { readonly owner: string } {
  return pod.owner !== undefined && pod.owner !== 'none';
}

export function podManifest(pod: PodDocument, ownerReferences: readonly unknown[] = []): Manifest {
  const { metadata, spec } = podTemplate(pod);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      name: pod.id,
      namespace: pod.namespace ?? 'default',
      ...(ownerReferences.length > 0 && { ownerReferences: ownerReferences as never }),
    },
    spec: pod.on === undefined ? spec : { ...spec, nodeName: pod.on },
  };
}

function specOf(pod: PodDocument): PodTemplateManifest['spec'] {
  const isJob = pod.owner?.startsWith('job/') === true;
  const affinity = affinityOf(pod);
  const spreads = listOf(pod.spread);
  const volumes = volumesOf(pod);
  return {
    containers: containersOf(pod),
    ...(pod.init !== undefined && {
      initContainers: pod.init.map((one, index) => container(`init-${index}`, one)),
    }),
    ...(isJob && { restartPolicy: 'Never' }),
    ...(!isJob && pod.runsFor !== undefined && { restartPolicy: 'Never' }),
    ...(pod.selector !== undefined && { nodeSelector: toRecord(pod.selector) }),
    ...(pod.tolerates !== undefined && {
      tolerations: pod.tolerates.map((key) => ({ key, operator: 'Exists' })),
    }),
    ...(affinity !== null && { affinity }),
    ...(spreads.length > 0 && { topologySpreadConstraints: spreads.map(spreadConstraint) }),
    ...(volumes.length > 0 && { volumes }),
    ...(pod.priority !== undefined && { priority: pod.priority }),
    ...(pod.preemptionPolicy !== undefined && { preemptionPolicy: pod.preemptionPolicy }),
    ...(pod.schedulerName !== undefined && { schedulerName: pod.schedulerName }),
    ...(pod.grace !== undefined && { terminationGracePeriodSeconds: Math.round(pod.grace / 1_000) }),
  };
}

function containersOf(pod: PodDocument): readonly unknown[] {
  if (pod.containers !== undefined)
    return pod.containers.map((one, index) => container(`main-${index}`, one));
  const whole = container('main', pod);
  const requests: Record<string, string> = { ...whole.resources.requests };
  if (pod.disk !== undefined) requests['ephemeral-storage'] = bytes(pod.disk);
  for (const [name, quantity] of pod.resources ?? []) requests[name] = `${quantity}`;
  const ports =
    pod.hostPort === undefined ? {} : { ports: [{ containerPort: pod.hostPort, hostPort: pod.hostPort }] };
  return [{ ...whole, resources: { requests, ...devicesLimit(pod) }, ...ports }];
}

/** Extended resources are asked for as limits. */
function devicesLimit(pod: PodDocument): object {
  return pod.resources === undefined
    ? {}
    : { limits: Object.fromEntries([...pod.resources].map(([name, quantity]) => [name, `${quantity}`])) };
}

function container(name: string, { cpu, mem, ...rest }: ContainerDocument) {
  const requests = {
    ...(cpu !== undefined && { cpu: `${Math.round(cpu * 1_000)}m` }),
    ...(mem !== undefined && { memory: bytes(mem) }),
  };
  const restart = 'restart' in rest && rest.restart !== undefined ? { restartPolicy: rest.restart } : {};
  return { name, image: 'story', resources: { requests }, ...restart };
}

export function bytes(gib: number): string {
  return `${Math.round(gib * GIB)}`;
}

function volumesOf({ claims = [], localStorage }: PodDocument): readonly unknown[] {
  return [
    ...claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    ...(localStorage === true ? [{ name: 'scratch', emptyDir: {} }] : []),
  ];
}

function spreadConstraint({ key, maxSkew = 1, mode = 'DoNotSchedule', ...whom }: SpreadDocument): object {
  return { topologyKey: topologyKey(key), maxSkew, whenUnsatisfiable: mode, labelSelector: selectorOf(whom) };
}

function affinityOf(pod: PodDocument): object | null {
  const nodeAffinity = pod.prefer === undefined ? {} : { nodeAffinity: preferredNodes(pod.prefer) };
  const affinity = {
    ...nodeAffinity,
    ...podAffinity('podAffinity', listOf(pod.affinity)),
    ...podAffinity('podAntiAffinity', listOf(pod.antiAffinity)),
  };
  return Object.keys(affinity).length === 0 ? null : affinity;
}

function preferredNodes(labels: ReadonlyMap<string, string>): object {
  const matchExpressions = [...labels].map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  return {
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: { matchExpressions } }],
  };
}

function podAffinity(field: string, rules: readonly AffinityDocument[]): object {
  if (rules.length === 0) return {};
  const term = ({ key, required: _required, ...whom }: AffinityDocument): object => ({
    topologyKey: topologyKey(key),
    labelSelector: selectorOf(whom),
  });
  const must = rules.filter((rule) => rule.required !== false).map(term);
  const wishes = rules.filter((rule) => rule.required === false);
  return {
    [field]: {
      ...(must.length > 0 && { requiredDuringSchedulingIgnoredDuringExecution: must }),
      ...(wishes.length > 0 && {
        preferredDuringSchedulingIgnoredDuringExecution: wishes.map((rule) => ({
          weight: 100,
          podAffinityTerm: term(rule),
        })),
      }),
    },
  };
}

const TOPOLOGY_KEYS: Readonly<Record<string, string>> = {
  zone: 'topology.kubernetes.io/zone',
  hostname: 'kubernetes.io/hostname',
  region: 'topology.kubernetes.io/region',
};

function topologyKey(key: string): string {
  return TOPOLOGY_KEYS[key] ?? key;
}

export function selectorOf(whom: {
  readonly app?: string;
  readonly labels?: ReadonlyMap<string, string>;
}): object {
  return { matchLabels: { ...(whom.app !== undefined && { app: whom.app }), ...toRecord(whom.labels) } };
}

export function toRecord(map: ReadonlyMap<string, string> | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(map ?? []);
}

function listOf<Item>(value: readonly Item[] | undefined): readonly Item[] {
  return value ?? [];
}
