export type MetricLabels = Readonly<Record<string, string>>;

/**
 * Sink for the series of `interface` 2, by name without the prefix `cluster_autoscaler_`. The adapter knows each
 * series' type, help and label names; an unknown name or label is a bug and throws. Labels left out are empty text.
 * Series of clients (`hcloud_…`, `rest_client_…`) go by their full names. Observing `function_duration_seconds` feeds
 * its quantiles, too.
 */
export interface Metrics {
  /** Adds to a counter, or moves a gauge by a difference. */
  add(name: string, amount: number, labels?: MetricLabels): void;
  /** Sets a gauge. */
  set(name: string, value: number, labels?: MetricLabels): void;
  /** Observes a histogram, in the unit of its name (seconds). */
  observe(name: string, value: number, labels?: MetricLabels): void;
  /** Drops all label combinations of a gauge, before it is set anew from a list that may have shrunk. */
  reset(name: string): void;
}

export const Metrics = Symbol('Metrics');
