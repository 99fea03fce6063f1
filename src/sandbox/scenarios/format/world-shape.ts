import { apiShape } from './api-shape.js';
import { cloudShape } from './cloud-shape.js';
import { duration } from './duration.js';
import { object, optional, required } from './object-shape.js';
import { podShape } from './pod-shape.js';
import { amount, anything, count, either, flag, integer, list, mapOf, named, oneOf, text } from './shape.js';
import type { ValueOf } from './shape.js';
import { names, labels, taints } from './texts.js';

const never = oneOf('never');

export const bootShape = named(
  'boot',
  object('boot', {
    join: optional(either(duration(), never), 'From power-on to the Node object. Default 40s.'),
    ready: optional(either(duration(), never), 'From the Node object to Ready. Default 10s.'),
  }),
);

const groupShape = named(
  'group',
  object(
    'a group',
    {
      id: required(names(), "Name of the group; 'g{1..60}' is sixty groups."),
      min: optional(count(), 'Default 0.'),
      max: required(count(1), 'Most machines.'),
      size: optional(count(), 'Machines at the beginning. Nodes that are not listed are empty and ready.'),
      cpu: optional(amount(), 'Allocatable cores of each node; with mem.'),
      mem: optional(amount(), 'Allocatable GiB of each node.'),
      disk: optional(amount(), 'Allocatable GiB of disk. Default 100.'),
      type: optional(text(), 'A machine type that the cloud sells, instead of cpu and mem.'),
      location: optional(text(), 'Where the cloud makes its machines. Default fsn1.'),
      zone: optional(text(), 'Zone label of its nodes; a location of this name is made.'),
      price: optional(amount(), 'Per machine and hour.'),
      labels: optional(labels(), 'Labels of its nodes, declared in the configuration.'),
      taints: optional(taints(), "Taints of its nodes, declared: ['use=batch:NoSchedule']."),
      nodeLabels: optional(labels(), 'Labels that its nodes really get, if not the declared ones.'),
      nodeTaints: optional(taints(), 'Taints that its nodes really get, if not the declared ones.'),
      resources: optional(mapOf(amount()), 'Devices of its nodes, by resource name.'),
      boot: optional(bootShape, 'How its new machines become nodes.'),
      cloudInit: optional(text(), 'Boot script in the configuration.'),
      placementGroup: optional(text(), 'Placement group in the configuration.'),
      options: optional(mapOf(anything()), 'autoscalingOptions of the pool, as in the configuration.'),
    },
    {
      n: 'size',
      res: 'resources',
      memory: 'mem',
      declaredTaints: 'taints',
      cores: 'cpu',
      placement: 'placementGroup',
    },
  ),
);

const useShape = named(
  'use',
  object('use', { cpu: optional(amount(), 'Cores.'), mem: optional(amount(), 'GiB.') }),
);

const nodeShape = named(
  'node',
  object(
    'a node',
    {
      id: required(names(), "Name; 'a-{1..40}' is forty nodes, {i} the number in other texts."),
      group: optional(text(), 'Its group; without one it is foreign to the autoscaler.'),
      age: optional(duration(), 'Default 1h.'),
      ready: optional(flag(), 'Default true.'),
      since: optional(duration(), 'Not ready for so long. Default 5m.'),
      empty: optional(flag(), 'Says that no pod is on it; a fault if there is one.'),
      full: optional(flag(), 'Pods of a ReplicaSet take all that is free.'),
      used: optional(useShape, 'Pods of a ReplicaSet that take so much.'),
      unneeded: optional(duration(), 'Marked as unneeded for so long by a predecessor.'),
      labels: optional(labels(), 'Beside those of its group; an empty value takes one away.'),
      annotations: optional(mapOf(text()), 'Annotations.'),
      taints: optional(taints(), 'Beside those of its group. `{30m ago}` is a Unix time.'),
      cordoned: optional(flag(), 'spec.unschedulable.'),
      providerID: optional(text(), 'Instead of the one that the cloud controller writes.'),
      machine: optional(oneOf('gone'), 'The cloud knows no machine for it: a ghost.'),
      cpu: optional(amount(), 'Of a foreign node: allocatable cores. Default 4.'),
      mem: optional(amount(), 'Of a foreign node: allocatable GiB. Default 16.'),
      zone: optional(text(), 'Of a foreign node.'),
      resources: optional(mapOf(amount()), 'Devices that it shows, instead of those of its group.'),
    },
    { g: 'group', lastSeen: 'since', alloc: 'resources', unschedulable: 'cordoned' },
  ),
);

