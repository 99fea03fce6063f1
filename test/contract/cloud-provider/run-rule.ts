import { CloudError } from '../../../src/application/ports/cloud-provider.js';
import { Bench } from './bench.js';
import type { CloudCapabilities } from './capabilities.js';
import type { MakeCloudProviderSubject } from './cloud-provider-subject.js';
import type { ContractRule, RuleId } from './contract-rule.js';
import { LOOP_MS } from './scene.js';
import type { Scene } from './scene.js';

/** A rule does not hold. The message begins with the rule. */
export class RuleBroken extends Error {
  constructor(
    readonly ruleId: RuleId,
    sentence: string,
    cause: unknown,
  ) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    super(`${ruleId} is broken (${sentence})\n\n${detail}`);
    this.name = 'RuleBroken';
    if (cause instanceof Error && cause.stack !== undefined) this.stack = `${this.message}\n${cause.stack}`;
  }
}

/**
 * Tries a rule, and then what nobody should have to write: that no error but CloudError left the provider (E1) and no
 * secret with it (E4), that trouble leaves nothing behind (S1), and that refreshes at rest neither write nor change
 * anything (F2). Rejects with {@link RuleBroken}, which may name one of those rules.
 */
export async function runRule(
  rule: ContractRule,
  makeSubject: MakeCloudProviderSubject,
  capabilities: CloudCapabilities,
): Promise<void> {
  const bench = new Bench(makeSubject, capabilities);
  await as(rule.id, rule.sentence, () => rule.check(bench));
  const living = bench.scenes.filter((scene) => !scene.retired);
  await as('E1', 'after every rule: only CloudError leaves', () => onlyCloudErrors(bench.witness.errors));
  for (const scene of living) {
    await as('S1', 'after every rule: nothing is left behind', () => leaveNothing(scene, capabilities));
    await as('F2', 'after every rule: a refresh at rest writes and changes nothing', () => stayAtRest(scene));
  }
  await as('E4', 'after every rule: no secret in errors, results and logs', () => keepSecrets(bench));
}

async function as(id: RuleId, sentence: string, check: () => Promise<void> | void): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new RuleBroken(id, sentence, error);
  }
}

function onlyCloudErrors(errors: readonly unknown[]): void {
  for (const error of errors) expect(error).toBeInstanceOf(CloudError);
}

async function leaveNothing(scene: Scene, { times }: CloudCapabilities): Promise<void> {
  scene.wire.mend();
  scene.cloud.mend();
  await scene.converge(times.settledWithinMs);
  expect(scene.residue()).toEqual([]);
}

async function stayAtRest(scene: Scene): Promise<void> {
  const groups = scene.provider.nodeGroups();
  const { writes } = scene.wire.calls();
  await scene.loop(3 * LOOP_MS);
  expect(scene.wire.calls().writes).toBe(writes);
  expect(scene.provider.nodeGroups()).toEqual(groups);
}

function keepSecrets({ scenes, witness }: Bench): void {
  const said = witness.text();
  for (const { subject } of scenes) {
    // The secret itself must not be a part of this message either.
    const leaks = subject.secrets.filter((secret) => `${said}\n${subject.logText()}`.includes(secret)).length;
    expect({ leaks }).toEqual({ leaks: 0 });
  }
}
