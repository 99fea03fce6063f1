import { requestsOfTemplate } from '../../../domain/kubernetes/effective-request.js';
import { applyPodDefaults } from '../../../domain/kubernetes/pod-defaults.js';
import type { DaemonSet, Workload } from '../../../domain/kubernetes/workload.js';
import type { DaemonSetObject, FullPodSpecJson, TolerationJson } from './api-objects.js';
import { claimsOf, projectShape } from './project-pod-shape.js';
import { projectWorkload } from './project-workload.js';
import { BrokenObjectError, identityOf, timeOf } from './projection.js';
import type { SharedRecords } from './projection.js';

/** A DaemonSet in both of its roles: what it puts on new nodes, and whom its pods belong to. */
export interface DaemonSetRecord {
  readonly daemonSet: DaemonSet;
  readonly workload: Workload;
}

/** What the DaemonSet controller adds to every pod it makes (`scheduling` 4.4). */
const DEFAULT_TOLERATIONS: readonly TolerationJson[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const HOST_NETWORK_TOLERATION: TolerationJson = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/**
 * A DaemonSet with the pod that its controller and the API server would make of its template.
 * @throws BrokenObjectError, QuantityError
 */
export function projectDaemonSet(object: DaemonSetObject, shared: SharedRecords): DaemonSetRecord {
  const workload = projectWorkload('DaemonSet', object, shared);
  const template = object.spec?.template;
  if (template?.spec == null) throw new BrokenObjectError('spec.template.spec is missing');
  const { uid, name, namespace } = identityOf(object.metadata);
  const spec = withDefaultTolerations(applyPodDefaults(template.spec));
  const labels = shared.labels(template.metadata?.labels);
  const source = {
    metadata: template.metadata ?? {},
    spec,
    labels,
    requests: requestsOfTemplate(template.spec),
    owner: { apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid },
  };
  const { parts, pinnedNodeName } = projectShape(source, shared);
  const pod = {
    uid: '',
    namespace: workload.namespace,
    name: '',
    labels,
    shape: shared.shapes.intern(parts),
    nodeName: '',
    nominatedNodeName: '',
    // A template that names a node runs there only.
    pinnedNodeName: spec.nodeName ? shared.text(spec.nodeName) : pinnedNodeName,
    claims: claimsOf('', spec.volumes),
    phase: 'Pending',
    scheduling: 'absent',
    schedulingChangedMs: null,
    createdMs: timeOf(object.metadata?.creationTimestamp) ?? 0,
    deletionMs: null,
    startedMs: null,
    charged: null,
  } as const;
  return { daemonSet: { uid, namespace: shared.text(namespace), name, pod }, workload };
}

function withDefaultTolerations(spec: FullPodSpecJson): FullPodSpecJson {
  const added = spec.hostNetwork === true ? [HOST_NETWORK_TOLERATION] : [];
  return { ...spec, tolerations: [...(spec.tolerations ?? []), ...DEFAULT_TOLERATIONS, ...added] };
}