const budgetShape = named(
  'budget',
  object('a budget', {
    id: optional(names(), 'Name. Default: the app.'),
    app: optional(text(), 'Selects pods with this label app.'),
    labels: optional(labels(), 'Selects pods with these labels.'),
    minAvailable: optional(either(integer(), text()), 'As in a PodDisruptionBudget.'),
    maxUnavailable: optional(either(integer(), text()), 'As in a PodDisruptionBudget.'),
    namespace: optional(text(), 'Default `default`.'),
  }),
);

const daemonSetShape = named(
  'daemonSet',
  object('a DaemonSet', {
    id: required(names(), 'Name.'),
    cpu: optional(amount(), 'Cores of each pod.'),
    mem: optional(amount(), 'GiB of each pod.'),
    selector: optional(labels(), 'Node selector.'),
    tolerates: optional(list(text()), 'Tolerated taint keys.'),
    namespace: optional(text(), 'Default kube-system.'),
  }),
);

const volumeShape = named(
  'volume',
  object('a volume', {
    id: required(names(), 'Name of the PersistentVolume.'),
    affinity: optional(mapOf(list(text())), 'Node label keys, and the values where it can be used.'),
    size: optional(amount(), 'GiB. Default 10.'),
    storageClass: optional(text(), 'Storage class.'),
  }),
);

const claimShape = named(
  'claim',
  object('a claim', {
    id: required(names(), 'Name of the PersistentVolumeClaim.'),
    volume: optional(text(), 'The volume that it is bound to.'),
    mode: optional(oneOf('Immediate', 'WaitForFirstConsumer'), 'Binding mode of its storage class.'),
    bound: optional(flag(), 'Default: whether a volume is named.'),
    namespace: optional(text(), 'Default `default`.'),
  }),
);

const attachmentShape = named(
  'attachment',
  object('an attachment', {
    node: required(text(), 'Node to which a volume is attached.'),
    volume: optional(text(), 'The volume. Default: a nameless one.'),
    goneAfter: optional(
      duration(),
      'It goes so long after the last pod of the node that uses a claim. Default 5s.',
    ),
  }),
);

/** What a story can put into the world, at the beginning and later. */
export const additions = {
  nodes: optional(list(nodeShape), 'Nodes. Those with a group have a machine in the cloud.'),
  pods: optional(list(podShape), 'Pods. Without `on` the scheduler of the world looks for a node.'),
  daemonSets: optional(list(daemonSetShape), 'DaemonSets; their controller makes the pods.'),
  budgets: optional(list(budgetShape), 'PodDisruptionBudgets.'),
  volumes: optional(list(volumeShape), 'PersistentVolumes.'),
  claims: optional(list(claimShape), 'PersistentVolumeClaims.'),
  attachments: optional(list(attachmentShape), 'VolumeAttachments.'),
  objects: optional(list(anything()), 'Any other Kubernetes objects, as kubectl apply takes them.'),
  brokenObjects: optional(list(anything()), 'Objects stored as they are, past all rules.'),
};

export const ADDITION_SPELLINGS = {
  pdb: 'budgets',
  pdbs: 'budgets',
  pv: 'volumes',
  pvc: 'claims',
  daemonsets: 'daemonSets',
};

export const worldShape = object(
  'the world',
  {
    groups: required(list(groupShape), 'Node groups.'),
    ...additions,
    cloud: optional(cloudShape, 'What the cloud does and answers.'),
    api: optional(apiShape, 'What the Kubernetes API does and answers, from the start of the program on.'),
  },
  { g: 'groups', apiserver: 'api', ...ADDITION_SPELLINGS },
);

export type WorldDocument = ValueOf<typeof worldShape>;
export type GroupDocument = ValueOf<typeof groupShape>;
export type NodeDocument = ValueOf<typeof nodeShape>;
export type BudgetDocument = ValueOf<typeof budgetShape>;
export type DaemonSetDocument = ValueOf<typeof daemonSetShape>;
export type VolumeDocument = ValueOf<typeof volumeShape>;
export type ClaimDocument = ValueOf<typeof claimShape>;
export type AttachmentDocument = ValueOf<typeof attachmentShape>;
export type BootDocument = ValueOf<typeof bootShape>;
