import { pino } from 'pino';
import type { Clock } from '../../application/ports/clock.js';
import type { LogFields } from '../../application/ports/logger.js';
import type { LogDestination } from './log-destination.js';
import type { LineWriter, LogLine, Severity } from './log-line.js';
import type { SecretRegistry } from './secret-registry.js';

/** Keys that the line itself owns. */
const RESERVED = new Set(['severity', 'ts', 'caller', 'v', 'msg']);

/**
 * One JSON object a line, with the keys of the Go program: `ts` (milliseconds since the epoch), `caller`, `msg`, `v`
 * (absent on errors), `err`. differs from upstream: `caller` is the event id, because a source line of a bundle says
 * nothing and an event id can be searched for; `severity` is added, because warnings look like info otherwise.
 */
export class JsonLines implements LineWriter {
  private readonly logger: ReturnType<typeof pino>;
  /** Of the line being written: pino hands its stream only the text, within the same call. */
  private severity: Severity = 'info';

  constructor(clock: Clock, secrets: SecretRegistry, destination: LogDestination) {
    const stream = {
      write: (text: string): void => destination.write(secrets.redact(text), this.severity),
    };
    this.logger = pino(
      {
        base: null,
        level: 'info',
        timestamp: () => `,"ts":${clock.now()}`,
        formatters: { level: (label) => ({ severity: label === 'warn' ? 'warning' : label }) },
      },
      stream,
    );
  }

  write({ severity, verbosity, event, message, fields }: LogLine): void {
    this.severity = severity;
    const v = verbosity === null ? {} : { v: verbosity };
    this.logger[severity === 'warning' ? 'warn' : severity](
      { caller: event, ...v, ...unreserve(fields) },
      message,
    );
  }
}

function unreserve(fields: LogFields): LogFields {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.map(([name, value]) => [RESERVED.has(name) ? `${name}_` : name, value]));
}
