import type { PendingClass } from '../estimation/estimate.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import type { Reason } from '../reason.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { Rejection } from '../simulation/verdict.js';

/**
 * For each class, in order: null where a fresh node of the group would take its first pod, else why not (`scale-up`
 * 5.4). The whole cluster is in the picture, so affinity and spread see the real pods.
 */
export function matchClasses(
  snapshot: ClusterSnapshot,
  template: NodeTemplate,
  classes: readonly PendingClass[],
): readonly (readonly Reason[] | null)[] {
  snapshot.fork();
  try {
    snapshot.addNode(template.node, template.pods);
    return classes.map(({ pods }) => {
      const verdict = snapshot.check(pods[0]!, template.node.name);
      return verdict.fit ? null : reasonsOf(verdict);
    });
  } finally {
    snapshot.revert();
  }
}

/** A rejection without reasons is named by its plugin. */
export function reasonsOf(rejection: Rejection): readonly Reason[] {
  if (rejection.reasons.length > 0) return rejection.reasons;
  return [{ rule: rejection.plugin, text: rejection.message ?? rejection.plugin }];
}
