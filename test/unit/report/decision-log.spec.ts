import type { LogFields, Logger } from '../../../src/application/ports/logger.js';
import { DecisionLog } from '../../../src/application/report/decision-log.js';
import type { ScaleDownDecision, ScaleUpDecision } from '../../../src/application/report/decision-log.js';
import type { Reason } from '../../../src/domain/reason.js';
import { unremovable } from '../../../src/domain/scale-down/unremovable.js';
import type { UnremovableNode } from '../../../src/domain/scale-down/unremovable.js';
import type { ClassReport } from '../../../src/domain/scale-up/plan.js';
import { buildNode, buildPod, buildTemplate, T0 } from '../../support/builders.js';

class RecordingLogger implements Logger {
  readonly lines: string[] = [];
  readonly fields: LogFields[] = [];

  debug(event: string, message: string, fields: LogFields = {}): void {
    this.record('debug', event, message, fields);
  }
  info(event: string, message: string, fields: LogFields = {}): void {
    this.record('info', event, message, fields);
  }
  warn(event: string, message: string, fields: LogFields = {}): void {
    this.record('warn', event, message, fields);
  }
  error(event: string, message: string, fields: LogFields = {}): void {
    this.record('error', event, message, fields);
  }

  /** Lines since the last call. */
  take(): string[] {
    return this.lines.splice(0);
  }

  private record(level: string, event: string, message: string, fields: LogFields): void {
    this.lines.push(`${level} ${event}: ${message}`);
    this.fields.push(fields);
  }
}

function createLog(): { log: DecisionLog; logger: RecordingLogger } {
  const logger = new RecordingLogger();
  return { log: new DecisionLog(logger), logger };
}

const INSUFFICIENT: Reason = {
  rule: 'NodeResourcesFit',
  text: 'Insufficient cpu',
  subject: 'cpu',
  asked: '8',
  free: '4',
};
const AT_MAXIMUM: Reason = { rule: 'MaxSizeReached', text: 'max node group size reached' };

function report(names: readonly string[], fields: Partial<ClassReport> = {}): ClassReport {
  return {
    classId: 0,
    pods: names.map((name) => buildPod(name)),
    triggered: 0,
    others: 'remaining',
    rejected: new Map(),
    skipped: new Map(),
    ...fields,
  };
}

function scaleUp(fields: Partial<ScaleUpDecision> = {}): ScaleUpDecision {
  return {
    result: 'ScaleUpNoOptionsAvailable',
    increases: [],
    choice: null,
    reports: [],
    error: null,
    ...fields,
  };
}

function scaleDown(fields: Partial<ScaleDownDecision> = {}): ScaleDownDecision {
  return { cooldown: null, buckets: [], unremovable: [], notCandidates: [], postponed: [], ...fields };
}

function staying(nodeName: string, reason: UnremovableNode['reason']): UnremovableNode {
  return { nodeName, groupId: 'pool1', reason, blockingPod: null };
}

describe('log of scale-up decisions', () => {
  it('says which group grows, for how many pods, and which options lost to whom', () => {
    const { log, logger } = createLog();
    const option = (groupId: string) => ({
      groupId,
      similarGroupIds: [],
      nodeCount: 2,
      template: buildTemplate(groupId),
      placed: [3],
      podCount: 3,
      requests: new Map<string, number>(),
      pricePerHour: null,
    });
    const [best, loser] = [option('pool1'), option('pool2')];
    log.scaleUp(
      scaleUp({
        result: 'ScaleUpSuccessful',
        increases: [{ groupId: 'pool1', currentSize: 1, newSize: 3, maxSize: 5 }],
        choice: {
          best,
          verdicts: [
            { option: best, scores: [{ expander: 'least-waste', score: 0.1 }], droppedBy: null },
            { option: loser, scores: [{ expander: 'least-waste', score: 0.4 }], droppedBy: 'least-waste' },
          ],
        },
        reports: [report(['a', 'b', 'c'], { triggered: 3 })],
      }),
    );
    expect(logger.take()).toEqual([
      'info scale-up-decided: group pool1 grows from 1 to 3 (max 5) for 3 pods',
      'debug scale-up-option-dropped: group pool2 was not chosen: least-waste prefers pool1',
    ]);
    expect(logger.fields[0]).toEqual({ group: 'pool1', from: 1, to: 3, max: 5, pods: 3 });
  });

  it('says why pods are not helped, group by group', () => {
    const { log, logger } = createLog();
    const rejected = new Map([['pool1', [INSUFFICIENT]]]);
    const skipped = new Map([['pool2', [AT_MAXIMUM]]]);
    log.pods([
      report(['web-1', 'web-2', 'web-3'], { rejected, skipped }),
      report(['solo'], { rejected }),
      report(['late-1', 'late-2'], { triggered: 1, others: 'awaiting' }),
      report(['alone']),
    ]);
    expect(logger.take()).toEqual([
      'info pods-not-helped: pod default/web-1 and 2 like it wait: pool1: Insufficient cpu (asked 8, free 4); ' +
        'pool2: max node group size reached',
      'info pods-not-helped: pod default/solo waits: pool1: Insufficient cpu (asked 8, free 4)',
      'info pods-not-helped: pod default/late-2 waits: helped in a later round',
      'info pods-not-helped: pod default/alone waits: there is no node group',
    ]);
  });

  it('repeats itself only when the rule changes, or after the pod was gone', () => {
    const { log, logger } = createLog();
    const waitingFor = (reason: Reason): ClassReport[] => [
      report(['a'], { rejected: new Map([['pool1', [reason]]]) }),
    ];
    log.pods(waitingFor(INSUFFICIENT));
    log.pods(waitingFor({ ...INSUFFICIENT, free: '3' }));
    expect(logger.take()).toHaveLength(1);
    log.pods(waitingFor(AT_MAXIMUM));
    expect(logger.take()).toHaveLength(1);
    log.pods([]);
    expect(logger.take()).toEqual([]);
    log.pods(waitingFor(AT_MAXIMUM));
    expect(logger.take()).toHaveLength(1);
  });

  it('writes at most 20 lines about pods in a loop', () => {
    const { log, logger } = createLog();
    const reports = Array.from({ length: 500 }, (_, i) => report([`pod-${i}`]));
    log.pods(reports);
    const lines = logger.take();
    expect(lines).toHaveLength(21);
    expect(lines[20]).toBe('info pods-not-helped: and pods of 480 more kinds');
    log.pods(reports);
    expect(logger.take()).toEqual([]);
  });

  it('says what went wrong with the plan', () => {
    const { log, logger } = createLog();
    log.scaleUp(
      scaleUp({ result: 'ScaleUpError', error: { type: 'internalError', message: 'no template' } }),
    );
    expect(logger.take()).toEqual(['error scale-up-not-planned: no template']);
  });
});

