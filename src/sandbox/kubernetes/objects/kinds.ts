import type { Kind } from './kind.js';
import type { KubeObject } from './object.js';
import type {
  Attachment,
  CsiNode,
  DaemonSet,
  DisruptionBudget,
  Job,
  KubeEvent,
  Node,
  Pod,
  PriorityClass,
  ReplicatedWorkload,
  Role,
  RoleBinding,
  RuntimeClass,
  StorageClass,
  Volume,
  VolumeClaim,
} from './types.js';

type RowOptions = Partial<Omit<Kind, 'group' | 'version' | 'plural' | 'kind' | 'example'>>;

function row<T extends KubeObject = KubeObject>(
  groupVersion: string,
  plural: string,
  kind: string,
  options: RowOptions = {},
): Kind<T> {
  const [version, group = ''] = groupVersion.split('/').reverse();
  return {
    group,
    version: version!,
    plural,
    kind,
    namespaced: true,
    shortNames: [],
    subresources: [],
    fields: [],
    categories: [],
    versionRequired: false,
    custom: false,
    ...options,
  };
}

const CLUSTER = { namespaced: false };
const STATUS = { subresources: ['status'] };
const SCALED = { subresources: ['status', 'scale'], categories: ['all'] };

const POD_FIELDS = [
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'spec.hostNetwork',
  'status.phase',
  'status.podIP',
  'status.nominatedNodeName',
];
const EVENT_FIELDS = [
  'involvedObject.kind',
  'involvedObject.namespace',
  'involvedObject.name',
  'involvedObject.uid',
  'involvedObject.apiVersion',
  'involvedObject.resourceVersion',
  'involvedObject.fieldPath',
  'reason',
  'reportingComponent',
  'source',
  'type',
];

export const PODS = row<Pod>('v1', 'pods', 'Pod', {
  shortNames: ['po'],
  subresources: ['status', 'eviction', 'binding'],
  fields: POD_FIELDS,
  categories: ['all'],
});
export const NODES = row<Node>('v1', 'nodes', 'Node', {
  ...CLUSTER,
  ...STATUS,
  shortNames: ['no'],
  fields: ['spec.unschedulable'],
});
export const NAMESPACES = row('v1', 'namespaces', 'Namespace', {
  ...CLUSTER,
  ...STATUS,
  shortNames: ['ns'],
  fields: ['status.phase'],
});
export const EVENTS = row<KubeEvent>('v1', 'events', 'Event', { shortNames: ['ev'], fields: EVENT_FIELDS });
export const CONFIG_MAPS = row('v1', 'configmaps', 'ConfigMap', { shortNames: ['cm'] });
export const SERVICE_ACCOUNTS = row('v1', 'serviceaccounts', 'ServiceAccount', { shortNames: ['sa'] });
export const REPLICATION_CONTROLLERS = row<ReplicatedWorkload>(
  'v1',
  'replicationcontrollers',
  'ReplicationController',
  { ...SCALED, shortNames: ['rc'] },
);
export const DEPLOYMENTS = row<ReplicatedWorkload>('apps/v1', 'deployments', 'Deployment', {
  ...SCALED,
  shortNames: ['deploy'],
});
export const REPLICA_SETS = row<ReplicatedWorkload>('apps/v1', 'replicasets', 'ReplicaSet', {
  ...SCALED,
  shortNames: ['rs'],
});
export const STATEFUL_SETS = row<ReplicatedWorkload>('apps/v1', 'statefulsets', 'StatefulSet', {
  ...SCALED,
  shortNames: ['sts'],
});
export const DAEMON_SETS = row<DaemonSet>('apps/v1', 'daemonsets', 'DaemonSet', {
  ...STATUS,
  shortNames: ['ds'],
  categories: ['all'],
});
export const JOBS = row<Job>('batch/v1', 'jobs', 'Job', { ...STATUS, categories: ['all'] });
export const DISRUPTION_BUDGETS = row<DisruptionBudget>(
  'policy/v1',
  'poddisruptionbudgets',
  'PodDisruptionBudget',
  { ...STATUS, shortNames: ['pdb'], versionRequired: true },
);
export const LEASES = row('coordination.k8s.io/v1', 'leases', 'Lease', { versionRequired: true });
export const PRIORITY_CLASSES = row<PriorityClass>(
  'scheduling.k8s.io/v1',
  'priorityclasses',
  'PriorityClass',
  { ...CLUSTER, shortNames: ['pc'] },
);

export const RUNTIME_CLASSES = row<RuntimeClass>('node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', CLUSTER);
export const CLAIMS = row<VolumeClaim>('v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
  ...STATUS,
  shortNames: ['pvc'],
});
export const VOLUMES = row<Volume>('v1', 'persistentvolumes', 'PersistentVolume', {
  ...CLUSTER,
  ...STATUS,
  shortNames: ['pv'],
});
export const STORAGE_CLASSES = row<StorageClass>('storage.k8s.io/v1', 'storageclasses', 'StorageClass', {
  ...CLUSTER,
  shortNames: ['sc'],
});
export const CSI_NODES = row<CsiNode>('storage.k8s.io/v1', 'csinodes', 'CSINode', CLUSTER);
export const ATTACHMENTS = row<Attachment>('storage.k8s.io/v1', 'volumeattachments', 'VolumeAttachment', {
  ...CLUSTER,
  ...STATUS,
});

