import type { Logger } from '../../../src/application/ports/logger.js';
import { EvaluationGaps, RemovalLatency } from '../../../src/application/scale-down/index.js';
import type { UnremovableReason } from '../../../src/domain/scale-down/index.js';
import { DEFAULT_SCALE_DOWN_POLICY } from '../../../src/domain/scale-down/index.js';
import { buildNode, MINUTE, T0 } from '../../support/builders.js';
import { observe, plan, unneededFor } from '../scale-down/world.js';
import { RememberedMetrics } from './actuation-world.js';

describe('time without evaluation', () => {
  it('is that of the node that was left out longest', () => {
    // scale-down 13.12/163
    const metrics = new RememberedMetrics();
    const gaps = new EvaluationGaps(metrics);
    const seconds = [[], ['n1', 'n2'], ['n1'], ['n2'], []].map((notEvaluated, second) => {
      gaps.record({ notEvaluated, nowMs: T0 + second * 1_000 });
      return metrics.values.get('max_node_skip_eval_duration_seconds{}');
    });
    expect(seconds).toEqual([0, 1, 2, 1, 0]);
  });
});

describe('latency of a removal', () => {
  const world = {
    nodes: [buildNode('n')],
    groups: { ng: { options: { scaleDownUnneededTimeMs: 2 * MINUTE } } },
  };

  function latency() {
    const metrics = new RememberedMetrics();
    const warnings: string[] = [];
    const logger: Logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: (event) => void warnings.push(event),
      error: () => undefined,
    };
    const settings = { policy: DEFAULT_SCALE_DOWN_POLICY, statusSubject: null };
    const tracker = new RemovalLatency(metrics, logger, settings);
    const { groups } = observe(world);
    /** One iteration in which the node is unneeded and held back for a reason, or goes. */
    const at = (minutes: number, what: UnremovableReason | 'goes' | 'needed') => {
      const made = plan(
        { ...world, nowMs: T0 + minutes * MINUTE },
        { memory: unneededFor(MINUTE, 'n') },
      ).plan;
      const held = { nodeName: 'n', groupId: 'ng', blockingPod: null };
      const unremovable =
        what === 'goes' || what === 'needed' ? [] : [{ ...held, reason: { rule: what, text: '' } }];
      const going = made.buckets.flatMap(({ empty }) => empty);
      const unneeded = what === 'needed' ? [] : made.unneeded;
      tracker.record({ ...made, unneeded, unremovable }, groups, what === 'goes' ? going : []);
    };
    return { at, metrics, warnings };
  }

  it('names the newest reason that held the node back', () => {
    // scale-down 13.12/164
    const { at, metrics, warnings } = latency();
    at(0, 'BlockedByPod');
    at(1, 'AtomicScaleDownFailed');
    at(2, 'NotUnneededLongEnough');
    at(6, 'goes');
    const series = 'node_removal_latency_seconds{deleted="true",delay_reason="AtomicScaleDownFailed"}';
    expect([...metrics.values]).toEqual([[series, 240]]);
    expect(warnings).toEqual(['node-removal-late']);
  });

  it('is observed too when the node is needed again, and not before its threshold', () => {
    const { at, metrics, warnings } = latency();
    at(0, 'NotUnneededLongEnough');
    at(1, 'needed');
    expect(metrics.values.size).toBe(0);
    at(2, 'NotUnneededLongEnough');
    at(8, 'needed');
    expect([...metrics.values]).toEqual([
      ['node_removal_latency_seconds{deleted="false",delay_reason="none"}', 240],
    ]);
    expect(warnings).toEqual([]);
  });
});
