import { sameJson } from '../objects/json.js';
import { badRequest } from '../objects/api-error.js';
import type { StatusCause } from '../objects/api-error.js';
import type { Kind } from '../objects/kind.js';
import {
  CLAIMS,
  DAEMON_SETS,
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  JOBS,
  NAMESPACES,
  NODES,
  PODS,
  PRIORITY_CLASSES,
  REPLICA_SETS,
  REPLICATION_CONTROLLERS,
  STATEFUL_SETS,
  STORAGE_CLASSES,
  VOLUMES,
} from '../objects/kinds.js';
import { isRecord } from '../objects/object.js';
import type { Draft, KubeObject } from '../objects/object.js';
import type {
  DisruptionBudget,
  Job,
  Node,
  Pod,
  ReplicatedWorkload,
  StorageClass,
  VolumeClaim,
} from '../objects/types.js';
import type { ObjectStore } from '../store/object-store.js';
import { applyPodDefaults, applyRuntimeClass } from './pod-defaults.js';

/** Where a kind differs from the rest; absent parts do nothing. */
interface Strategy {
  /** Defaults of a new object, and what admission adds. */
  readonly prepareCreate?: (draft: Draft<KubeObject>, store: ObjectStore) => void;
  /** Faults of a new or changed object, as causes of a 422. */
  readonly validate?: (object: KubeObject, before: KubeObject | null) => StatusCause[];
  /** A new object keeps the status that its creator wrote: a kubelet registers so. */
  readonly keepsStatus?: boolean;
}

function required(field: string, message = 'Required value'): StatusCause {
  return { reason: 'FieldValueRequired', field, message };
}

const podStrategy: Strategy = {
  prepareCreate: (draft, store) => {
    const pod = draft as Draft<Pod>;
    applyRuntimeClass(pod, store);
    applyPodDefaults(pod, store.list(PRIORITY_CLASSES));
  },
  validate: (object, before) => {
    const pod = object as Pod;
    if (before !== null && !sameJson(fixedSpecOf(pod), fixedSpecOf(before as Pod))) {
      const message =
        'Forbidden: pod updates may not change fields other than `spec.containers[*].image`,' +
        '`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to ' +
        'existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was ' +
        'previously negative)';
      return [{ reason: 'FieldValueForbidden', field: 'spec', message }];
    }
    return [];
  },
};

function fixedSpecOf(pod: Pod): Record<string, unknown> {
  const free = ['tolerations', 'activeDeadlineSeconds', 'schedulingGates', 'terminationGracePeriodSeconds'];
  const spec = Object.fromEntries(Object.entries(pod.spec).filter(([field]) => !free.includes(field)));
  const withoutImage = (list: Pod['spec']['containers'] | undefined): unknown =>
    list?.map(({ image: _image, ...rest }) => rest);
  return {
    ...spec,
    containers: withoutImage(pod.spec.containers),
    initContainers: withoutImage(pod.spec.initContainers),
  };
}

const nodeStrategy: Strategy = {
  keepsStatus: true,
  prepareCreate: (draft) => {
    (draft as Draft<Node>).spec ??= {};
  },
  validate: (object) => {
    const seen = new Set<string>();
    const causes: StatusCause[] = [];
    for (const [index, taint] of ((object as Node).spec?.taints ?? []).entries()) {
      const id = `${taint.key}:${taint.effect}`;
      const field = `metadata.taints[${index}]`;
      if (seen.has(id))
        causes.push({ reason: 'FieldValueDuplicate', field, message: `Duplicate value: "${id}"` });
      if (!['NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(taint.effect)) {
        const message = `Unsupported value: "${taint.effect}"`;
        causes.push({ reason: 'FieldValueNotSupported', field: `${field}.effect`, message });
      }
      seen.add(id);
    }
    return causes;
  },
};

const workloadStrategy: Strategy = {
  prepareCreate: (draft) => {
    const { spec } = draft as Draft<ReplicatedWorkload>;
    spec.replicas ??= 1;
    spec.selector ??= { matchLabels: { ...spec.template.metadata?.labels } };
  },
  validate: (object) => (object['spec'] === undefined ? [required('spec')] : selectorFaults(object)),
};

const claimStrategy: Strategy = {
  prepareCreate: (draft, store) => {
    const { spec } = draft as Draft<VolumeClaim>;
    const isDefault = ({ metadata }: StorageClass): boolean =>
      metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true';
    const otherwise = store.list(STORAGE_CLASSES).find(isDefault)?.metadata.name;
    if (otherwise !== undefined) spec.storageClassName ??= otherwise;
    spec.volumeMode ??= 'Filesystem';
    draft['status'] = { phase: 'Pending' };
  },
};

const volumeStrategy: Strategy = {
  prepareCreate: (draft) => {
    draft['status'] = { phase: 'Available' };
  },
};

const storageClassStrategy: Strategy = {
  prepareCreate: (draft) => {
    draft['reclaimPolicy'] ??= 'Delete';
    draft['volumeBindingMode'] ??= 'Immediate';
  },
};

const deploymentStrategy: Strategy = {
  ...workloadStrategy,
  prepareCreate: (draft, store) => {
    workloadStrategy.prepareCreate?.(draft, store);
    const { spec } = draft as Draft<ReplicatedWorkload>;
    const strategy = (spec.strategy ??= {});
    strategy.type ??= 'RollingUpdate';
    if (strategy.type === 'RollingUpdate') {
      strategy.rollingUpdate = { maxUnavailable: '25%', maxSurge: '25%', ...strategy.rollingUpdate };
    }
    spec['revisionHistoryLimit'] ??= 10;
    spec['progressDeadlineSeconds'] ??= 600;
  },
};

const daemonSetStrategy: Strategy = {
  prepareCreate: (draft) => {
    const spec = (draft as Draft<ReplicatedWorkload>).spec as Record<string, unknown>;
    spec['updateStrategy'] ??= { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } };
  },
  validate: selectorFaults,
};

