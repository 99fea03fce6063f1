import { recordPlan } from '../../../src/application/scale-down/index.js';
import { buildNode, MINUTE, T0 } from '../../support/builders.js';
import { plan, runningPod } from '../scale-down/world.js';
import { actuation, place, RememberedMetrics } from './actuation-world.js';

describe('the book of deletions', () => {
  it('gives copies that later changes do not touch', () => {
    // scale-down 13.10/139
    const world = actuation();
    const [empty, drained] = place(world, 'ng', [[buildNode('e')], [buildNode('d'), runningPod('p', 'd')]]);
    world.tracker.start(empty!);
    world.tracker.start(drained!);
    const copy = world.tracker.inProgress();
    world.tracker.end(empty!, null);
    expect(copy).toEqual({ empty: ['e'], drained: ['d'], recentEvictions: [] });
    expect(world.tracker.inProgress()).toMatchObject({ empty: [], drained: ['d'] });
    expect(world.tracker.isDeleting('d')).toBe(true);
  });

  it('hands out each result once', () => {
    const world = actuation();
    const [removal] = place(world, 'ng', [[buildNode('e')]]);
    world.tracker.start(removal!);
    world.tracker.end(removal!, null);
    expect(world.tracker.collect()).toEqual([
      { removal, failure: null, groupId: 'ng', endedMs: T0, outcome: 'deleted' },
    ]);
    expect(world.tracker.collect()).toEqual([]);
  });

  it('remembers evictions for less than the retention', async () => {
    const world = actuation({ evictedPodRetentionMs: MINUTE });
    const pod = runningPod('p', 'd');
    world.tracker.registerEviction(pod);
    await world.clock.advance(MINUTE - 1);
    expect(world.tracker.inProgress().recentEvictions).toEqual([{ pod, evictedMs: T0 }]);
    await world.clock.advance(1);
    expect(world.tracker.inProgress().recentEvictions).toEqual([]);
  });

  it('remembers no evictions by default', () => {
    const world = actuation();
    world.tracker.registerEviction(runningPod('p', 'd'));
    expect(world.tracker.inProgress().recentEvictions).toEqual([]);
  });
});

describe('gauges', () => {
  it('are set for every reason, so that none keeps an old value', () => {
    const metrics = new RememberedMetrics();
    metrics.set('unremovable_nodes_count', 7, { reason: 'BlockedByPod' });
    const { plan: made } = plan({
      nodes: [buildNode('idle'), buildNode('busy')],
      pods: [runningPod('p', 'busy', { cpuMilli: 3_000 })],
    });
    recordPlan(metrics, made);
    expect(Object.fromEntries(metrics.values)).toMatchObject({
      'unneeded_nodes_count{}': 1,
      'scale_down_in_cooldown{}': 0,
      'unremovable_nodes_count{reason="BlockedByPod"}': 0,
      'unremovable_nodes_count{reason="NotUnderutilized"}': 1,
      'unremovable_nodes_count{reason="NotUnneededLongEnough"}': 1,
    });
  });
});
