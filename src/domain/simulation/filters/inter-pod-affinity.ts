import type { TopologyRules } from '../topology/topology-rules.js';
import type { Filter } from './filter.js';
import { unreadableRules } from './unreadable-rules.js';

const PLUGIN = 'InterPodAffinity';
const AFFINITY = [{ rule: PLUGIN, text: "node(s) didn't match pod affinity rules" }];
const ANTI_AFFINITY = [{ rule: PLUGIN, text: "node(s) didn't match pod anti-affinity rules" }];
const REPELLED = [{ rule: PLUGIN, text: "node(s) didn't satisfy existing pods anti-affinity rules" }];

/** Pods that the pod wants near or far, and pods that want it far (`scheduling` 3.11). */
export const interPodAffinity: Filter = {
  plugin: PLUGIN,
  reads: 'cluster',
  preFilter: (demand) => unreadableRules(demand, PLUGIN),
  concerns: ({ rules }) => rules !== null,
  accepts: ({ rules }, _, row) =>
    rules === null || (isDrawn(rules, row) && !avoids(rules, row) && !isRepelled(rules, row)),
  explain: ({ rules }, _, row) => {
    if (rules === null) return [];
    if (!isDrawn(rules, row)) return AFFINITY;
    return avoids(rules, row) ? ANTI_AFFINITY : REPELLED;
  },
};

/** All that it wants near is there; or nothing of the kind is anywhere, and the pod is the first itself. */
function isDrawn({ affinity }: TopologyRules, row: number): boolean {
  if (affinity === null) return true;
  const { tallies, matchesItself } = affinity;
  let isFirst = matchesItself;
  let isNear = true;
  for (const tally of tallies) {
    if (!tally.covers(row)) return false;
    if (tally.countAt(row) === 0) isNear = false;
    if (tally.total > 0) isFirst = false;
  }
  return isNear || isFirst;
}

function avoids({ antiAffinity }: TopologyRules, row: number): boolean {
  for (const { tally } of antiAffinity) if (tally.countAt(row) > 0) return true;
  return false;
}

function isRepelled({ repelledBy }: TopologyRules, row: number): boolean {
  for (const tally of repelledBy) if (tally.countAt(row) > 0) return true;
  return false;
}
