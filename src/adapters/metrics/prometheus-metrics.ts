import { inject, injectable } from 'inversify';
import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';
import type { Exposition, MetricsExposition } from '../../application/ports/metrics-exposition.js';
import type { MetricLabels, Metrics } from '../../application/ports/metrics.js';
import { createMetric } from './create-metric.js';
import type { PromMetric } from './create-metric.js';
import { createRuntimeMetrics } from './runtime-metrics.js';
import { AUTOSCALER_SERIES } from './series/autoscaler-series.js';
import { CLIENT_SERIES } from './series/client-series.js';
import { AUTOSCALER_PREFIX } from './series/series-definition.js';
import type { SeriesDefinition } from './series/series-definition.js';

export interface MetricsSettings {
  /** `--emit-per-nodegroup-metrics`. */
  readonly perNodeGroup: boolean;
}

export const MetricsSettings = Symbol('MetricsSettings');

interface Series {
  readonly definition: SeriesDefinition;
  readonly metric: PromMetric;
}

const FUNCTION_DURATION = 'function_duration_seconds';
const FUNCTION_QUANTILES = 'function_duration_quantile_seconds';

/**
 * All series of `interface` 2 in a registry of its own. Values of series that are not shown (yet) are kept, as
 * upstream does: a new leader starts with what it has counted.
 */
@injectable()
export class PrometheusMetrics implements Metrics, MetricsExposition {
  private readonly registry = new Registry();
  private readonly seriesByName = new Map<string, Series>();
  private readonly registered: Counter<'stability_level' | 'deprecated_version'>;
  private isLeading = false;

  constructor(@inject(MetricsSettings) private readonly settings: MetricsSettings) {
    for (const definition of [...AUTOSCALER_SERIES, ...CLIENT_SERIES]) {
      const name = definition.name.replace(AUTOSCALER_PREFIX, '');
      this.seriesByName.set(name, { definition, metric: createMetric(definition) });
    }
    this.registered = new Counter({
      name: 'registered_metrics_total',
      help: '[BETA] Number of metrics registered, by stability and deprecation.',
      labelNames: ['stability_level', 'deprecated_version'],
      registers: [this.registry],
    });
    for (const metric of createRuntimeMetrics()) this.registry.registerMetric(metric);
    this.show('process');
  }

  add(name: string, amount: number, labels?: MetricLabels): void {
    const { definition, metric } = this.find(name);
    if (metric instanceof Counter || metric instanceof Gauge)
      metric.inc(complete(definition, labels), amount);
    else throw new TypeError(`${name} is a ${definition.kind}: observe it`);
  }

  set(name: string, value: number, labels?: MetricLabels): void {
    const { definition, metric } = this.find(name);
    if (metric instanceof Gauge) metric.set(complete(definition, labels), value);
    else throw new TypeError(`${name} is a ${definition.kind}, not a gauge`);
  }

  observe(name: string, value: number, labels?: MetricLabels): void {
    const { definition, metric } = this.find(name);
    if (metric instanceof Histogram || metric instanceof Summary)
      metric.observe(complete(definition, labels), value);
    else throw new TypeError(`${name} is a ${definition.kind}, not a histogram`);
    if (name === FUNCTION_DURATION) this.observe(FUNCTION_QUANTILES, value, labels);
  }

  reset(name: string): void {
    const { definition, metric } = this.find(name);
    if (metric instanceof Gauge) metric.reset();
    else throw new TypeError(`${name} is a ${definition.kind}, not a gauge`);
  }

  showAutoscalerSeries(): void {
    if (this.isLeading) return;
    this.isLeading = true;
    this.show('autoscaler');
    if (this.settings.perNodeGroup) this.show('node-group');
  }

  async render(): Promise<Exposition> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }

  private show(scope: SeriesDefinition['scope']): void {
    for (const { definition, metric } of this.seriesByName.values()) {
      if (definition.scope !== scope) continue;
      this.registry.registerMetric(metric);
      this.registered.inc({
        stability_level: 'ALPHA',
        deprecated_version: definition.deprecatedSince ?? '',
      });
    }
  }

  private find(name: string): Series {
    const series = this.seriesByName.get(name);
    if (series === undefined) throw new TypeError(`unknown metric ${name}`);
    return series;
  }
}

/** Labels with those left out as empty text, as upstream shows them; the client refuses unknown ones. */
function complete(definition: SeriesDefinition, labels: MetricLabels = {}): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of definition.labels) all[name] = '';
  return { ...all, ...labels };
}
