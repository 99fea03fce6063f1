import type { Demand } from '../demand.js';
import type { PreFilterResult } from './filter.js';

/** What a plugin says of a pod's claims before any node is looked at. */
export function claimRejection(plugin: string, { volumes }: Demand): PreFilterResult {
  const problem = volumes?.volumes.needs.problem;
  if (problem?.plugin !== plugin) return null;
  return { kind: 'rejected', reason: { rule: plugin, text: problem.text } };
}
