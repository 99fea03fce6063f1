import { DAEMON_SETS, NODES, PODS } from '../objects/kinds.js';
import { requirementMatches, selectorMatches } from '../objects/selector.js';
import { toleratesAll } from '../objects/toleration.js';
import type { DaemonSet, Node, NodeSelectorTerm, Pod, PodSpec, Toleration } from '../objects/types.js';
import type { Registry } from '../registry/registry.js';
import type { StoreEvent } from '../store/collection.js';
import type { OwnerIndex } from './owner-index.js';
import { ownersOf } from './owner-index.js';
import { createPod, deletePod, isActive, isFinished, isReady, podFromTemplate } from './pods.js';
import { Reconciler, refOf } from './reconciler.js';
import { templateHash } from './template-hash.js';

const HASH_LABEL = 'controller-revision-hash';

/** What every daemon endures; upstream adds the same. */
const DAEMON_TOLERATIONS: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** One pod on every node that it may run on. The scheduler binds it; an affinity names its node. */
export function daemonSetController(registry: Registry, index: OwnerIndex): Reconciler {
  return new Reconciler(registry, (ref) => {
    const daemon = registry.store.get(DAEMON_SETS, ref.namespace, ref.name);
    if (daemon === undefined || daemon.metadata.deletionTimestamp !== undefined) return;
    const nodes = registry.store.list(NODES);
    const wanted = new Set(nodes.filter((node) => mayRun(daemon, node)).map((node) => node.metadata.name));
    settle(registry, daemon, index.controlledBy(daemon, PODS), wanted, new Map(nodes.map(byName)));
    writeStatus(registry, daemon, index.controlledBy(daemon, PODS), wanted.size);
  })
    .watchOwn(DAEMON_SETS)
    .watch(PODS, (event) => ownersOf(event, 'DaemonSet'))
    .watch(NODES, (event) => (matters(event) ? registry.store.list(DAEMON_SETS).map(refOf) : []));
}

function byName(node: Node): [string, Node] {
  return [node.metadata.name, node];
}

/** Statuses change often, and say nothing to a daemon. */
function matters({ type, current, previous }: StoreEvent<Node>): boolean {
  return (
    type !== 'MODIFIED' ||
    JSON.stringify(current.object.spec) !== JSON.stringify(previous?.object.spec) ||
    JSON.stringify(current.object.metadata.labels) !== JSON.stringify(previous?.object.metadata.labels)
  );
}

function tolerationsOf({ spec }: DaemonSet): Toleration[] {
  const own = spec.template.spec.tolerations ?? [];
  const network: Toleration[] =
    spec.template.spec.hostNetwork === true
      ? [{ key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' }]
      : [];
  return [...own, ...DAEMON_TOLERATIONS, ...network];
}

function mayRun(daemon: DaemonSet, node: Node): boolean {
  const blocking = (node.spec?.taints ?? []).filter((taint) => taint.effect !== 'PreferNoSchedule');
  return matchesNode(daemon.spec.template.spec, node) && toleratesAll(tolerationsOf(daemon), blocking);
}

function matchesNode(spec: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels;
  const fixed = spec.nodeName ?? '';
  if (fixed !== '' && fixed !== node.metadata.name) return false;
  if (!selectorMatches({ matchLabels: spec.nodeSelector ?? {} }, labels)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => termMatches(term, node));
}

function termMatches({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = { 'metadata.name': node.metadata.name };
  return (
    matchExpressions.every((requirement) => requirementMatches(requirement, node.metadata.labels)) &&
    matchFields.every((requirement) => requirementMatches(requirement, fields))
  );
}

/** The node that a daemon pod is for. */
function nodeOf(pod: Pod): string {
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return pod.spec.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0] ?? '';
}

function settle(
  registry: Registry,
  daemon: DaemonSet,
  pods: readonly Pod[],
  wanted: ReadonlySet<string>,
  nodes: ReadonlyMap<string, Node>,
): void {
  const covered = new Set<string>();
  const hash = templateHash(daemon.spec.template);
  let replaceable = pods.every((pod) => isActive(pod) && isReady(pod)) ? 1 : 0;
  for (const pod of pods) {
    const nodeName = nodeOf(pod);
    const unwanted = !wanted.has(nodeName) && !mayStay(daemon, nodes.get(nodeName));
    const outdated = pod.metadata.labels?.[HASH_LABEL] !== hash && replaceable-- > 0;
    if (unwanted || covered.has(nodeName) || isFinished(pod) || outdated) deletePod(registry, pod);
    // A pod that goes still holds its place: its successor comes when it is gone.
    covered.add(nodeName);
  }
  for (const nodeName of wanted)
    if (!covered.has(nodeName)) createDaemonPod(registry, daemon, nodeName, hash);
}

/** A taint that only keeps new pods away drives no daemon off. */
function mayStay(daemon: DaemonSet, node: Node | undefined): boolean {
  if (node === undefined) return false;
  const driving = (node.spec?.taints ?? []).filter((taint) => taint.effect === 'NoExecute');
  return matchesNode(daemon.spec.template.spec, node) && toleratesAll(tolerationsOf(daemon), driving);
}

function createDaemonPod(registry: Registry, daemon: DaemonSet, nodeName: string, hash: string): void {
  const pod = podFromTemplate(daemon, daemon.spec.template);
  pod.metadata!.generateName = `${daemon.metadata.name}-`;
  pod.metadata!.labels = { ...pod.metadata!.labels, [HASH_LABEL]: hash, 'pod-template-generation': '1' };
  pod.spec.tolerations = tolerationsOf(daemon);
  pod.spec.affinity = {
    ...pod.spec.affinity,
    nodeAffinity: {
      ...pod.spec.affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }],
      },
    },
  };
  createPod(registry, daemon, pod);
}

function writeStatus(registry: Registry, daemon: DaemonSet, pods: readonly Pod[], desired: number): void {
  const active = pods.filter(isActive);
  const ready = active.filter(isReady).length;
  registry.modifyStatus(DAEMON_SETS, refOf(daemon), (draft) => {
    draft.status = {
      observedGeneration: daemon.metadata.generation ?? 1,
      desiredNumberScheduled: desired,
      currentNumberScheduled: active.length,
      updatedNumberScheduled: active.length,
      numberMisscheduled: 0,
      numberReady: ready,
      numberAvailable: ready,
      numberUnavailable: Math.max(0, desired - ready),
    };
  });
}
