import { EventCorrelator } from '../../../src/adapters/kubernetes/writing/event-correlator.js';
import type { ClusterEvent, EventSubject } from '../../../src/application/ports/cluster-writer.js';

const POD: EventSubject = { kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'u1' };
const STATUS: EventSubject = { kind: 'ConfigMap', namespace: 'kube-system', name: 'status', uid: 'u2' };
const MINUTE = 60_000;

function event(message: string, fields: Partial<ClusterEvent> = {}): ClusterEvent {
  return { subject: POD, type: 'Normal', reason: 'NotTriggerScaleUp', message, ...fields };
}

function correlator(recordDuplicatedEvents = false): EventCorrelator {
  return new EventCorrelator({
    recordDuplicatedEvents,
    statusMap: { namespace: 'kube-system', name: 'status' },
  });
}

describe('EventCorrelator', () => {
  test('an object gets one event per reason in five minutes, whatever the message', () => {
    // interface 9/35
    const one = correlator();
    const sent = Array.from({ length: 24 }, (_, index) =>
      one.correlate(event(`reason ${index}`), index * 10_000),
    );
    expect(sent.filter((correlated) => correlated !== null)).toHaveLength(1);
    expect(one.correlate(event('again'), 5 * MINUTE)).not.toBeNull();
  });

  test('another reason or another object has its own', () => {
    const one = correlator();
    one.correlate(event('a'), 0);
    expect(one.correlate(event('a', { reason: 'ScaleDown' }), 0)).not.toBeNull();
    expect(one.correlate(event('a', { subject: { ...POD, uid: 'u9' } }), 0)).not.toBeNull();
    expect(one.correlate(event('a'), 0)).toBeNull();
  });

  test('held-back repeats count, so that the next one that is sent jumps', () => {
    // interface 5.4
    const one = correlator();
    expect(one.correlate(event('a'), 0)).toMatchObject({ count: 1, firstMs: 0, lastMs: 0 });
    one.correlate(event('a'), 1 * MINUTE);
    one.correlate(event('a'), 2 * MINUTE);
    expect(one.correlate(event('a'), 5 * MINUTE)).toMatchObject({ count: 4, firstMs: 0, lastMs: 5 * MINUTE });
  });

  test('on the status map every distinct message passes, literal repeats do not', () => {
    // interface 5.4
    const one = correlator();
    const onMap = (message: string) => one.correlate(event(message, { subject: STATUS }), 0);
    expect([onMap('1 -> 2'), onMap('2 -> 3'), onMap('2 -> 3')].map((sent) => sent !== null)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('the tenth different message and those after it are merged', () => {
    // interface 9/35
    const one = correlator(true);
    const sent = Array.from({ length: 12 }, (_, index) => one.correlate(event(`m${index}`), index * 1000));
    expect(sent.slice(0, 9).map((correlated) => correlated?.message)).toEqual(
      Array.from({ length: 9 }, (_, index) => `m${index}`),
    );
    expect(sent.slice(9).map((correlated) => [correlated?.message, correlated?.count])).toEqual([
      ['(combined from similar events): m9', 1],
      ['(combined from similar events): m10', 2],
      ['(combined from similar events): m11', 3],
    ]);
    expect(new Set(sent.slice(9).map((correlated) => correlated?.key)).size).toBe(1);
  });

  test('after ten quiet minutes messages stand alone again', () => {
    const one = correlator(true);
    for (let index = 0; index < 11; index++) one.correlate(event(`m${index}`), 0);
    expect(one.correlate(event('later'), 10 * MINUTE + 1)?.message).toBe('later');
  });

  test('with duplicates recorded, 25 events of an object pass, then one each five minutes', () => {
    // interface 9/35
    const one = correlator(true);
    const passed = Array.from({ length: 40 }, (_, index) =>
      one.correlate(event('same', { reason: `r${index}` }), 0),
    );
    expect(passed.filter((correlated) => correlated !== null)).toHaveLength(25);
    expect(one.correlate(event('x'), 5 * MINUTE)).not.toBeNull();
    expect(one.correlate(event('y'), 5 * MINUTE)).toBeNull();
  });
});