describe('log of scale-down decisions', () => {
  it('says which node goes and why', () => {
    const { log, logger } = createLog();
    const removal = {
      node: buildNode('n1'),
      groupId: 'pool1',
      sinceMs: T0,
      utilization: { cpu: 0.1, memory: 0.2, gpu: 0, resource: 'memory', value: 0.2 } as never,
      ready: true,
      isEmpty: false,
      isRisky: false,
      podsToMove: [buildPod('a', { nodeName: 'n1' })],
      daemonSetPods: [],
      onCompletionPods: [],
      cause: 'underutilized',
      reason: {
        rule: 'underutilized',
        text: 'unneeded for 11m0s',
        subject: 'cpu',
        asked: 0.2,
        limit: 0.5,
        measure: 'utilization',
      },
      daemonSetPodsToEvict: [],
    } as const;
    log.scaleDown(
      scaleDown({ buckets: [{ groupId: 'pool1', isAtomic: false, empty: [], drain: [removal] }] }),
    );
    expect(logger.take()).toEqual([
      'info scale-down-decided: node n1 of group pool1 goes: unneeded for 11m0s (cpu utilization 20%, threshold 50%); 1 pod to move',
    ]);
    expect(logger.fields[0]).toEqual({ node: 'n1', group: 'pool1', cause: 'underutilized', podsToMove: 1 });
  });

  it('says once why nodes stay and why scale-down pauses, at level 1 for nodes', () => {
    const { log, logger } = createLog();
    const cooldown: Reason = { rule: 'DelayAfterAdd', text: 'a node was added a short while ago' };
    const plan = (asked: string): ScaleDownDecision =>
      scaleDown({
        cooldown,
        unremovable: [staying('n1', unremovable('NotUnneededLongEnough', { asked }))],
        notCandidates: [staying('n2', unremovable('NotAutoscaled'))],
        postponed: [staying('n3', unremovable('NodeGroupMaxDeletionCountReached'))],
      });
    log.scaleDown(plan('1m'));
    expect(logger.take()).toEqual([
      'info scale-down-paused: no node goes: a node was added a short while ago',
      'info node-stays: node n1 stays: not unneeded for long enough (asked 1m)',
      'info node-stays: node n2 stays: the node belongs to no node group',
      'info node-stays: node n3 stays: enough nodes are being deleted already',
    ]);
    expect(logger.fields.map(({ v }) => v)).toEqual([undefined, 1, 1, 1]);
    log.scaleDown(plan('2m'));
    expect(logger.take()).toEqual([]);
  });

  it('says nothing of a node that is not looked at again so soon, and nothing when the reason is found once more', () => {
    const { log, logger } = createLog();
    const blocked = staying(
      'n1',
      unremovable('BlockedByPod', { text: 'pod a/b must not be moved', subject: 'a/b' }),
    );
    const recently = staying('n1', unremovable('RecentlyUnremovable', { text: 'looked at again in 60s' }));
    log.scaleDown(scaleDown({ unremovable: [blocked] }));
    expect(logger.take()).toHaveLength(1);
    for (const node of [recently, recently, blocked, recently]) {
      log.scaleDown(scaleDown({ unremovable: [node] }));
      expect(logger.take()).toEqual([]);
    }
    const elsewhere = staying('n1', unremovable('NoPlaceToMovePods', { subject: 'a/c' }));
    log.scaleDown(scaleDown({ unremovable: [elsewhere] }));
    expect(logger.take()).toEqual(['info node-stays: node n1 stays: its pods fit nowhere else (a/c)']);
  });
});
