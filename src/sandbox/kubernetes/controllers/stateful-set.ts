import { CLAIMS, PODS, STATEFUL_SETS } from '../objects/kinds.js';
import { draftOf } from '../objects/object.js';
import type { Pod, ReplicatedWorkload } from '../objects/types.js';
import type { Registry } from '../registry/registry.js';
import type { OwnerIndex } from './owner-index.js';
import { ownersOf } from './owner-index.js';
import { createPod, deletePod, isActive, isFinished, isReady, podFromTemplate } from './pods.js';
import { Reconciler, refOf } from './reconciler.js';

/** Numbered pods, made one after another and taken away from the end, or all at once (`Parallel`). */
export function statefulSetController(registry: Registry, index: OwnerIndex): Reconciler {
  return new Reconciler(registry, (ref) => {
    const set = registry.store.get(STATEFUL_SETS, ref.namespace, ref.name);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
    settle(registry, set, index.controlledBy(set, PODS));
    writeStatus(registry, set, index.controlledBy(set, PODS));
  })
    .watchOwn(STATEFUL_SETS)
    .watch(PODS, (event) => ownersOf(event, 'StatefulSet'));
}

function settle(registry: Registry, set: ReplicatedWorkload, pods: readonly Pod[]): void {
  const replicas = set.spec.replicas ?? 1;
  const parallel = set.spec.podManagementPolicy === 'Parallel';
  const byName = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  for (let ordinal = 0; ordinal < replicas; ordinal++) {
    const pod = byName.get(`${set.metadata.name}-${ordinal}`);
    if (pod === undefined) createNumbered(registry, set, ordinal);
    else if (isFinished(pod)) deletePod(registry, pod);
    const healthy = pod !== undefined && isActive(pod) && isReady(pod);
    if (!healthy && !parallel) return;
  }
  const surplus = pods.filter((pod) => ordinalOf(pod) >= replicas);
  surplus.sort((left, right) => ordinalOf(right) - ordinalOf(left));
  for (const pod of parallel ? surplus : surplus.slice(0, 1)) {
    if (pod.metadata.deletionTimestamp === undefined) deletePod(registry, pod);
  }
}

function ordinalOf(pod: Pod): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? -1);
}

function createNumbered(registry: Registry, set: ReplicatedWorkload, ordinal: number): void {
  const name = `${set.metadata.name}-${ordinal}`;
  const pod = podFromTemplate(set, set.spec.template);
  pod.metadata!.name = name;
  pod.metadata!.labels = {
    ...pod.metadata!.labels,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': ordinal.toString(),
  };
  createClaims(registry, set, pod, ordinal);
  createPod(registry, set, pod);
}

/** Claims stay when the pod goes, and serve its successor. */
function createClaims(
  registry: Registry,
  set: ReplicatedWorkload,
  pod: ReturnType<typeof podFromTemplate>,
  ordinal: number,
): void {
  const { namespace = '' } = set.metadata;
  for (const { metadata, spec } of set.spec.volumeClaimTemplates ?? []) {
    const volume = metadata?.name ?? '';
    const name = `${volume}-${set.metadata.name}-${ordinal}`;
    if (registry.store.get(CLAIMS, namespace, name) === undefined) {
      const labels = { ...metadata?.labels, ...set.spec.selector?.matchLabels };
      registry.create(CLAIMS, { metadata: { name, labels }, spec: draftOf(spec) }, namespace);
    }
    const others = (pod.spec.volumes ?? []).filter((other) => other.name !== volume);
    pod.spec.volumes = [...others, { name: volume, persistentVolumeClaim: { claimName: name } }];
  }
}

function writeStatus(registry: Registry, set: ReplicatedWorkload, pods: readonly Pod[]): void {
  const active = pods.filter(isActive);
  const ready = active.filter(isReady).length;
  registry.modifyStatus(STATEFUL_SETS, refOf(set), (draft) => {
    draft.status = {
      observedGeneration: set.metadata.generation ?? 1,
      replicas: active.length,
      currentReplicas: active.length,
      updatedReplicas: active.length,
      readyReplicas: ready,
      availableReplicas: ready,
    };
  });
}
