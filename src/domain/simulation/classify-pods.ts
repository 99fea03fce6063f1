import type { PendingClass } from '../estimation/estimate.js';
import type { Labels } from '../kubernetes/labels.js';
import type { Pod, PodShape } from '../kubernetes/pod.js';
import { priorityOf } from '../kubernetes/pod-kinds.js';
import { podSchedulingKey } from './scheduling-key.js';
import { hasVolumesThatMatter } from './volumes/pod-volumes.js';
import { VolumeClasses } from './volumes/volume-classes.js';

export interface Classification {
  /** In the order in which their first pods came; `classId` is the index. Pods of a class keep their order. */
  readonly classes: readonly PendingClass[];
  /** `classId` of each pod, by its index in the input. */
  readonly classOf: Int32Array;
}

/**
 * Groups pods that are interchangeable for placing (`scheduling` 5.3): equal in all that filters read, and of one
 * priority and scheduler. Costs two look-ups per pod; the text of a shape is made once.
 *
 * @param relevantLabelKeys keys of pod labels that some rule between pods reads; other labels don't split classes. Null:
 *   there is no such rule, and namespaces don't split them either.
 * @param volumes what is known of storage; without it no claim exists
 */
export function classifyPods(
  pods: readonly Pod[],
  relevantLabelKeys: readonly string[] | null = null,
  volumes: VolumeClasses = new VolumeClasses(),
): Classification {
  const classes: (PendingClass & { readonly pods: Pod[] })[] = [];
  const byShape = new Map<PodShape, number>();
  const byNamespace = new Map<string, Map<PodShape, Map<Labels, number>>>();
  const byKey = new Map<string, number>();
  const classOf = new Int32Array(pods.length);

  const classByKey = (pod: Pod): number => {
    const key = JSON.stringify([classKey(pod, relevantLabelKeys), volumes.keyOf(pod)]);
    let classId = byKey.get(key);
    if (classId === undefined) {
      const need = volumes.needOf(pod);
      classId = classes.length;
      classes.push({ classId, pods: [], ...(need !== null && { volumes: need }) });
      byKey.set(key, classId);
    }
    return classId;
  };
  const shapesOf = (namespace: string): Map<PodShape, Map<Labels, number>> => {
    let shapes = byNamespace.get(namespace);
    if (shapes === undefined) {
      shapes = new Map<PodShape, Map<Labels, number>>();
      byNamespace.set(namespace, shapes);
    }
    return shapes;
  };
  const classByShape = (pod: Pod): number => {
    let classId = byShape.get(pod.shape);
    if (classId === undefined) {
      classId = classByKey(pod);
      byShape.set(pod.shape, classId);
    }
    return classId;
  };
  const classByLabels = (pod: Pod): number => {
    const { labels } = pod;
    const shapes = shapesOf(pod.namespace);
    let byLabels = shapes.get(pod.shape);
    if (byLabels === undefined) {
      byLabels = new Map<Labels, number>();
      shapes.set(pod.shape, byLabels);
    }
    let classId = byLabels.get(labels);
    if (classId === undefined) {
      classId = classByKey(pod);
      byLabels.set(labels, classId);
    }
    return classId;
  };

  const classOfTypical = relevantLabelKeys === null ? classByShape : classByLabels;
  pods.forEach((pod, index) => {
    const classId = isTypical(pod) ? classOfTypical(pod) : classByKey(pod);
    classOf[index] = classId;
    classes[classId]!.pods.push(pod);
  });
  return { classes, classOf };
}

/** Classes of higher priority first; the order among equals stays. */
export function highestPriorityFirst(classes: readonly PendingClass[]): PendingClass[] {
  const priority = ({ pods }: PendingClass): number => priorityOf(pods[0]!);
  return [...classes].sort((left, right) => priority(right) - priority(left));
}

/** Told apart from others by nothing but shape and labels. */
function isTypical(pod: Pod): boolean {
  const isPlaced = pod.pinnedNodeName !== '' || pod.nodeName !== '' || pod.charged !== null;
  return !isPlaced && !pod.shape.hasResourceClaims && !hasVolumesThatMatter(pod);
}

function classKey(pod: Pod, relevantLabelKeys: readonly string[] | null): string {
  return JSON.stringify([
    podSchedulingKey(pod),
    priorityOf(pod),
    pod.shape.schedulerName,
    pod.nodeName,
    pod.charged === null ? null : [...pod.charged].sort(([left], [right]) => (left < right ? -1 : 1)),
    relevantLabelKeys === null
      ? null
      : [pod.namespace, ...relevantLabelKeys.map((key) => pod.labels.get(key) ?? null)],
    pod.shape.hasResourceClaims ? pod.uid : null,
  ]);
}
