import type { PendingClass } from '../estimation/estimate.js';
import type { SizeChange } from '../node-group/distribute.js';
import type { ClassReport } from './plan.js';

/** One round of an iteration: what was planned, and what became of it. */
export interface Round {
  readonly reports: readonly ClassReport[];
  /** Pods of each class of this round that the accepted growth can hold, by class id. */
  readonly served: ReadonlyMap<number, number>;
}

/**
 * One report for each class over all rounds: pods served by any of them, and for the others the reasons of the round
 * that looked at them last.
 */
export function mergeReports(
  classes: readonly PendingClass[],
  rounds: readonly Round[],
): readonly ClassReport[] {
  const served = new Map<number, number>();
  const latest = new Map<number, ClassReport>();
  for (const round of rounds) {
    for (const report of round.reports) latest.set(report.classId, report);
    for (const [classId, count] of round.served) served.set(classId, (served.get(classId) ?? 0) + count);
  }
  return classes.flatMap(({ classId, pods }) => {
    const report = latest.get(classId);
    return report === undefined ? [] : [{ ...report, pods, triggered: served.get(classId) ?? 0 }];
  });
}

/** Growth of the same group in several rounds as one change. */
export function mergeChanges(changes: readonly SizeChange[]): readonly SizeChange[] {
  const byGroup = new Map<string, SizeChange>();
  for (const change of changes) {
    const first = byGroup.get(change.groupId) ?? change;
    byGroup.set(change.groupId, { ...change, currentSize: first.currentSize });
  }
  return [...byGroup.values()];
}
