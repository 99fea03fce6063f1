/**
 * When a series is shown. `process`: always. `autoscaler`: once this process leads, so that sums over replicas do not
 * double (`interface` 2.1). `node-group`: the same, and only with `--emit-per-nodegroup-metrics`.
 */
export type SeriesScope = 'process' | 'autoscaler' | 'node-group';

/** One metric: its type, text and labels (`interface` 2). */
export interface SeriesDefinition {
  /** Full name. */
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly scope: SeriesScope;
  readonly labels: readonly string[];
  /** Histograms only. */
  readonly buckets?: readonly number[];
  /** Label values of series that exist from the start, at 0. Unlabelled series do so anyway. */
  readonly initial?: readonly Readonly<Record<string, string>>[];
  /** Version since which upstream marks it as deprecated. */
  readonly deprecatedSince?: string;
}

export const AUTOSCALER_PREFIX = 'cluster_autoscaler_';
