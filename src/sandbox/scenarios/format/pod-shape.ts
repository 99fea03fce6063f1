import { duration } from './duration.js';
import { object, optional, required } from './object-shape.js';
import {
  amount,
  count,
  flag,
  integer,
  list,
  mapOf,
  named,
  oneOf,
  oneOrMore,
  parsedText,
  text,
} from './shape.js';
import type { ValueOf } from './shape.js';
import { labels, names } from './texts.js';

const OWNER = /^(none|(rs|sts|job|ds)\/[a-z0-9{}.-]+)$/u;

export const owner = () =>
  parsedText({
    noun: 'an owner, rs/, sts/, job/ or ds/ and a name',
    pattern: OWNER,
    example: 'rs/web',
    parse: (value) => value,
  });

const containerShape = named(
  'container',
  object('a container', {
    cpu: optional(amount(), 'Requested cores.'),
    mem: optional(amount(), 'Requested GiB.'),
    restart: optional(oneOf('Always'), 'Of an init container: it is a sidecar.'),
  }),
);

const spreadShape = named(
  'spread',
  object('a spread rule', {
    key: required(text(), 'zone, hostname, or a label key.'),
    maxSkew: optional(count(1), 'Default 1.'),
    mode: optional(oneOf('DoNotSchedule', 'ScheduleAnyway'), 'Default DoNotSchedule.'),
    app: optional(text(), 'Counts pods with this label app.'),
    labels: optional(labels(), 'Counts pods with these labels.'),
  }),
);

const affinityShape = named(
  'affinity',
  object('an affinity rule', {
    key: required(text(), 'zone, hostname, or a label key.'),
    app: optional(text(), 'Pods with this label app.'),
    labels: optional(labels(), 'Pods with these labels.'),
    required: optional(flag(), 'Default true; false is a wish.'),
  }),
);

export const podShape = named(
  'pod',
  object(
    'a pod',
    {
      id: required(names(), "Name; 'r{1..50}' is fifty pods, {i} the number in other texts."),
      x: optional(count(1), 'So many copies, with -1, -2, … behind the name.'),
      on: optional(text(), 'The node that it is bound to.'),
      cpu: optional(amount(), 'Requested cores.'),
      mem: optional(amount(), 'Requested GiB.'),
      disk: optional(amount(), 'Requested GiB of ephemeral storage.'),
      resources: optional(mapOf(amount()), 'Further requests, by resource name.'),
      containers: optional(list(containerShape), 'Containers, instead of cpu and mem.'),
      init: optional(list(containerShape), 'Init containers.'),
      owner: optional(owner(), 'Controller, which is made with as many replicas: rs/web.'),
      ownerAnnotations: optional(mapOf(text()), "Annotations on the owner's template."),
      namespace: optional(text(), 'Default `default`.'),
      labels: optional(labels(), 'Labels.'),
      annotations: optional(mapOf(text()), 'Annotations.'),
      selector: optional(labels(), 'Node selector.'),
      prefer: optional(labels(), 'Preferred node labels.'),
      tolerates: optional(list(text()), 'Tolerated taint keys.'),
      spread: optional(oneOrMore(spreadShape), 'Topology spread.'),
      affinity: optional(oneOrMore(affinityShape), 'Pods to be with.'),
      antiAffinity: optional(oneOrMore(affinityShape), 'Pods not to be with.'),
      claims: optional(list(text()), 'PersistentVolumeClaims that it uses.'),
      localStorage: optional(flag(), 'It has an emptyDir volume.'),
      hostPort: optional(count(1), 'Port on the host.'),
      priority: optional(integer(), 'Priority.'),
      preemptionPolicy: optional(oneOf('Never', 'PreemptLowerPriority'), 'Preemption policy.'),
      schedulerName: optional(text(), 'Another scheduler: nobody schedules it.'),
      unschedulable: optional(flag(), 'Marked as unschedulable by hand, for pods of another scheduler.'),
      grace: optional(duration(), 'Termination grace period. Default 30s.'),
      stopsIn: optional(duration(), 'Time that it takes to stop. Default 1s.'),
      runsFor: optional(duration(), 'It ends by itself after running so long.'),
      age: optional(duration(), 'Default: 30s if it waits for a node, that of its node if it is on one.'),
      terminating: optional(duration(), 'Deleted so long ago, and still there.'),
      note: optional(text(), 'For readers.'),
    },
    {
      own: 'owner',
      sel: 'selector',
      nodeSelector: 'selector',
      tol: 'tolerates',
      tolerations: 'tolerates',
      res: 'resources',
      prio: 'priority',
      pvc: 'claims',
      replicas: 'x',
      node: 'on',
      memory: 'mem',
      volumes: 'claims',
    },
  ),
);

export type PodDocument = ValueOf<typeof podShape>;
export type ContainerDocument = ValueOf<typeof containerShape>;
export type SpreadDocument = ValueOf<typeof spreadShape>;
export type AffinityDocument = ValueOf<typeof affinityShape>;
