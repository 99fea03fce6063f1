import type { ClassReport } from './plan.js';
import { EXECUTION_FAILED } from './skip-reasons.js';

/**
 * The reports after groups could not grow: a class can still be helped while one group that would take it has not
 * failed (`scale-up` 5.11).
 */
export function withFailedGroups(
  reports: readonly ClassReport[],
  consideredGroupIds: readonly string[],
  failedGroupIds: ReadonlySet<string>,
): readonly ClassReport[] {
  if (failedGroupIds.size === 0) return reports;
  return reports.map((report) => {
    const accepting = consideredGroupIds.filter((id) => !report.rejected.has(id) && !report.skipped.has(id));
    const failed = accepting.filter((id) => failedGroupIds.has(id));
    if (failed.length === 0) return report;
    const rejected = new Map([...report.rejected, ...failed.map((id) => [id, [EXECUTION_FAILED]] as const)]);
    const others = failed.length === accepting.length ? 'remaining' : report.others;
    return { ...report, rejected, others };
  });
}
