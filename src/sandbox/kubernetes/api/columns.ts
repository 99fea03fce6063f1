import { conditionStatus } from '../objects/condition.js';
import type { Kind } from '../objects/kind.js';
import * as kinds from '../objects/kinds.js';
import { isRecord } from '../objects/object.js';
import type { KubeObject } from '../objects/object.js';
import { formatLabelSelector } from '../objects/selector.js';
import { parseTimestamp } from '../objects/time.js';
import type {
  DaemonSet,
  DisruptionBudget,
  Job,
  KubeEvent,
  Node,
  Pod,
  ReplicatedWorkload,
} from '../objects/types.js';

export interface Column<T extends KubeObject = KubeObject> {
  readonly name: string;
  /** Shown with `-o wide` only. */
  readonly wide: boolean;
  cell(object: T, nowMs: number): string;
}

function column<T extends KubeObject>(
  name: string,
  cell: (object: T, nowMs: number) => unknown,
  wide = false,
): Column<T> {
  return { name, wide, cell: (object, nowMs) => text(cell(object, nowMs)) };
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '<none>';
}

const NAME = column('Name', (object: KubeObject) => object.metadata.name);
const AGE = column('Age', (object: KubeObject, nowMs) => age(object.metadata.creationTimestamp, nowMs));

/** Rough age as kubectl prints it: `45s`, `12m`, `3h20m`, `5d`. */
export function age(since: string | null | undefined, nowMs: number): string {
  if (since == null) return '<unknown>';
  const seconds = Math.max(0, Math.floor((nowMs - parseTimestamp(since)) / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

function podStatus({ metadata, status }: Pod): string {
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (status?.phase === 'Succeeded') return 'Completed';
  return status?.reason ?? status?.phase ?? 'Pending';
}

const POD_COLUMNS = [
  NAME,
  column<Pod>('Ready', ({ spec, status }) => {
    const ready = (status?.containerStatuses ?? []).filter((container) => container.ready).length;
    return `${ready}/${spec.containers.length}`;
  }),
  column<Pod>('Status', podStatus),
  column<Pod>('Restarts', ({ status }) =>
    (status?.containerStatuses ?? []).reduce((sum, container) => sum + container.restartCount, 0),
  ),
  AGE,
  column<Pod>('IP', ({ status }) => status?.podIP, true),
  column<Pod>('Node', ({ spec }) => spec.nodeName, true),
  column<Pod>('Nominated Node', ({ status }) => status?.nominatedNodeName, true),
  column('Readiness Gates', () => '<none>', true),
];

function nodeStatus({ spec, status }: Node): string {
  const ready = conditionStatus(status?.conditions, 'Ready');
  const word = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable === true ? `${word},SchedulingDisabled` : word;
}

function nodeRoles({ metadata }: Node): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith(prefix));
  return roles.map((label) => label.slice(prefix.length)).join(',') || '<none>';
}

function address(type: string): (node: Node) => string | undefined {
  return ({ status }) => status?.addresses?.find((entry) => entry.type === type)?.address;
}

const NODE_COLUMNS = [
  NAME,
  column<Node>('Status', nodeStatus),
  column<Node>('Roles', nodeRoles),
  AGE,
  column<Node>('Version', ({ status }) => status?.nodeInfo?.['kubeletVersion'] ?? ''),
  column<Node>('Internal-IP', address('InternalIP'), true),
  column<Node>('External-IP', address('ExternalIP'), true),
  column<Node>('OS-Image', ({ status }) => status?.nodeInfo?.['osImage'], true),
  column<Node>('Kernel-Version', ({ status }) => status?.nodeInfo?.['kernelVersion'], true),
  column<Node>('Container-Runtime', ({ status }) => status?.nodeInfo?.['containerRuntimeVersion'], true),
];

const DEPLOYMENT_COLUMNS = [
  NAME,
  column<ReplicatedWorkload>(
    'Ready',
    ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`,
  ),
  column<ReplicatedWorkload>('Up-to-date', ({ status }) => status?.['updatedReplicas'] ?? 0),
  column<ReplicatedWorkload>('Available', ({ status }) => status?.availableReplicas ?? 0),
  AGE,
  column<ReplicatedWorkload>('Containers', ({ spec }) => containerList(spec.template.spec, 'name'), true),
  column<ReplicatedWorkload>('Images', ({ spec }) => containerList(spec.template.spec, 'image'), true),
  column<ReplicatedWorkload>('Selector', ({ spec }) => formatLabelSelector(spec.selector), true),
];

function containerList(spec: Pod['spec'], field: 'name' | 'image'): string {
  return spec.containers.map((container) => container[field] ?? '').join(',');
}

const REPLICA_SET_COLUMNS = [
  NAME,
  column<ReplicatedWorkload>('Desired', ({ spec }) => spec.replicas ?? 1),
  column<ReplicatedWorkload>('Current', ({ status }) => status?.replicas ?? 0),
  column<ReplicatedWorkload>('Ready', ({ status }) => status?.readyReplicas ?? 0),
  AGE,
];

const STATEFUL_SET_COLUMNS = [
  NAME,
  column<ReplicatedWorkload>(
    'Ready',
    ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1}`,
  ),
  AGE,
];

const DAEMON_SET_COLUMNS = [
  NAME,
  column<DaemonSet>('Desired', ({ status }) => status?.['desiredNumberScheduled'] ?? 0),
  column<DaemonSet>('Current', ({ status }) => status?.['currentNumberScheduled'] ?? 0),
  column<DaemonSet>('Ready', ({ status }) => status?.['numberReady'] ?? 0),
  column<DaemonSet>('Up-to-date', ({ status }) => status?.['updatedNumberScheduled'] ?? 0),
  column<DaemonSet>('Available', ({ status }) => status?.['numberAvailable'] ?? 0),
  AGE,
];

const JOB_COLUMNS = [
  NAME,
  column<Job>('Status', ({ status }) =>
    conditionStatus(status?.conditions, 'Complete') === 'True'
      ? 'Complete'
      : conditionStatus(status?.conditions, 'Failed') === 'True'
        ? 'Failed'
        : 'Running',
  ),
  column<Job>('Completions', ({ spec, status }) => `${status?.succeeded ?? 0}/${spec.completions ?? 1}`),
  AGE,
];

const BUDGET_COLUMNS = [
  NAME,
  column<DisruptionBudget>('Min Available', ({ spec }) => spec.minAvailable ?? 'N/A'),
  column<DisruptionBudget>('Max Unavailable', ({ spec }) => spec.maxUnavailable ?? 'N/A'),
  column<DisruptionBudget>('Allowed Disruptions', ({ status }) => status?.disruptionsAllowed ?? 0),
  AGE,
];

const EVENT_COLUMNS = [
  column<KubeEvent>('Last Seen', (event, nowMs) =>
    age(event.lastTimestamp ?? event.metadata.creationTimestamp, nowMs),
  ),
  column<KubeEvent>('Type', ({ type }) => type),
  column<KubeEvent>('Reason', ({ reason }) => reason),
  column<KubeEvent>(
    'Object',
    ({ involvedObject }) => `${(involvedObject.kind ?? '').toLowerCase()}/${involvedObject.name ?? ''}`,
  ),
  column<KubeEvent>('Message', ({ message }) => message),
];

const LEASE_COLUMNS = [
  NAME,
  column('Holder', ({ spec }) => (isRecord(spec) ? spec['holderIdentity'] : undefined)),
  AGE,
];

const CONFIG_MAP_COLUMNS = [
  NAME,
  column('Data', ({ data }) => (isRecord(data) ? Object.keys(data).length : 0)),
  AGE,
];

const NAMESPACE_COLUMNS = [
  NAME,
  column('Status', ({ status }) => (isRecord(status) ? status['phase'] : undefined)),
  AGE,
];

const BY_KIND = new Map<Kind, readonly Column[]>([
  [kinds.PODS, POD_COLUMNS],
  [kinds.NODES, NODE_COLUMNS],
  [kinds.DEPLOYMENTS, DEPLOYMENT_COLUMNS],
  [kinds.REPLICA_SETS, REPLICA_SET_COLUMNS],
  [kinds.REPLICATION_CONTROLLERS, REPLICA_SET_COLUMNS],
  [kinds.STATEFUL_SETS, STATEFUL_SET_COLUMNS],
  [kinds.DAEMON_SETS, DAEMON_SET_COLUMNS],
  [kinds.JOBS, JOB_COLUMNS],
  [kinds.DISRUPTION_BUDGETS, BUDGET_COLUMNS],
  [kinds.EVENTS, EVENT_COLUMNS],
  [kinds.LEASES, LEASE_COLUMNS],
  [kinds.CONFIG_MAPS, CONFIG_MAP_COLUMNS],
  [kinds.NAMESPACES, NAMESPACE_COLUMNS],
]);

/** The columns that the API server gives a kind; name and age where it has no own. */
export function columnsOf(kind: Kind): readonly Column[] {
  return BY_KIND.get(kind) ?? [NAME, AGE];
}
