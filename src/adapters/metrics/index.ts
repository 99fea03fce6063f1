export { MetricsSettings, PrometheusMetrics } from './prometheus-metrics.js';
