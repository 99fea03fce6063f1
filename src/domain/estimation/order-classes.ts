import { CPU, MEMORY } from '../kubernetes/resources.js';
import type { Resources } from '../kubernetes/resources.js';
import type { PendingClass } from './estimate.js';

/** Indexes of the classes, those whose pods take the largest share of a node first; stable (`scale-up` 6.1). */
export function largestFirst(classes: readonly PendingClass[], allocatable: Resources): number[] {
  const scores = classes.map(({ pods }) => scoreOf(pods[0]?.shape.requests, allocatable));
  return classes.map((_, index) => index).sort((left, right) => scores[right]! - scores[left]!);
}

function scoreOf(requests: Resources | undefined, allocatable: Resources): number {
  return shareOf(CPU, requests, allocatable) + shareOf(MEMORY, requests, allocatable);
}

/** A resource that the node lacks contributes nothing. */
function shareOf(name: string, requests: Resources | undefined, allocatable: Resources): number {
  const total = allocatable.get(name) ?? 0;
  return total === 0 ? 0 : (requests?.get(name) ?? 0) / total;
}
