import type { CloudCapabilities } from './capabilities.js';
import type { Capability, ContractRule, RuleGroup } from './contract-rule.js';
import { CONTRACT_RULES, CONTRACT_VERSION, RULE_GROUPS } from './rules/index.js';
import { inapplicable } from './verdict.js';

const INTRODUCTION = `# The provider contract, ${CONTRACT_VERSION}

<!-- Written by test/contract/cloud-provider/contract-document.spec.ts from the rules themselves: change those, then
     run it with UPDATE_DOCS=1. -->

What every adapter of a cloud promises, one rule a promise. Each rule is a test; [\`test/contract/cloud-provider/rules\`](../test/contract/cloud-provider/rules) holds them, and [\`extending.md\`](extending.md) shows how to run them on a new adapter.

* **Mandatory** rules are those on which money or workloads depend. For each of them, and for all others that the example provider can break, there is a provider that breaks just this rule ([\`mutants\`](../test/example-provider/mutants)), and a test that the rule finds it out.
* **Real account** says that a rule needs no fault of a fake, and how many machines it has at one time at the most. That is what a run on a real account would cost; so far the kit runs on fakes, under virtual time.
* **Port** names the rules C1 to C12 in the comment of [\`CloudProvider\`](../src/application/ports/cloud-provider.ts) that it stands for.
* **Why** names the fault that it prevents. \`U…\` are faults that users of autoscalers have reported; \`hetzner B…\` and \`utho B…\` are defects of the Go providers for these clouds.

After each rule the kit looks by itself that no error but \`CloudError\` left the provider (E1), that nothing is left behind once the trouble is over (S1), that refreshes at rest write and change nothing (F2), and that no secret shows (E4).
`;

/** `docs/contract.md`: the rules, and what each provider declares of them. */
export function contractDocument(providers: readonly (readonly [string, CloudCapabilities])[]): string {
  const mandatory = CONTRACT_RULES.filter((rule) => rule.mandatory).length;
  return [
    INTRODUCTION,
    `There are ${CONTRACT_RULES.length} rules, ${mandatory} of them mandatory.`,
    '',
    ...RULE_GROUPS.flatMap(groupLines),
    '## What the providers declare',
    '',
    "A rule that a cloud can't keep does not apply there, and says why. A known gap is run and has to fail: when it holds, the test asks to take it off the list.",
    '',
    ...providers.flatMap(([name, capabilities]) => providerLines(name, capabilities)),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function groupLines({ title, rules }: RuleGroup): readonly string[] {
  const head = ['| rule | | why | mandatory | real account | port |', '|---|---|---|---|---|---|'];
  return [`## ${title}`, '', ...head, ...rules.map(ruleLine), ''];
}

function ruleLine(rule: ContractRule): string {
  const cells = [
    rule.id,
    rule.sentence,
    rule.why,
    rule.mandatory ? 'yes' : '',
    rule.liveSafe ? machines(rule.cost) : '',
    rule.port.join(', '),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function machines(cost: number): string {
  if (cost === 0) return 'reads only';
  return cost === 1 ? '1 machine' : `${cost} machines`;
}

function providerLines(name: string, capabilities: CloudCapabilities): readonly string[] {
  const { lacks, knownGaps, calls, prices } = capabilities;
  const without = Object.keys(lacks).map((capability) => {
    const rules = CONTRACT_RULES.filter(({ needs }) => needs?.includes(capability as Capability));
    const verb = rules.length === 1 ? 'does' : 'do';
    return `* ${rules.map(({ id }) => id).join(', ')} ${verb} not apply: ${lacks[capability as Capability] ?? ''}`;
  });
  const gaps = CONTRACT_RULES.flatMap(({ id }) =>
    knownGaps[id] === undefined ? [] : [`* ${id} is a known gap: ${knownGaps[id]}`],
  );
  const kept = CONTRACT_RULES.filter(
    (rule) => inapplicable(rule, capabilities) === null && knownGaps[rule.id] === undefined,
  ).length;
  const priced = prices === undefined ? [] : [`Prices are in ${prices.currency}.`];
  const sentence = [
    `${kept} rules hold.`,
    `At most ${calls.perHourAtRest} requests in an hour at rest, ${calls.perMachine} for a machine until it runs.`,
    ...priced,
  ].join(' ');
  return [
    `### ${name}`,
    '',
    sentence,
    '',
    ...without,
    ...gaps,
    ...(without.length + gaps.length > 0 ? [''] : []),
  ];
}
