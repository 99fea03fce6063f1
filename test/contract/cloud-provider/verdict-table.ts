import type { ContractRule, RuleId } from './contract-rule.js';
import { CONTRACT_RULES, CONTRACT_VERSION } from './rules/index.js';
import type { Verdict } from './verdict.js';

/** Rules against verdicts, for people to read: what is published with a provider. */
export function verdictTable(name: string, verdicts: ReadonlyMap<RuleId, Verdict>): string {
  const rows = CONTRACT_RULES.map((rule) => row(rule, verdicts.get(rule.id)));
  return [`${name}: provider contract ${CONTRACT_VERSION}`, ...rows, summary(verdicts)].join('\n');
}

function row(rule: ContractRule, verdict: Verdict | undefined): string {
  const columns = [
    rule.id.padEnd(4),
    rule.mandatory ? 'mandatory' : '         ',
    (verdict?.kind ?? 'not run').padEnd(15),
  ];
  const text = verdict !== undefined && 'reason' in verdict ? verdict.reason : rule.sentence;
  return `  ${columns.join(' ')} ${text}`;
}

function summary(verdicts: ReadonlyMap<RuleId, Verdict>): string {
  const counts = new Map<string, number>();
  for (const { kind } of verdicts.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return `  ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')}`;
}
