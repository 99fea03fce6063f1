import { Counter, Gauge, Histogram, Summary } from 'prom-client';
import type { SeriesDefinition } from './series/series-definition.js';

export type PromMetric = Counter | Gauge | Histogram | Summary;

/** 0.5, 0.9, 0.99 over a sliding hour (`interface` 2.3). */
const QUANTILES = [0.5, 0.9, 0.99];
const QUANTILE_WINDOW_SECONDS = 3_600;
const QUANTILE_WINDOW_PARTS = 5;

/** Creates the metric without registering it, its initial series at 0. */
export function createMetric(definition: SeriesDefinition): PromMetric {
  const common = {
    name: definition.name,
    // Upstream's registry puts the stability in front of every text.
    help: `[ALPHA] ${definition.help}`,
    labelNames: definition.labels,
    registers: [],
  };
  switch (definition.kind) {
    case 'counter': {
      const counter = new Counter(common);
      for (const labels of definition.initial ?? []) counter.inc(labels, 0);
      return counter;
    }
    case 'gauge':
      return new Gauge(common);
    case 'histogram':
      return new Histogram({ ...common, buckets: [...(definition.buckets ?? [])] });
    case 'summary':
      return new Summary({
        ...common,
        percentiles: QUANTILES,
        maxAgeSeconds: QUANTILE_WINDOW_SECONDS,
        ageBuckets: QUANTILE_WINDOW_PARTS,
      });
  }
}
