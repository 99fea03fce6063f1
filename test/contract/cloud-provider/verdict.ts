import type { CloudCapabilities } from './capabilities.js';
import type { MakeCloudProviderSubject } from './cloud-provider-subject.js';
import type { ContractRule } from './contract-rule.js';
import { RuleBroken, runRule } from './run-rule.js';

/** What came of one rule for one adapter. */
export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'fail'; readonly error: unknown }
  /** The cloud has no such thing. */
  | { readonly kind: 'not applicable'; readonly reason: string }
  /** Declared as not kept yet, and so it is. */
  | { readonly kind: 'known gap'; readonly reason: string };

/** Why a rule does not apply to a cloud, or null. */
export function inapplicable(rule: ContractRule, { lacks }: CloudCapabilities): string | null {
  const missing = rule.needs?.find((capability) => lacks[capability] !== undefined);
  return missing === undefined ? null : (lacks[missing] ?? null);
}

/** Never rejects. */
export async function judge(
  rule: ContractRule,
  makeSubject: MakeCloudProviderSubject,
  capabilities: CloudCapabilities,
): Promise<Verdict> {
  const reason = inapplicable(rule, capabilities);
  if (reason !== null) return { kind: 'not applicable', reason };
  const gap = capabilities.knownGaps[rule.id];
  try {
    await runRule(rule, makeSubject, capabilities);
  } catch (error) {
    // A gap of one rule hides no other that is looked after as well.
    const isTheGap = gap !== undefined && error instanceof RuleBroken && error.ruleId === rule.id;
    return isTheGap ? { kind: 'known gap', reason: gap } : { kind: 'fail', error };
  }
  if (gap === undefined) return { kind: 'pass' };
  const message = `it holds now: take ${rule.id} off the known gaps ("${gap}")`;
  return { kind: 'fail', error: new RuleBroken(rule.id, rule.sentence, message) };
}
