import type { NodeObject, PodObject } from './api-objects.js';
import { effectiveRequest, InvalidAmount, roundedAllocatable } from './effective-request.js';

/** Whether a pod's amounts are quantities and not negative (`scheduling` 2.2): else it is no valid input. */
export function isReadablePod(pod: PodObject): boolean {
  return isValid(() => {
    effectiveRequest(pod, 'incoming');
    effectiveRequest(pod, 'existing');
  });
}

/** Whether a node's allocatable amounts are quantities. Negative ones are: nothing fits there. */
export function isReadableNode(node: NodeObject): boolean {
  return isValid(() => roundedAllocatable(node.status?.allocatable));
}

function isValid(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof InvalidAmount) return false;
    throw error;
  }
}
