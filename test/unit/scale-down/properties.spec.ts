import fc from 'fast-check';
import type { Pod } from '../../../src/domain/kubernetes/pod.js';
import { createScaleDownMemory, DEFAULT_SCALE_DOWN_POLICY } from '../../../src/domain/scale-down/index.js';
import { buildNode, T0 } from '../../support/builders.js';
import type { WorldOptions } from './world.js';
import { buildBudget, observe, plan, runningPod, snapshotOf } from './world.js';

interface RandomPod {
  readonly node: number;
  readonly cpuMilli: number;
  readonly app: number;
  readonly kind: 'plain' | 'bare' | 'daemon' | 'job';
}

interface RandomWorld {
  readonly cpus: readonly number[];
  readonly pods: readonly RandomPod[];
  readonly budgets: readonly number[];
  readonly minSize: number;
}

const RANDOM_WORLD: fc.Arbitrary<RandomWorld> = fc.record({
  cpus: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 12 }),
  pods: fc.array(
    fc.record({
      node: fc.nat({ max: 11 }),
      cpuMilli: fc.integer({ min: 10, max: 1_500 }),
      app: fc.nat({ max: 3 }),
      kind: fc.constantFrom('plain', 'plain', 'plain', 'bare', 'daemon', 'job'),
    }),
    { maxLength: 30 },
  ),
  budgets: fc.array(fc.nat({ max: 2 }), { maxLength: 3 }),
  minSize: fc.nat({ max: 4 }),
});

function worldOf({ cpus, pods, budgets, minSize }: RandomWorld): WorldOptions {
  const nodes = cpus.map((cpu, index) => buildNode(`n${index}`, { cpuMilli: cpu * 1_000 }));
  return {
    nodes,
    pods: pods.map((pod, index) => podOf(pod, `p${index}`, `n${pod.node % cpus.length}`)),
    disruptionBudgets: budgets.map((left, index) => buildBudget(`b${index}`, left, { app: `a${index}` })),
    groups: { ng: { minSize } },
  };
}

function podOf({ cpuMilli, app, kind }: RandomPod, name: string, nodeName: string): Pod {
  const common = { cpuMilli, labels: { app: `a${app}` } };
  if (kind === 'bare') return runningPod(name, nodeName, { ...common, owner: null });
  if (kind === 'daemon')
    return runningPod(name, nodeName, { ...common, owner: { kind: 'DaemonSet', apiVersion: 'x/v1' } });
  if (kind === 'job')
    return runningPod(name, nodeName, { ...common, shape: { directives: { safeToEvict: 'on-completion' } } });
  return runningPod(name, nodeName, common);
}

/** Everything may go at once, with budgets wide open. */
const DUE = { policy: { unneededTimeMs: 0, maxParallelism: 50, maxDrainParallelism: 50 } };

describe('any plan', () => {
  it('says of every candidate either that it is unneeded or why it stays', () => {
    // scale-down 13.13/166
    fc.assert(
      fc.property(RANDOM_WORLD, (random) => {
        const { plan: made } = plan(worldOf(random), { policy: { maxParallelism: 50 } });
        const judged = [
          ...made.unneeded.map(({ node }) => node.name),
          ...made.unremovable
            .filter(({ reason }) => reason.rule !== 'NotUnneededLongEnough')
            .map(({ nodeName }) => nodeName),
          ...made.notCandidates.map(({ nodeName }) => nodeName),
        ];
        expect(judged.sort()).toEqual(random.cpus.map((_, index) => `n${index}`).sort());
      }),
    );
  });

  it('leaves room for all pods of all unneeded nodes together', () => {
    // scale-down 13.13/167
    fc.assert(
      fc.property(RANDOM_WORLD, (random) => {
        const world = worldOf(random);
        const { plan: made, memory } = plan(world, { policy: { maxParallelism: 50 } });
        const going = new Set(made.unneeded.map(({ node }) => node.name));
        const observation = observe(world);
        const left = snapshotOf({
          nodes: observation.nodes.filter(({ name }) => !going.has(name)),
          pods: observation.pods,
        });
        for (const pod of made.unneeded.flatMap(({ podsToMove }) => podsToMove)) {
          const verdict = left.place({ ...pod, nodeName: '' }, memory.hints.recent[pod.uid] ?? '');
          expect(verdict).toEqual({ fit: true });
        }
      }),
    );
  });

  it('keeps every group at its minimum', () => {
    // scale-down 13.13/168
    fc.assert(
      fc.property(RANDOM_WORLD, (random) => {
        const { plan: made } = plan(worldOf(random), DUE);
        const going = made.buckets.flatMap(({ empty, drain }) => [...empty, ...drain]).length;
        expect(random.cpus.length - going).toBeGreaterThanOrEqual(
          Math.min(random.minSize, random.cpus.length),
        );
      }),
    );
  });

  it('is the same for the same input, and changes nothing', () => {
    // scale-down 13.13/170, 13.13/171
    fc.assert(
      fc.property(RANDOM_WORLD, (random) => {
        const world = worldOf(random);
        const observation = observe(world);
        const snapshot = snapshotOf(observation);
        const options = { ...DUE, memory: createScaleDownMemory(T0) };
        const first = plan(world, { ...options, snapshot });
        expect(plan(world, { ...options, snapshot: snapshotOf(observation) })).toEqual(first);
        expect(plan(world, { ...options, snapshot })).toEqual(first);
      }),
    );
  });

  it('takes an atomic group as a whole or not at all', () => {
    // scale-down 13.13/172
    fc.assert(
      fc.property(RANDOM_WORLD, (random) => {
        const groups = { ng: { options: { zeroOrMaxNodeScaling: true } } };
        const { plan: made } = plan({ ...worldOf(random), groups }, DUE);
        const going = made.buckets.flatMap(({ empty, drain }) => [...empty, ...drain]).length;
        expect([0, random.cpus.length]).toContain(going);
      }),
    );
  });

  it('has defaults that start as upstream does', () => {
    expect(DEFAULT_SCALE_DOWN_POLICY).toMatchObject({
      maxParallelism: 10,
      maxDrainParallelism: 1,
      recheckTimeoutMs: 300_000,
    });
  });
});
