import type {
  ClaimObject,
  CsiDriverObject,
  CsiNodeObject,
  Maybe,
  NamespaceObject,
  NodeObject,
  NodeSelectorObject,
  ObjectMeta,
  PersistentVolumeObject,
  PodObject,
  StorageCapacityObject,
  StorageClassObject,
  Texts,
  VolumeAttachmentObject,
} from './api-objects.js';

/** A pod that is charged to a node, whatever its `spec.nodeName` says. */
export interface Placement {
  readonly pod: PodObject;
  readonly nodeName: string;
}

/** All that a filter may look at. Plain lists: the oracle searches them anew for each question. */
export interface Cluster {
  readonly nodes: readonly NodeObject[];
  readonly placements: readonly Placement[];
  readonly namespaces: readonly NamespaceObject[];
  readonly claims: readonly ClaimObject[];
  readonly persistentVolumes: readonly PersistentVolumeObject[];
  readonly storageClasses: readonly StorageClassObject[];
  readonly csiNodes: readonly CsiNodeObject[];
  readonly csiDrivers: readonly CsiDriverObject[];
  readonly storageCapacities: readonly StorageCapacityObject[];
  readonly volumeAttachments: readonly VolumeAttachmentObject[];
}

export const EMPTY_CLUSTER: Cluster = {
  nodes: [],
  placements: [],
  namespaces: [],
  claims: [],
  persistentVolumes: [],
  storageClasses: [],
  csiNodes: [],
  csiDrivers: [],
  storageCapacities: [],
  volumeAttachments: [],
};

/** What a scheduler configuration or a feature gate may change. */
export interface SchedulerOptions {
  /** Gate TaintTolerationComparisonOperators. */
  readonly tolerationComparison: boolean;
  /** NodeAffinityArgs.addedAffinity, its required part. */
  readonly addedAffinity: NodeSelectorObject | null;
}

export const DEFAULT_OPTIONS: SchedulerOptions = { tolerationComparison: false, addedAffinity: null };

/** One question: may `pod` run on `node`? */
export interface Question {
  readonly cluster: Cluster;
  readonly pod: PodObject;
  readonly node: NodeObject;
  readonly options: SchedulerOptions;
}

interface Named {
  metadata?: Maybe<ObjectMeta>;
}

export function nameOf(object: Named): string {
  return object.metadata?.name ?? '';
}

export function namespaceOf(object: Named): string {
  return object.metadata?.namespace ?? '';
}

/** Without a prototype, so that a key such as `constructor` is absent where nobody wrote it. */
export function labelsOf(object: Named): Texts {
  return Object.assign(Object.create(null) as Texts, object.metadata?.labels);
}

export function annotationOf(object: Named, key: string): string | undefined {
  return object.metadata?.annotations?.[key];
}

export function isTerminating(object: Named): boolean {
  return object.metadata?.deletionTimestamp != null;
}

export function findNamed<T extends Named>(objects: readonly T[], name: string): T | undefined {
  return objects.find((object) => nameOf(object) === name);
}

export function podsOn(cluster: Cluster, node: NodeObject): readonly PodObject[] {
  return cluster.placements
    .filter((placement) => placement.nodeName === nameOf(node))
    .map((placement) => placement.pod);
}

/** Labels of a namespace; an unknown namespace has none. */
export function namespaceLabels(cluster: Cluster, namespace: string): Texts {
  const found = findNamed(cluster.namespaces, namespace);
  return found === undefined ? {} : labelsOf(found);
}
