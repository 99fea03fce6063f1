import type { LogFields, Logger } from '../../application/ports/logger.js';
import type { LineWriter, Severity } from './log-line.js';
import type { LoggingSettings } from './logging-settings.js';
import { redactFields } from './redact-fields.js';

/** klog levels of messages that name none: the chart's default `-v=4` shows debug messages. */
const INFO_LEVEL = 0;
const DEBUG_LEVEL = 4;

/**
 * The Logger port over klog's verbosity. A message has the level of its method (`info` and `warn` 0, `debug` 4) unless
 * its fields name another as `v`; it is written if the level is at most `-v`, or at most the level that `--vmodule`
 * gives its event. Errors are always written.
 */
export class StructuredLogger implements Logger {
  private readonly patterns: readonly { readonly matches: RegExp; readonly level: number }[];

  constructor(
    private readonly settings: Pick<LoggingSettings, 'verbosity' | 'verbosityPatterns'>,
    private readonly writer: LineWriter,
  ) {
    this.patterns = settings.verbosityPatterns.map(({ pattern, level }) => ({
      matches: globToRegExp(pattern),
      level,
    }));
  }

  debug(event: string, message: string, fields?: LogFields): void {
    this.write('info', DEBUG_LEVEL, { event, message, fields });
  }

  info(event: string, message: string, fields?: LogFields): void {
    this.write('info', INFO_LEVEL, { event, message, fields });
  }

  warn(event: string, message: string, fields?: LogFields): void {
    this.write('warning', INFO_LEVEL, { event, message, fields });
  }

  error(event: string, message: string, fields?: LogFields): void {
    this.writer.write({ severity: 'error', verbosity: null, event, message, fields: present(fields) });
  }

  private write(severity: Severity, defaultLevel: number, said: Said): void {
    const level = typeof said.fields?.v === 'number' ? said.fields.v : defaultLevel;
    if (level > this.settings.verbosity && !this.isRaised(said.event, level)) return;
    const { event, message } = said;
    this.writer.write({ severity, verbosity: level, event, message, fields: present(said.fields) });
  }

  private isRaised(event: string, level: number): boolean {
    return this.patterns.some((pattern) => level <= pattern.level && pattern.matches.test(event));
  }
}

interface Said {
  readonly event: string;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

/** Fields as a line shows them: without the level, errors under klog's key `err`. */
function present(fields: LogFields | undefined): LogFields {
  if (fields === undefined) return {};
  const { error, ...others } = fields;
  return redactFields({ ...others, v: undefined, err: error ?? others.err });
}

function globToRegExp(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/gu, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'u');
}
