import type {
  CloudControl,
  CloudProviderSubject,
  SubjectLayout,
} from '../contract/cloud-provider/cloud-provider-subject.js';
import { Bench } from '../contract/cloud-provider/bench.js';
import type { ContractRule } from '../contract/cloud-provider/contract-rule.js';
import { CONTRACT_RULES } from '../contract/cloud-provider/rules/index.js';
import { RuleBroken, runRule } from '../contract/cloud-provider/run-rule.js';
import { judge } from '../contract/cloud-provider/verdict.js';
import { MUTANTS } from './mutants/index.js';
import type { Mutant } from './mutants/index.js';
import { TINYCLOUD_CAPABILITIES } from './tinycloud-capabilities.js';
import { makeTinycloudSubject } from './tinycloud-subject.js';
import type { Twist } from './tinycloud-subject.js';

/** What only a fake can do, or what nobody does to a real account. */
const FAULTS = [
  'removeBehindBack',
  'setStock',
  'setQuota',
  'failOrdersLater',
  'holdOrders',
  'slowBoots',
  'spoil',
] as const satisfies readonly (keyof CloudControl)[];

const rule = (id: string): ContractRule => CONTRACT_RULES.find((candidate) => candidate.id === id)!;

function subjectsOf({ twist }: Mutant) {
  return (layout?: SubjectLayout): Promise<CloudProviderSubject> => makeTinycloudSubject(layout, twist);
}

describe('the contract kit', () => {
  it('has a mutant for every mandatory rule', () => {
    const hunted = new Set(MUTANTS.map((mutant) => mutant.rule));
    const mandatory = CONTRACT_RULES.filter((candidate) => candidate.mandatory).map(({ id }) => id);
    expect(mandatory).toHaveLength(39);
    expect(mandatory.filter((id) => !hunted.has(id))).toEqual([]);
  });

  it('has one for every other rule that Tinycloud could break', () => {
    const hunted = new Set(MUTANTS.map((mutant) => mutant.rule));
    // Tinycloud does not repeat reads; a billing step is declared, not done.
    expect(CONTRACT_RULES.map(({ id }) => id).filter((id) => !hunted.has(id))).toEqual(['P4', 'H5']);
  });

  it('has every rule of the contract once', () => {
    const ids = CONTRACT_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(70);
  });

  it('has a rule for each of the rules of the port', () => {
    const named = new Set(CONTRACT_RULES.flatMap(({ port }) => port));
    expect(named.size).toBe(12);
  });

  it.each(CONTRACT_RULES.filter(({ liveSafe }) => liveSafe).map((one) => [one.id, one] as const))(
    '%s needs no fault, and has no more machines at one time than it says',
    async (_id, { check, cost }) => {
      let machines = 0;
      const counting: Twist = {
        front: (front, { cloud }) => ({
          handle: async (request) => {
            machines = Math.max(machines, cloud.machines.size);
            const response = await front.handle(request);
            machines = Math.max(machines, cloud.machines.size);
            return response;
          },
        }),
      };
      const faults: jest.SpyInstance[] = [];
      const makeSubject = async (layout?: SubjectLayout): Promise<CloudProviderSubject> => {
        const subject = await makeTinycloudSubject(layout, counting);
        faults.push(jest.spyOn(subject.wire, 'failNext'), jest.spyOn(subject.wire, 'afterNextList'));
        faults.push(...FAULTS.map((fault) => jest.spyOn(subject.cloud, fault)));
        return subject;
      };
      await check(new Bench(makeSubject, TINYCLOUD_CAPABILITIES));
      expect(machines).toBe(cost);
      for (const fault of faults) expect(fault).not.toHaveBeenCalled();
    },
  );

  it.each(MUTANTS.map((mutant) => [mutant.rule, mutant.fault, mutant] as const))(
    '%s kills the provider of which is true: %s',
    async (id, _fault, mutant) => {
      await runRule(rule(id), makeTinycloudSubject, TINYCLOUD_CAPABILITIES);
      const broken: unknown = await runRule(rule(id), subjectsOf(mutant), TINYCLOUD_CAPABILITIES).catch(
        (error: unknown) => error,
      );
      expect(broken).toBeInstanceOf(RuleBroken);
      expect((broken as RuleBroken).message).toMatch(new RegExp(`^${id} is broken \\(`));
    },
  );
});

describe('a known gap', () => {
  const capabilities = { ...TINYCLOUD_CAPABILITIES, knownGaps: { I5: 'nodes wait for their ids' } };
  const mutant = MUTANTS.find((candidate) => candidate.rule === 'I5')!;

  it('is a verdict of its own as long as the rule is broken', async () => {
    expect(await judge(rule('I5'), subjectsOf(mutant), capabilities)).toEqual({
      kind: 'known gap',
      reason: 'nodes wait for their ids',
    });
  });

  it('is a failure as soon as the rule holds', async () => {
    const verdict = await judge(rule('I5'), makeTinycloudSubject, capabilities);
    expect(verdict).toMatchObject({
      kind: 'fail',
      error: { message: expect.stringContaining('it holds now') },
    });
  });

  it('hides no breach of another rule', async () => {
    const leaking = MUTANTS.find(({ rule: id }) => id === 'F2')!;
    const verdict = await judge(rule('I5'), subjectsOf(leaking), capabilities);
    expect(verdict).toMatchObject({ kind: 'fail', error: { ruleId: 'F2' } });
  });

  it('of a rule that does not apply is not looked for', async () => {
    const verdict = await judge(rule('L4'), makeTinycloudSubject, {
      ...TINYCLOUD_CAPABILITIES,
      lacks: { paging: 'Lists come in one answer.' },
    });
    expect(verdict).toEqual({ kind: 'not applicable', reason: 'Lists come in one answer.' });
  });
});
