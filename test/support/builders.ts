import type {
  Instance,
  MachineTemplate,
  NodeGroup,
  NodeTemplate,
} from '../../src/domain/node-group/node-group.js';
import { NO_LABELS, HOSTNAME_LABEL } from '../../src/domain/kubernetes/labels.js';
import { NO_CONDITIONS } from '../../src/domain/kubernetes/node.js';
import type { Node } from '../../src/domain/kubernetes/node.js';
import type { OwnerReference, Pod, PodShape } from '../../src/domain/kubernetes/pod.js';
import { ShapeTable } from '../../src/domain/kubernetes/shape-table.js';

/** Records for tests: say what matters, the rest is a healthy default. */

const shapes = new ShapeTable();
let serial = 0;

export const MIB = 1024 * 1024;
export const GIB = 1024 * MIB;
export const MINUTE = 60_000;
/** A fixed 'now' for tests: 2026-01-01T00:00:00Z. */
export const T0 = Date.UTC(2026, 0, 1);

export interface PodOptions extends Partial<Omit<Pod, 'shape' | 'labels'>> {
  cpuMilli?: number;
  memoryBytes?: number;
  /** Further requests by name. */
  requests?: Record<string, number>;
  labels?: Record<string, string>;
  /** Kind of controlling owner; its name is `owner`, its uid derived. */
  owner?: Partial<OwnerReference> | null;
  shape?: Partial<Omit<PodShape, 'id' | 'requests' | 'owner'>>;
}

/** A pod that the scheduler found no place for, unless `nodeName` is given. */
export function buildPod(name: string, options: PodOptions = {}): Pod {
  const { cpuMilli, memoryBytes, requests, labels, owner, shape, ...fields } = options;
  const asked = new Map<string, number>(Object.entries(requests ?? {}));
  if (cpuMilli !== undefined) asked.set('cpu', cpuMilli);
  if (memoryBytes !== undefined) asked.set('memory', memoryBytes);
  return {
    uid: `uid-${name}-${(serial++).toString()}`,
    namespace: 'default',
    name,
    labels: labels === undefined ? NO_LABELS : new Map(Object.entries(labels)),
    shape: shapes.intern({
      requests: asked,
      hostPorts: [],
      tolerations: [],
      nodeSelector: NO_LABELS,
      nodeAffinity: null,
      topologySpread: [],
      podAffinity: [],
      podAntiAffinity: [],
      volumes: [],
      directives: {},
      priority: null,
      priorityClassName: '',
      preemptionPolicy: null,
      schedulerName: 'default-scheduler',
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: null,
      hasResourceClaims: false,
      requiredFeatures: [],
      ...shape,
      owner: owner == null ? null : buildOwner(owner),
    }),
    nodeName: '',
    nominatedNodeName: '',
    pinnedNodeName: '',
    claims: [],
    phase: fields.nodeName ? 'Running' : 'Pending',
    scheduling: fields.nodeName ? 'scheduled' : 'unschedulable',
    schedulingChangedMs: null,
    createdMs: T0 - MINUTE,
    deletionMs: null,
    startedMs: null,
    charged: null,
    ...fields,
  };
}

function buildOwner(owner: Partial<OwnerReference>): OwnerReference {
  const name = owner.name ?? 'owner';
  const kind = owner.kind ?? 'ReplicaSet';
  return { apiVersion: 'apps/v1', kind, name, uid: `uid-${kind}-${name}`, ...owner };
}

export interface NodeOptions extends Partial<Omit<Node, 'labels' | 'allocatable' | 'capacity'>> {
  cpuMilli?: number;
  memoryBytes?: number;
  pods?: number;
  allocatable?: Record<string, number>;
  labels?: Record<string, string>;
}

/** A ready node of 4 cores, 8 GiB, 110 pods and 100 GiB of ephemeral storage, an hour old. */
export function buildNode(name: string, options: NodeOptions = {}): Node {
  const { cpuMilli = 4_000, memoryBytes = 8 * GIB, pods = 110, allocatable, labels, ...fields } = options;
  const resources = new Map<string, number>([
    ['cpu', cpuMilli],
    ['memory', memoryBytes],
    ['pods', pods],
    ['ephemeral-storage', 100 * GIB],
    ...Object.entries(allocatable ?? {}),
  ]);
  return {
    uid: `uid-${name}`,
    name,
    providerId: `fake://${name}`,
    labels: new Map(Object.entries({ [HOSTNAME_LABEL]: name, ...labels })),
    taints: [],
    unschedulable: false,
    allocatable: resources,
    capacity: resources,
    conditions: {
      ...NO_CONDITIONS,
      ready: { status: 'True', reason: 'KubeletReady', changedMs: T0 - 60 * MINUTE },
    },
    createdMs: T0 - 60 * MINUTE,
    scaleDownDisabled: null,
    declaredFeatures: [],
    delayDeletion: [],
    resourceVersion: '1',
    ...fields,
  };
}

export function buildInstance(name: string, fields: Partial<Instance> = {}): Instance {
  return {
    id: `fake://${name}`,
    name,
    state: 'running',
    createdMs: T0 - 60 * MINUTE,
    failure: null,
    ...fields,
  };
}

/** A group whose target equals its instances unless said otherwise. */
export function buildGroup(id: string, fields: Partial<NodeGroup> = {}): NodeGroup {
  const instances = fields.instances ?? [];
  return { id, minSize: 0, maxSize: 10, targetSize: instances.length, instances, options: {}, ...fields };
}

export function buildTemplate(
  groupId: string,
  options: NodeOptions = {},
  pods: readonly Pod[] = [],
): NodeTemplate {
  const node = buildNode(`template-node-for-${groupId}-1`, {
    providerId: '',
    uid: `uid-template-${groupId}`,
    ...options,
  });
  return { groupId, node, pods, source: 'provider' };
}

export function buildMachineTemplate(name: string, options: NodeOptions = {}): MachineTemplate {
  return { node: buildNode(name, { providerId: '', ...options }), pricePerHour: null };
}