/** Nothing in the sandbox acts on these. */
const PASSIVE_KINDS: readonly Kind[] = [
  row('apps/v1', 'controllerrevisions', 'ControllerRevision'),
  row('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    ...STATUS,
    shortNames: ['hpa'],
    categories: ['all'],
  }),
  row('networking.k8s.io/v1', 'ingresses', 'Ingress', { ...STATUS, shortNames: ['ing'] }),
  row('networking.k8s.io/v1', 'ingressclasses', 'IngressClass', CLUSTER),
  row('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy', { shortNames: ['netpol'] }),
  row('storage.k8s.io/v1', 'volumeattributesclasses', 'VolumeAttributesClass', {
    ...CLUSTER,
    shortNames: ['vac'],
  }),
  row('certificates.k8s.io/v1', 'certificatesigningrequests', 'CertificateSigningRequest', {
    ...CLUSTER,
    ...STATUS,
    shortNames: ['csr'],
  }),
  row(
    'admissionregistration.k8s.io/v1',
    'mutatingwebhookconfigurations',
    'MutatingWebhookConfiguration',
    CLUSTER,
  ),
  row(
    'admissionregistration.k8s.io/v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    CLUSTER,
  ),
  row('apiextensions.k8s.io/v1', 'customresourcedefinitions', 'CustomResourceDefinition', {
    ...CLUSTER,
    ...STATUS,
    shortNames: ['crd', 'crds'],
  }),
  row('apiregistration.k8s.io/v1', 'apiservices', 'APIService', { ...CLUSTER, ...STATUS }),
];

const RBAC = 'rbac.authorization.k8s.io/v1';
export const CLUSTER_ROLES = row<Role>(RBAC, 'clusterroles', 'ClusterRole', CLUSTER);
export const CLUSTER_ROLE_BINDINGS = row<RoleBinding>(
  RBAC,
  'clusterrolebindings',
  'ClusterRoleBinding',
  CLUSTER,
);
export const ROLES = row<Role>(RBAC, 'roles', 'Role');
export const ROLE_BINDINGS = row<RoleBinding>(RBAC, 'rolebindings', 'RoleBinding');

/**
 * All kinds that the sandbox serves: the built-in ones, so that any informer finds its list, and those of the Go
 * autoscaler. Most are stored and nothing more.
 */
export const KINDS: readonly Kind[] = [
  PODS,
  NODES,
  NAMESPACES,
  EVENTS,
  CONFIG_MAPS,
  SERVICE_ACCOUNTS,
  REPLICATION_CONTROLLERS,
  row('v1', 'services', 'Service', { ...STATUS, shortNames: ['svc'], categories: ['all'] }),
  row('v1', 'endpoints', 'Endpoints', { shortNames: ['ep'] }),
  row('v1', 'secrets', 'Secret', { fields: ['type'] }),
  CLAIMS,
  VOLUMES,
  row('v1', 'podtemplates', 'PodTemplate'),
  row('v1', 'limitranges', 'LimitRange', { shortNames: ['limits'] }),
  row('v1', 'resourcequotas', 'ResourceQuota', { ...STATUS, shortNames: ['quota'] }),
  DEPLOYMENTS,
  REPLICA_SETS,
  STATEFUL_SETS,
  DAEMON_SETS,
  JOBS,
  row('batch/v1', 'cronjobs', 'CronJob', { ...STATUS, shortNames: ['cj'], categories: ['all'] }),
  DISRUPTION_BUDGETS,
  LEASES,
  PRIORITY_CLASSES,
  RUNTIME_CLASSES,
  ...PASSIVE_KINDS,
  row('discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice'),
  STORAGE_CLASSES,
  CSI_NODES,
  row('storage.k8s.io/v1', 'csidrivers', 'CSIDriver', CLUSTER),
  row('storage.k8s.io/v1', 'csistoragecapacities', 'CSIStorageCapacity'),
  ATTACHMENTS,
  row('resource.k8s.io/v1', 'resourceclaims', 'ResourceClaim', STATUS),
  row('resource.k8s.io/v1', 'resourceclaimtemplates', 'ResourceClaimTemplate'),
  row('resource.k8s.io/v1', 'resourceslices', 'ResourceSlice', CLUSTER),
  row('resource.k8s.io/v1', 'deviceclasses', 'DeviceClass', CLUSTER),
  CLUSTER_ROLES,
  CLUSTER_ROLE_BINDINGS,
  ROLES,
  ROLE_BINDINGS,
  row('autoscaling.x-k8s.io/v1', 'provisioningrequests', 'ProvisioningRequest', {
    ...STATUS,
    shortNames: ['provreq'],
    custom: true,
  }),
  row('autoscaling.x-k8s.io/v1beta1', 'capacitybuffers', 'CapacityBuffer', {
    ...STATUS,
    shortNames: ['cb'],
    custom: true,
  }),
  row('autoscaling.x-k8s.io/v1beta1', 'capacityquotas', 'CapacityQuota', {
    ...CLUSTER,
    ...STATUS,
    shortNames: ['cq'],
    custom: true,
  }),
];
