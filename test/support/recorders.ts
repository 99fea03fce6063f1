import { inspect } from 'node:util';
import { PrometheusMetrics } from '../../src/adapters/metrics/index.js';
import { UnreadableFileError } from '../../src/application/ports/configuration.js';
import type { ConfigurationSource } from '../../src/application/ports/configuration.js';
import type { Incidents } from '../../src/application/ports/incidents.js';
import type { LogFields, Logger } from '../../src/application/ports/logger.js';
import type { MetricLabels, Metrics } from '../../src/application/ports/metrics.js';

/** Ports that remember what was told to them, for tests of any adapter. */

/** Values of environment variables and files by name. */
export function source(
  variables: Record<string, string>,
  files: Record<string, string> = {},
): ConfigurationSource {
  return {
    variable: (name) => variables[name],
    file: (path) => {
      const text = files[path];
      if (text !== undefined) return text;
      const [problem, remedy] = ['there is no such file', 'create it'];
      throw new UnreadableFileError('ENOENT', { place: path, value: null, problem, remedy });
    },
  };
}

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

export class RecordedLog implements Logger {
  readonly lines: LogLine[] = [];
  debug = (event: string, message: string, fields?: LogFields): void =>
    this.add('debug', event, message, fields);
  info = (event: string, message: string, fields?: LogFields): void =>
    this.add('info', event, message, fields);
  warn = (event: string, message: string, fields?: LogFields): void =>
    this.add('warn', event, message, fields);
  error = (event: string, message: string, fields?: LogFields): void =>
    this.add('error', event, message, fields);

  of(event: string): readonly LogLine[] {
    return this.lines.filter((line) => line.event === event);
  }

  /** Everything as it would be printed. */
  text(): string {
    return JSON.stringify(this.lines);
  }

  private add(level: string, event: string, message: string, fields?: LogFields): void {
    this.lines.push({ level, event, message, fields });
  }
}

/** Remembers values; the real sink behind it throws for a name or label that it does not know. */
export class RecordedMetrics implements Metrics {
  private readonly values = new Map<string, number>();
  private readonly sink = new PrometheusMetrics({ perNodeGroup: false });

  add(name: string, amount: number, labels?: MetricLabels): void {
    this.sink.add(name, amount, labels);
    this.count(name, amount, labels);
  }

  set(name: string, value: number, labels?: MetricLabels): void {
    this.sink.set(name, value, labels);
    this.values.set(key(name, labels), value);
  }

  observe(name: string, value: number, labels?: MetricLabels): void {
    this.sink.observe(name, value, labels);
    this.count(`${name}_count`, 1, labels);
  }

  reset(name: string): void {
    this.sink.reset(name);
    for (const known of this.values.keys()) if (known.startsWith(`${name}{`)) this.values.delete(known);
  }

  private count(name: string, amount: number, labels?: MetricLabels): void {
    this.values.set(key(name, labels), this.value(name, labels) + amount);
  }

  value(name: string, labels?: MetricLabels): number {
    return this.values.get(key(name, labels)) ?? 0;
  }
}

function key(name: string, labels: MetricLabels = {}): string {
  return `${name}{${JSON.stringify(Object.entries(labels).sort())}}`;
}

export class RecordedIncidents implements Incidents {
  readonly story: string[] = [];
  private readonly current = new Map<string, { sinceMs: number; count: number; message: string }>();
  private readonly told = new Set<string>();

  happened(name: string, message: string, error?: unknown): void {
    this.told.add(`${message}\n${inspect(error, { depth: 8 })}`);
    const known = this.current.get(name);
    if (known === undefined) this.story.push(`began ${name}`);
    this.current.set(name, { sinceMs: 0, count: (known?.count ?? 0) + 1, message });
  }

  over(name: string): void {
    if (this.current.delete(name)) this.story.push(`over ${name}`);
  }

  open() {
    return this.current;
  }

  /** Every message, with error and causes. */
  text(): string {
    return [...this.told].join('\n');
  }
}
