import { activeBackOff, recordFailure } from '../../../src/domain/readiness/index.js';
import type { BackOff, ScaleUpFailure } from '../../../src/domain/readiness/index.js';
import { dropStale } from '../../../src/domain/readiness/back-off.js';
import type { Keyed } from '../../../src/domain/readiness/keyed.js';
import { DEFAULT_CLUSTER_STATE_POLICY as POLICY } from '../../../src/domain/readiness/index.js';
import { MINUTE, T0 } from '../../support/builders.js';

const SECOND = 1_000;
const failAt = (atMs: number, fields: Partial<ScaleUpFailure> = {}): ScaleUpFailure => ({
  groupId: 'g',
  atMs,
  failure: { kind: 'transient', code: 'broken', message: 'it broke' },
  waitedMs: 0,
  ...fields,
});

describe('back-off table', () => {
  // scale-up 14/65, 14/66
  it('doubles after each expired penalty up to the maximum', () => {
    let table: Keyed<BackOff> = {};
    let atMs = T0;
    const minutes = [5, 10, 20, 30, 30].map((expected) => {
      table = recordFailure(table, failAt(atMs), POLICY);
      const { untilMs } = table.g!;
      expect(activeBackOff(table, 'g', untilMs)).not.toBeNull();
      expect(activeBackOff(table, 'g', untilMs + 1)).toBeNull();
      expect((untilMs - atMs) / MINUTE).toBe(expected);
      atMs = untilMs + SECOND;
      return expected;
    });
    expect(minutes).toHaveLength(5);
  });

  // scale-up 14/66
  it('keeps the length but not the end while a penalty is running', () => {
    const first = recordFailure({}, failAt(T0), POLICY);
    const second = recordFailure(
      first,
      failAt(T0 + MINUTE, { failure: { kind: 'quota', code: 'limit', message: 'full' } }),
      POLICY,
    );
    expect(second.g).toEqual({
      groupId: 'g',
      durationMs: 5 * MINUTE,
      untilMs: T0 + 6 * MINUTE,
      lastFailureMs: T0 + MINUTE,
      failure: { kind: 'quota', code: 'limit', message: 'full' },
    });
  });

  // scale-up 14/66
  it('forgets a group three hours after its last failure, and keeps groups apart', () => {
    const table = recordFailure(
      recordFailure({}, failAt(T0), POLICY),
      failAt(T0 + MINUTE, { groupId: 'h' }),
      POLICY,
    );
    expect(Object.keys(dropStale(table, T0 + 180 * MINUTE, POLICY))).toEqual(['g', 'h']);
    expect(Object.keys(dropStale(table, T0 + 180 * MINUTE + 1, POLICY))).toEqual(['h']);
  });

  // case U050
  it('is longer than the wait that failed, within the maximum', () => {
    const waited = (waitedMs: number) =>
      (recordFailure({}, failAt(T0, { waitedMs }), POLICY).g!.untilMs - T0) / MINUTE;
    expect([waited(2 * MINUTE), waited(15 * MINUTE), waited(60 * MINUTE)]).toEqual([5, 20, 30]);
  });

  it('honours the advice of the cloud, up to the reset time', () => {
    const advised = (retryAfterMs: number) =>
      (recordFailure(
        {},
        failAt(T0, { failure: { kind: 'throttled', code: 'slow', message: '', retryAfterMs } }),
        POLICY,
      ).g!.untilMs -
        T0) /
      MINUTE;
    expect([advised(MINUTE), advised(60 * MINUTE), advised(600 * MINUTE)]).toEqual([5, 60, 180]);
  });

  it('knows no group by an inherited name', () => {
    expect(activeBackOff({}, 'constructor', T0)).toBeNull();
    expect(recordFailure({}, failAt(T0, { groupId: 'constructor' }), POLICY).constructor).toMatchObject({
      durationMs: 5 * MINUTE,
    });
  });
});