function selectorFaults(object: KubeObject): StatusCause[] {
  const { spec } = object as ReplicatedWorkload;
  const labels = spec.template.metadata?.labels ?? {};
  const selected = Object.entries(spec.selector?.matchLabels ?? {});
  if (selected.every(([key, value]) => labels[key] === value)) return [];
  const message = `Invalid value: ${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``;
  return [{ reason: 'FieldValueInvalid', field: 'spec.template.metadata.labels', message }];
}

const jobStrategy: Strategy = {
  prepareCreate: (draft) => {
    const { metadata, spec } = draft as Draft<Job>;
    spec.parallelism ??= 1;
    if (spec.completions === undefined && spec.parallelism === 1) spec.completions = 1;
    spec.backoffLimit ??= 6;
    const own = {
      'batch.kubernetes.io/controller-uid': metadata.uid,
      'batch.kubernetes.io/job-name': metadata.name,
      'controller-uid': metadata.uid,
      'job-name': metadata.name,
    };
    spec.selector ??= { matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid } };
    const template = spec.template;
    template.metadata = { ...template.metadata, labels: { ...template.metadata?.labels, ...own } };
  },
};

const disruptionBudgetStrategy: Strategy = {
  validate: (object) => {
    const { spec } = object as DisruptionBudget;
    if (spec.minAvailable === undefined || spec.maxUnavailable === undefined) return [];
    const message = 'Invalid value: minAvailable and maxUnavailable cannot be both set';
    return [{ reason: 'FieldValueInvalid', field: 'spec', message }];
  },
};

const namespaceStrategy: Strategy = {
  prepareCreate: (draft) => {
    draft['spec'] = { finalizers: ['kubernetes'] };
    draft['status'] = { phase: 'Active' };
    draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': draft.metadata.name };
  },
};

const strategies = new Map<Kind, Strategy>([
  [PODS, podStrategy],
  [NODES, nodeStrategy],
  [NAMESPACES, namespaceStrategy],
  [DEPLOYMENTS, deploymentStrategy],
  [REPLICA_SETS, workloadStrategy],
  [STATEFUL_SETS, workloadStrategy],
  [REPLICATION_CONTROLLERS, workloadStrategy],
  [DAEMON_SETS, daemonSetStrategy],
  [JOBS, jobStrategy],
  [DISRUPTION_BUDGETS, disruptionBudgetStrategy],
  [CLAIMS, claimStrategy],
  [VOLUMES, volumeStrategy],
  [STORAGE_CLASSES, storageClassStrategy],
]);

const PLAIN: Strategy = {};

export function strategyOf(kind: Kind): Strategy {
  return strategies.get(kind) ?? PLAIN;
}

/** Kinds whose spec must be there before a strategy may look at it. */
export function missingParts(kind: Kind, object: KubeObject): StatusCause[] {
  const spec = object['spec'];
  if (kind === PODS) return containerFaults(spec, 'spec');
  if (![DEPLOYMENTS, REPLICA_SETS, STATEFUL_SETS, DAEMON_SETS, JOBS].some((other) => other === kind)) {
    const needsSpec = [DISRUPTION_BUDGETS, CLAIMS, VOLUMES].some((other) => other === kind);
    return needsSpec && !isRecord(spec) ? [required('spec')] : [];
  }
  const template = isRecord(spec) ? spec['template'] : undefined;
  return containerFaults(isRecord(template) ? template['spec'] : undefined, 'spec.template.spec');
}

function containerFaults(spec: unknown, path: string): StatusCause[] {
  const containers = isRecord(spec) ? spec['containers'] : undefined;
  checkQuantities(containers);
  return Array.isArray(containers) && containers.length > 0 ? [] : [required(`${path}.containers`)];
}

const QUANTITY = /^[+-]?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** What can't be read as a quantity does not get past the decoder. */
function checkQuantities(containers: unknown): void {
  for (const container of Array.isArray(containers) ? (containers as unknown[]) : []) {
    const resources = isRecord(container) ? container['resources'] : undefined;
    for (const list of isRecord(resources) ? Object.values(resources) : []) {
      for (const amount of isRecord(list) ? Object.values(list) : []) {
        if (typeof amount === 'number' || (typeof amount === 'string' && QUANTITY.test(amount))) continue;
        const expression = "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
        throw badRequest(`quantities must match the regular expression ${expression}`);
      }
    }
  }
}
