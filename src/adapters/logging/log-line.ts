import type { LogFields } from '../../application/ports/logger.js';

export type Severity = 'info' | 'warning' | 'error';

/** One message, ready to be written. */
export interface LogLine {
  readonly severity: Severity;
  /** Null on errors. */
  readonly verbosity: number | null;
  readonly event: string;
  readonly message: string;
  /** Redacted. */
  readonly fields: LogFields;
}

/** Turns messages into lines of one format. */
export interface LineWriter {
  write(line: LogLine): void;
}
