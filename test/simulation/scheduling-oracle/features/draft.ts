import type {
  ClaimObject,
  ContainerObject,
  CsiDriverObject,
  CsiNodeObject,
  NamespaceObject,
  NodeObject,
  ObjectMeta,
  PersistentVolumeObject,
  PodObject,
  PodSpecObject,
  StorageCapacityObject,
  StorageClassObject,
  Texts,
  VolumeAttachmentObject,
} from '../../../reference/oracle/api-objects.js';
import type { NodeSelectorObject } from '../../../reference/oracle/api-objects.js';
import type { Random } from '../random.js';

/** A pod while features are written into it. */
export interface PodDraft extends PodObject {
  metadata: ObjectMeta & { name: string; namespace: string; labels: Texts };
  spec: PodSpecObject & { containers: ContainerObject[]; initContainers: ContainerObject[] };
  status: NonNullable<PodObject['status']>;
}

export interface NodeDraft extends NodeObject {
  metadata: ObjectMeta & { name: string; labels: Texts };
  spec: NonNullable<NodeObject['spec']>;
  status: NonNullable<NodeObject['status']>;
}

/** All that is neither node nor pod. */
export interface WorldDraft {
  tolerationComparison: boolean;
  addedAffinity: NodeSelectorObject | null;
  namespaces: NamespaceObject[];
  claims: ClaimObject[];
  persistentVolumes: PersistentVolumeObject[];
  storageClasses: StorageClassObject[];
  csiNodes: CsiNodeObject[];
  csiDrivers: CsiDriverObject[];
  storageCapacities: StorageCapacityObject[];
  volumeAttachments: VolumeAttachmentObject[];
}

/** One thing that clusters may have or not. A scenario switches a random few of them on. */
export interface Feature {
  readonly name: string;
  world?(world: WorldDraft, random: Random): void;
  node?(node: NodeDraft, random: Random): void;
  pod?(pod: PodDraft, random: Random): void;
}

export const NODE_NAMES = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9'];
export const NAMESPACES = ['default', 'other', 'prod'];
export const HOSTNAME = 'kubernetes.io/hostname';
export const ZONE = 'topology.kubernetes.io/zone';
export const REGION = 'topology.kubernetes.io/region';
/** Keys of node labels; every node has the first. */
export const NODE_KEYS = [HOSTNAME, ZONE, REGION, 'rack', 'disk', 'cores', 'constructor'];

/** Values of a node label: few, so that they often meet. */
export function valueOf(key: string, random: Random): string {
  if (key === HOSTNAME) return random.pick(NODE_NAMES);
  if (key === 'cores')
    return random.pick(['3', '5', '8', '10', 'ten', '08', '+5', '-5', '9223372036854775808']);
  return random.pick(['a', 'a', 'b', 'b', 'c', '']);
}

export function newNode(name: string, random: Random): NodeDraft {
  const labels: Texts = { [HOSTNAME]: name };
  for (const key of random.some(NODE_KEYS.slice(1), 0.6)) labels[key] = valueOf(key, random);
  if (random.chance(0.05)) labels[HOSTNAME] = random.pick(NODE_NAMES);
  return {
    metadata: { name, uid: `uid-${name}`, labels },
    spec: {},
    status: { allocatable: { cpu: '1k', memory: '1Ti', pods: '110', 'ephemeral-storage': '1Ti' } },
  };
}

export function newPod(name: string, random: Random): PodDraft {
  const namespace = random.chance(0.75) ? 'default' : random.pick(NAMESPACES);
  const labels: Texts = {};
  if (random.chance(0.9)) labels['app'] = random.pick(['w', 'w', 'x']);
  if (random.chance(0.4)) labels['rev'] = random.pick(['1', '2']);
  return {
    metadata: { name, namespace, uid: `uid-${name}`, labels },
    spec: { containers: [{ name: 'main' }], initContainers: [] },
    status: {},
  };
}

export function newWorld(): WorldDraft {
  return {
    tolerationComparison: false,
    addedAffinity: null,
    namespaces: [],
    claims: [],
    persistentVolumes: [],
    storageClasses: [],
    csiNodes: [],
    csiDrivers: [],
    storageCapacities: [],
    volumeAttachments: [],
  };
}
