import type { PendingClass } from '../estimation/estimate.js';
import type { NodeTemplate } from '../node-group/node-group.js';
import type { Reason } from '../reason.js';
import type { ClusterSnapshot } from '../simulation/cluster-snapshot.js';
import type { DomainTally } from '../simulation/topology/domain-tally.js';
import type { Rejection, Verdict } from '../simulation/verdict.js';

/**
 * For each class, in order: null where a fresh node of the group would take its first pod, else why not (`scale-up`
 * 5.4). The whole cluster is in the picture, so affinity and spread see the real pods.
 *
 * differs from upstream: a class whose pods only wait for pods of another class that the group takes is not turned
 * away: a chain of such classes grows in one iteration, not one link in each (`scheduling` 5.8).
 */
export function matchClasses(
  snapshot: ClusterSnapshot,
  template: NodeTemplate,
  classes: readonly PendingClass[],
): readonly (readonly Reason[] | null)[] {
  snapshot.fork();
  try {
    snapshot.addNode(template.node, template.pods);
    const verdicts = classes.map(({ pods }) => snapshot.check(pods[0]!, template.node.name));
    const awaited = classesThatOnlyWait(snapshot, template.node.name, classes, verdicts);
    return verdicts.map((verdict, index) => (verdict.fit || awaited.has(index) ? null : reasonsOf(verdict)));
  } finally {
    snapshot.revert();
  }
}

/** A rejection without reasons is named by its plugin. */
export function reasonsOf(rejection: Rejection): readonly Reason[] {
  if (rejection.reasons.length > 0) return rejection.reasons;
  return [{ rule: rejection.plugin, text: rejection.message ?? rejection.plugin }];
}

/** Indices of classes that fit but for affinity to pods of classes that fit, or that wait for such in turn. */
function classesThatOnlyWait(
  snapshot: ClusterSnapshot,
  nodeName: string,
  classes: readonly PendingClass[],
  verdicts: readonly Verdict[],
): ReadonlySet<number> {
  const exemplars = classes.map(({ pods }) => pods[0]!);
  const found = new Set<number>();
  const waiting = exemplars.flatMap((pod, index) => {
    const verdict = verdicts[index]!;
    const isDrawn = pod.shape.podAffinity.length > 0 && !verdict.fit && verdict.plugin === 'InterPodAffinity';
    return isDrawn && snapshot.checkAlone(pod, nodeName).fit ? [index] : [];
  });
  const picture = waiting.length === 0 ? null : snapshot.topologyFrom(nodeName, exemplars);
  if (picture === null) return found;
  const { rules, raised } = picture;
  const comes = new Set<DomainTally>();
  const fits = (index: number): void => raised[index]!.forEach((tally) => comes.add(tally));
  verdicts.forEach(({ fit }, index) => (fit ? fits(index) : undefined));
  // Each round finds one link of a chain at least.
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const index of waiting) {
      if (found.has(index) || rules[index]?.affinity?.tallies.every((tally) => comes.has(tally)) !== true)
        continue;
      found.add(index);
      fits(index);
    }
  }
  return found;
}
