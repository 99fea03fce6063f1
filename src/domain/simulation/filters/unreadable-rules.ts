import type { Demand } from '../demand.js';
import type { UnreadableRules } from '../topology/topology-rules.js';
import type { PreFilterResult } from './filter.js';

/** A selector that can't be read rejects the pod before any node is looked at (`scheduling` 0.2/5, 3.11). */
export function unreadableRules({ rules }: Demand, plugin: UnreadableRules['plugin']): PreFilterResult {
  const unreadable = rules?.unreadable ?? null;
  if (unreadable?.plugin !== plugin) return null;
  return { kind: 'rejected', reason: { rule: plugin, text: unreadable.text } };
}
