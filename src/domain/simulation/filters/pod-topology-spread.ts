import type { Reason } from '../../reason.js';
import { NO_DOMAIN } from '../topology/domain-column.js';
import type { SpreadRule } from '../topology/topology-rules.js';
import type { Filter } from './filter.js';
import { unreadableRules } from './unreadable-rules.js';

const PLUGIN = 'PodTopologySpread';
const MISMATCH = "node(s) didn't match pod topology spread constraints";

/** With the pod, no domain may have so many more than the emptiest (`scheduling` 3.10). */
export const podTopologySpread: Filter = {
  plugin: PLUGIN,
  reads: 'cluster',
  preFilter: (demand) => unreadableRules(demand, PLUGIN),
  concerns: ({ pod }) => pod.shape.topologySpread.length > 0,
  accepts: ({ rules }, _, row) => firstViolated(rules?.spread, row) === undefined,
  explain: ({ rules }, _, row) => {
    const rule = firstViolated(rules?.spread, row);
    return rule === undefined ? [] : [violation(rule, row)];
  },
};

function firstViolated(rules: readonly SpreadRule[] | undefined, row: number): SpreadRule | undefined {
  if (rules === undefined) return undefined;
  for (const rule of rules) if (isViolated(rule, row)) return rule;
  return undefined;
}

function isViolated({ tally, maxSkew, minDomains, self }: SpreadRule, row: number): boolean {
  const domain = tally.column.at(row);
  if (domain === NO_DOMAIN) return true;
  const least = tally.census.size < minDomains ? 0 : tally.minimum;
  return tally.countIn(domain) + self - least > maxSkew;
}

function violation({ tally, maxSkew }: SpreadRule, row: number): Reason {
  const { topologyKey } = tally.column;
  if (tally.column.at(row) === NO_DOMAIN) {
    return { rule: PLUGIN, text: `${MISMATCH} (missing required label)`, subject: topologyKey };
  }
  return { rule: PLUGIN, text: MISMATCH, subject: topologyKey, limit: maxSkew };
}
