import type { NodeGroupOptions } from '../../../src/domain/node-group/node-group.js';
import { planRepairs, recordRepair } from '../../../src/domain/readiness/index.js';
import type {
  ClusterStateMemory,
  ClusterStatePolicy,
  RepairPlan,
} from '../../../src/domain/readiness/index.js';
import { MINUTE, T0, buildInstance, buildNode } from '../../support/builders.js';
import { STRICT, observe, update } from './cluster-world.js';
import type { GroupSpec } from './cluster-world.js';

const PROVISIONED = { ...STRICT, maxNodeProvisionTimeMs: 45 * MINUTE };
const names = (removals: RepairPlan['failed']) =>
  removals.map(({ machines, force }) => ({ machines: machines.map((one) => one.name), force }));
const late = (count: number) => Array.from({ length: count }, (_, index) => buildInstance(`late${index}`));
const broken = (name: string) =>
  buildInstance(name, {
    state: 'creating',
    failure: { kind: 'stock-out', code: 'sold_out', message: 'none left' },
  });

/** Looks twice, so that everything without a node is overdue the second time. */
function repairsOf(
  group: GroupSpec,
  policy: ClusterStatePolicy = STRICT,
  agoMs = 60 * MINUTE,
): { plan: RepairPlan; memory: ClusterStateMemory } {
  const first = update(observe({ g: group }, { nowMs: T0 - agoMs }), undefined, policy);
  const { state, memory } = update(observe({ g: group }), first.memory, policy);
  return { plan: planRepairs(state, memory, policy), memory };
}

describe('machines that never joined', () => {
  // scale-up 14/75
  it('are removed, but never below the minimum', () => {
    const nodes = [buildNode('n')];
    expect(names(repairsOf({ nodes, extra: late(2) }).plan.unregistered)).toEqual([
      { machines: ['late0', 'late1'], force: false },
    ]);
    expect(names(repairsOf({ nodes, extra: late(2), minSize: 2 }).plan.unregistered)).toEqual([
      { machines: ['late0'], force: false },
    ]);
    const kept = repairsOf({ nodes, extra: late(2), minSize: 3 }).plan;
    expect(kept).toMatchObject({ unregistered: [], keptAtMinimum: ['g'] });
  });

  // scale-up 14/75
  it('are removed below the minimum when forced', () => {
    const policy = { ...STRICT, forceDeleteUnregisteredNodes: true };
    expect(names(repairsOf({ extra: late(1), minSize: 1 }, policy).plan.unregistered)).toEqual([
      { machines: ['late0'], force: true },
    ]);
  });

  it('are left alone while they may still come', () => {
    const extra = [buildInstance('young', { createdMs: T0 - 14 * MINUTE })];
    expect(repairsOf({ extra }, STRICT, 14 * MINUTE).plan.unregistered).toEqual([]);
  });

  // scale-up 14/77
  // scale-down 13.12/151
  it.each<[string, NodeGroupOptions, number, number, number]>([
    ['take the whole group with them', { zeroOrMaxNodeScaling: true }, 1, 9, 10],
    ['wait for the rest', { zeroOrMaxNodeScaling: true, allowNonAtomicScaleUpToMax: true }, 1, 9, 0],
    ['go when all are overdue', { zeroOrMaxNodeScaling: true, allowNonAtomicScaleUpToMax: true }, 0, 10, 10],
  ])('of a group that is empty or full %s', (_, options, joined, overdue, removed) => {
    const nodes = Array.from({ length: joined }, (_unused, index) => buildNode(`n${index}`));
    const { unregistered } = repairsOf({ nodes, extra: late(overdue), options }).plan;
    expect(unregistered.flatMap((removal) => removal.machines)).toHaveLength(removed);
  });
});

describe('machines that could not be made', () => {
  // scale-up 14/78
  it('are deleted, others not, whatever the minimum', () => {
    const { plan } = repairsOf({ nodes: [buildNode('n')], extra: [broken('b')], minSize: 2 });
    expect(names(plan.failed)).toEqual([{ machines: ['b'], force: false }]);
  });

  // scale-up 14/78: tried again, but at a measured pace (scale-up 15/11)
  it('are tried again after a refusal, later and later', () => {
    const { memory } = repairsOf({ extra: [broken('b')] });
    const { state } = update(observe({ g: { extra: [broken('b')] } }), memory);
    const refused = (before: ClusterStateMemory, atMs: number) =>
      recordRepair(before, { kind: 'release-failed', groupId: 'g', succeeded: false, atMs });
    const isDue = (known: ClusterStateMemory, nowMs: number) =>
      planRepairs({ ...state, nowMs }, known, STRICT).failed.length === 1;
    const once = refused(memory, T0);
    expect([isDue(once, T0 + 9_999), isDue(once, T0 + 10_000)]).toEqual([false, true]);
    const twice = refused(once, T0);
    expect([isDue(twice, T0 + 19_999), isDue(twice, T0 + 20_000)]).toEqual([false, true]);
    const often = Array.from({ length: 20 }).reduce<ClusterStateMemory>(
      (known) => refused(known, T0),
      memory,
    );
    expect([isDue(often, T0 + 5 * MINUTE - 1), isDue(often, T0 + 5 * MINUTE)]).toEqual([false, true]);
    const done = recordRepair(often, { kind: 'release-failed', groupId: 'g', succeeded: true, atMs: T0 });
    expect(done.repairRetries).toEqual({});
  });

  // scale-up 14/78
  it('of a group that is empty or full follow the same rule', () => {
    const options = { zeroOrMaxNodeScaling: true };
    const { plan } = repairsOf({ nodes: [buildNode('n')], extra: [broken('b')], options });
    expect(names(plan.failed)).toEqual([{ machines: ['n', 'b'], force: false }]);
  });
});

describe('sizes that nothing explains', () => {
  const nodes = [buildNode('n')];

  // scale-up 14/76
  // scale-down 13.12/154
  it('are corrected after the provision time, not before', () => {
    expect(repairsOf({ nodes, targetSize: 3 }, PROVISIONED).plan.incorrectSizes).toEqual([
      { groupId: 'g', count: 2 },
    ]);
    expect(repairsOf({ nodes, targetSize: 3 }, PROVISIONED, 10 * MINUTE).plan.incorrectSizes).toEqual([]);
  });

  it('are not lowered below machines that exist', () => {
    expect(repairsOf({ nodes, extra: late(1), targetSize: 5 }, PROVISIONED).plan.incorrectSizes).toEqual([
      { groupId: 'g', count: 3 },
    ]);
  });

  it('are left alone when the group has too many nodes, or is being lowered already', () => {
    const many = [buildNode('a'), buildNode('b')];
    expect(repairsOf({ nodes: many, targetSize: 1 }, PROVISIONED).plan.incorrectSizes).toEqual([]);
    const { memory } = repairsOf({ nodes, targetSize: 3 }, PROVISIONED);
    const { state } = update(observe({ g: { nodes, targetSize: 3 } }), memory, PROVISIONED);
    const plan = planRepairs(state, memory, PROVISIONED, [{ groupId: 'g', count: 1 }]);
    expect(plan.incorrectSizes).toEqual([]);
  });
});
