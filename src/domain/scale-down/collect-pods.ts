import type { Pod } from '../kubernetes/pod.js';
import { isDaemonSetPod } from '../kubernetes/pod-kinds.js';
import type { DrainContext } from './drainability/rule.js';
import { judgeDrainability } from './drainability/rules.js';
import type { BlockingPod } from './unremovable.js';
import { blockingPod } from './unremovable.js';

/** The pods of a node by what its removal means for them. Pods that are skipped are in none of the lists. */
export interface NodePods {
  readonly toMove: readonly Pod[];
  readonly daemonSet: readonly Pod[];
  readonly onCompletion: readonly Pod[];
}

export type Collection =
  | ({ readonly blocked: false } & NodePods)
  | { readonly blocked: true; readonly pod: Pod; readonly blocker: BlockingPod };

/** Sorts pods by the drainability rules, up to the first that blocks (`scale-down` 5.2). */
export function collectPods(pods: readonly Pod[], context: DrainContext): Collection {
  const toMove: Pod[] = [];
  const daemonSet: Pod[] = [];
  const onCompletion: Pod[] = [];
  for (const pod of pods) {
    const verdict = judgeDrainability(pod, context);
    if (verdict === undefined || verdict.kind === 'drain') {
      (isDaemonSetPod(pod) ? daemonSet : toMove).push(pod);
    } else if (verdict.kind === 'wait') {
      onCompletion.push(pod);
    } else if (verdict.kind === 'block') {
      return { blocked: true, pod, blocker: blockingPod(pod, verdict.reason, verdict.details) };
    }
  }
  return { blocked: false, toMove, daemonSet, onCompletion };
}
