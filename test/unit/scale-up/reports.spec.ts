import {
  combineErrors,
  limitedByMaxNodesEvents,
  mergeChanges,
  mergeReports,
  podEvents,
  withFailedGroups,
} from '../../../src/domain/scale-up/index.js';
import type { ClassReport } from '../../../src/domain/scale-up/index.js';
import { buildPod } from '../../support/builders.js';

const reason = (text: string) => ({ rule: text, text });
const report = (classId: number, fields: Partial<ClassReport> = {}): ClassReport => ({
  classId,
  pods: [buildPod(`p${classId}`)],
  triggered: 0,
  others: 'awaiting',
  rejected: new Map(),
  skipped: new Map(),
  ...fields,
});
const change = (groupId: string, currentSize: number, newSize: number) => ({
  groupId,
  currentSize,
  newSize,
  maxSize: 5,
});

describe('events on pods', () => {
  it('sum reasons up over groups, most frequent first, then by text', () => {
    const rejected = new Map([
      ['a', [reason('Insufficient memory'), reason('Insufficient cpu')]],
      ['b', [reason('Insufficient cpu')]],
    ]);
    const skipped = new Map([['c', [reason('in backoff after failed scale-up')]]]);
    const reports = [report(1, { others: 'remaining', rejected, skipped })];
    const events = podEvents({ result: 'ScaleUpNoOptionsAvailable', increases: [], reports });
    expect(events.map((event) => event.message)).toEqual([
      "pod didn't trigger scale-up: 2 Insufficient cpu, 1 Insufficient memory, 1 in backoff after failed scale-up",
    ]);
  });

  it('name all groups that grow, to pods that are helped only', () => {
    const pods = [buildPod('helped'), buildPod('later')];
    const events = podEvents({
      result: 'ScaleUpSuccessful',
      increases: [change('a', 1, 3), change('b', 0, 1)],
      reports: [report(1, { pods, triggered: 1 }), report(2, { others: 'remaining' })],
    });
    expect(events).toEqual([
      {
        pod: pods[0],
        type: 'Normal',
        reason: 'TriggeredScaleUp',
        message: 'pod triggered scale-up: [{a 1->3 (max: 5)} {b 0->1 (max: 5)}]',
      },
    ]);
  });

  it('are silent after a failure, and for pods that wait for a later round', () => {
    const reports = [report(1, { others: 'remaining' })];
    expect(podEvents({ result: 'ScaleUpError', increases: [], reports })).toEqual([]);
    expect(podEvents({ result: 'ScaleUpNoOptionsAvailable', increases: [], reports: [report(1)] })).toEqual(
      [],
    );
  });

  it('say that the cluster is full', () => {
    expect(limitedByMaxNodesEvents([buildPod('p')])[0]?.message).toBe(
      "pod didn't trigger scale-up: max total nodes in cluster reached",
    );
  });
});

// scale-up 14/41
it('a class is helpless only when every group that takes it has failed', () => {
  const other = (groupId: string) => new Map([[groupId, [reason('no')]]]);
  const before = [report(1, { rejected: other('ng2') }), report(2, { rejected: other('ng1') }), report(3)];
  const after = withFailedGroups(before, ['ng1', 'ng2'], new Set(['ng2']));
  expect(after.map(({ others }) => others)).toEqual(['awaiting', 'remaining', 'awaiting']);
  expect(after[2]?.rejected.get('ng2')?.[0]?.text).toBe('scale-up execution failed');
  expect(after[0]).toBe(before[0]);
});

it('rounds are merged into one report for each class', () => {
  const pods = ['a', 'b', 'c'].map((name) => buildPod(name));
  const classes = [
    { classId: 0, pods },
    { classId: 1, pods: pods.slice(0, 1) },
  ];
  const late = report(0, { pods: pods.slice(1), others: 'remaining' });
  const merged = mergeReports(classes, [
    {
      reports: [report(0), report(1)],
      served: new Map([
        [0, 1],
        [1, 1],
      ]),
    },
    { reports: [late], served: new Map([[0, 1]]) },
  ]);
  expect(merged.map(({ classId, triggered, others }) => [classId, triggered, others])).toEqual([
    [0, 2, 'remaining'],
    [1, 1, 'awaiting'],
  ]);
  expect(merged[0]?.pods).toBe(pods);
});

it('growth of one group in several rounds is one change', () => {
  expect(mergeChanges([change('a', 1, 2), change('b', 0, 1), change('a', 2, 5)])).toEqual([
    change('a', 1, 5),
    change('b', 0, 1),
  ]);
});

describe('errors together', () => {
  it('are none, the first, or the first and the others in order', () => {
    const error = (type: string, message: string) => ({ type, message });
    expect(combineErrors([])).toBeNull();
    expect(combineErrors([error('a', 'x'), error('a', 'x')])).toEqual(error('a', 'x'));
    expect(combineErrors([error('a', 'z'), error('a', 'y'), error('a', 'x')])).toEqual(
      error('a', 'x ...and other errors: ["y", "z"]'),
    );
    expect(combineErrors([error('b', 'x'), error('a', 'y')])).toEqual(
      error('a', 'y ...and other errors: ["[b] x"]'),
    );
  });
});
