import { forbidden } from '../objects/api-error.js';
import { PODS, RUNTIME_CLASSES } from '../objects/kinds.js';
import { draftOf, isRecord } from '../objects/object.js';
import type { Draft } from '../objects/object.js';
import type { Container, Pod, PodSpec, PriorityClass, Toleration } from '../objects/types.js';
import type { ObjectStore } from '../store/object-store.js';
import { mergeMatchLabelKeys } from './match-label-keys.js';

/** Grace that admission grants to pods on a node that falls ill: upstream default 300 s. */
const DEFAULT_TOLERATION_SECONDS = 300;

/** What defaulting and admission do to every new pod. */
export function applyPodDefaults(pod: Draft<Pod>, priorities: readonly PriorityClass[]): void {
  const spec = pod.spec;
  spec.restartPolicy ??= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ??= 'default-scheduler';
  spec['dnsPolicy'] ??= 'ClusterFirst';
  spec['serviceAccountName'] ??= 'default';
  spec['securityContext'] ??= {};
  for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
    applyContainerDefaults(container, spec.hostNetwork === true);
  }
  addToleration(spec, 'node.kubernetes.io/not-ready');
  addToleration(spec, 'node.kubernetes.io/unreachable');
  resolvePriority(spec, priorities, pod.metadata.name);
  mergeMatchLabelKeys(pod);
  pod['status'] = { phase: 'Pending', qosClass: qosClassOf(spec) };
}

/** What the class of the pod's runtime adds: overhead, and the nodes that have it. Throws a 403 for an unknown one. */
export function applyRuntimeClass(pod: Draft<Pod>, store: ObjectStore): void {
  const { spec } = pod;
  const name = spec.runtimeClassName ?? '';
  if (name === '') return;
  const found = store.get(RUNTIME_CLASSES, undefined, name);
  if (found === undefined) {
    const why = `pod rejected: RuntimeClass "${name}" not found`;
    throw forbidden(PODS, pod.metadata.name, why);
  }
  const { overhead, scheduling } = found;
  if (overhead?.podFixed !== undefined) spec.overhead = { ...overhead.podFixed };
  if (scheduling?.nodeSelector !== undefined) {
    spec.nodeSelector = { ...spec.nodeSelector, ...scheduling.nodeSelector };
  }
  if (scheduling?.tolerations !== undefined) {
    spec.tolerations = [...(spec.tolerations ?? []), ...draftOf(scheduling.tolerations)];
  }
}

function applyContainerDefaults(container: Draft<Container>, hostNetwork: boolean): void {
  container.resources ??= {};
  const { resources } = container;
  if (resources.limits !== undefined) resources.requests = { ...resources.limits, ...resources.requests };
  for (const port of container.ports ?? []) {
    port.protocol ??= 'TCP';
    if (hostNetwork && port.containerPort !== undefined) port.hostPort ??= port.containerPort;
  }
}

function addToleration(spec: Draft<PodSpec>, key: string): void {
  const tolerations: readonly Toleration[] = spec.tolerations ?? [];
  const known = tolerations.some((toleration) => {
    const { key: own = '', effect = '' } = toleration;
    return (own === '' || own === key) && (effect === '' || effect === 'NoExecute');
  });
  if (known) return;
  spec.tolerations = [
    ...tolerations,
    { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: DEFAULT_TOLERATION_SECONDS },
  ];
}

const SYSTEM_PRIORITIES = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

function resolvePriority(spec: Draft<PodSpec>, classes: readonly PriorityClass[], podName: string): void {
  const name = spec.priorityClassName ?? '';
  const found =
    name === ''
      ? classes.find((candidate) => candidate.globalDefault === true)
      : classes.find((candidate) => candidate.metadata.name === name);
  if (name !== '' && found === undefined && !SYSTEM_PRIORITIES.has(name)) {
    throw forbidden(PODS, podName, `no PriorityClass with name ${name} was found`);
  }
  if (found !== undefined) spec.priorityClassName = found.metadata.name;
  spec.priority ??= found?.value ?? SYSTEM_PRIORITIES.get(name) ?? 0;
  spec.preemptionPolicy ??= found?.preemptionPolicy ?? 'PreemptLowerPriority';
}

function qosClassOf(spec: PodSpec): string {
  const resources = spec.containers.map((container) => container.resources ?? {});
  const asks = (list: unknown): boolean => isRecord(list) && ('cpu' in list || 'memory' in list);
  if (!resources.some(({ requests, limits }) => asks(requests) || asks(limits))) return 'BestEffort';
  const guaranteed = resources.every(
    ({ requests, limits }) =>
      limits?.['cpu'] !== undefined &&
      limits['memory'] !== undefined &&
      requests?.['cpu'] === limits['cpu'] &&
      requests['memory'] === limits['memory'],
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
