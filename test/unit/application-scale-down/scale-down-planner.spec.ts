import { ScaleDownPlanner } from '../../../src/application/scale-down/index.js';
import type { Clock } from '../../../src/application/ports/clock.js';
import { createScaleDownMemory, DEFAULT_SCALE_DOWN_POLICY } from '../../../src/domain/scale-down/index.js';
import { buildNode, T0 } from '../../support/builders.js';
import { GPU_LABEL, observe, snapshotOf } from '../scale-down/world.js';

/** A clock on which every look costs a millisecond. */
function busyClock() {
  let nowMs = T0;
  const turns: number[] = [];
  const clock: Clock = {
    now: () => nowMs++,
    sleep: () => Promise.resolve(),
    yield: () => {
      turns.push(nowMs);
      return Promise.resolve();
    },
  };
  return { clock, turns };
}

function planner(clock: Clock, policy = {}, releaseBudget: number | null = null) {
  const settings = { policy: { ...DEFAULT_SCALE_DOWN_POLICY, ...policy }, statusSubject: null };
  return new ScaleDownPlanner(clock, { gpuLabel: GPU_LABEL, releaseBudget: () => releaseBudget }, settings);
}

function input() {
  const observation = observe({ nodes: Array.from({ length: 40 }, (_, index) => buildNode(`n${index}`)) });
  return {
    observation,
    snapshot: snapshotOf(observation),
    memory: createScaleDownMemory(T0),
    forbidden: null,
  };
}

describe('planning in slices', () => {
  it('lets others run about every 10 ms', async () => {
    const { clock, turns } = busyClock();
    const { plan } = await planner(clock).plan(input(), new AbortController().signal);
    expect(plan.unneeded).toHaveLength(20);
    expect(turns.length).toBeGreaterThan(3);
    const gaps = turns.slice(1).map((turn, index) => turn - turns[index]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(15);
  });

  it('ends the simulation when its time is over', async () => {
    // scale-down 13.1/14
    const { clock } = busyClock();
    const { plan } = await planner(clock, { simulationTimeoutMs: 60 }).plan(
      input(),
      new AbortController().signal,
    );
    expect(plan.unneeded.length).toBeLessThan(20);
    expect(plan.notEvaluated.length).toBe(40 - plan.unneeded.length);
  });

  it('stops when leadership is lost, and leaves the snapshot as it was', async () => {
    const { clock } = busyClock();
    const aborted = new AbortController();
    aborted.abort(new Error('lease lost'));
    const given = input();
    await expect(planner(clock).plan(given, aborted.signal)).rejects.toThrow('lease lost');
    expect(given.snapshot.nodeNames()).toHaveLength(40);
    given.snapshot.commit();
    expect(() => given.snapshot.revert()).toThrow('revert without a fork');
  });
});

describe("the cloud's budget of deletions", () => {
  it('is known before nodes are chosen, and the others say what they wait for', async () => {
    const { clock } = busyClock();
    const policy = { unneededTimeMs: 0 };
    const { plan } = await planner(clock, policy, 3).plan(input(), new AbortController().signal);
    expect(plan.buckets.flatMap(({ empty }) => empty)).toHaveLength(3);
    expect(plan.postponed).toHaveLength(17);
    expect(plan.postponed[0]?.reason).toMatchObject({
      rule: 'NodeGroupMaxDeletionCountReached',
      text: 'the cloud takes no more deletions now',
      asked: 1,
      free: 0,
    });
  });

  it('limits nothing where the provider has none', async () => {
    const { clock } = busyClock();
    const settings = { policy: { ...DEFAULT_SCALE_DOWN_POLICY, unneededTimeMs: 0 }, statusSubject: null };
    const { plan } = await new ScaleDownPlanner(clock, { gpuLabel: GPU_LABEL }, settings).plan(
      input(),
      new AbortController().signal,
    );
    expect(plan.buckets.flatMap(({ empty }) => empty)).toHaveLength(10);
  });
});
