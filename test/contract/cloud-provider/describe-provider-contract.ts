import type { CloudCapabilities } from './capabilities.js';
import type { MakeCloudProviderSubject } from './cloud-provider-subject.js';
import type { RuleId } from './contract-rule.js';
import { CONTRACT_VERSION, RULE_GROUPS } from './rules/index.js';
import { verdictTable } from './verdict-table.js';
import { inapplicable, judge } from './verdict.js';
import type { Verdict } from './verdict.js';

/**
 * The contract of the CloudProvider port (`provider-contract` 3), a test for each rule. Run it with an adapter on its
 * fake cloud; a table of the verdicts follows in the output.
 */
export function describeProviderContract(
  name: string,
  makeSubject: MakeCloudProviderSubject,
  capabilities: CloudCapabilities,
): void {
  describe(`provider contract ${CONTRACT_VERSION}: ${name}`, () => {
    const verdicts = new Map<RuleId, Verdict>();
    afterAll(() => {
      process.stdout.write(`\n${verdictTable(name, verdicts)}\n`);
    });

    for (const { title, rules } of RULE_GROUPS) {
      describe(title, () => {
        for (const rule of rules) {
          const reason = inapplicable(rule, capabilities);
          const suffix = reason === null ? '' : ` (not applicable: ${reason})`;
          it(`${rule.id} ${rule.sentence}${suffix}`, async () => {
            const verdict = await judge(rule, makeSubject, capabilities);
            verdicts.set(rule.id, verdict);
            if (verdict.kind === 'fail') throw verdict.error;
            if (verdict.kind !== 'pass') expect(verdict.reason).toMatch(/\S \S/);
          });
        }
      });
    }
  });
}
