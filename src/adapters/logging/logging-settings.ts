/** The logging flags that have an effect (`interface` 1.9). */
export interface LoggingSettings {
  readonly format: 'text' | 'json';
  /** `-v`. */
  readonly verbosity: number;
  /** `--vmodule`: raises the verbosity of events that match a glob. */
  readonly verbosityPatterns: readonly { readonly pattern: string; readonly level: number }[];
  /** Errors to stderr, the rest to stdout. */
  readonly splitStream: boolean;
  /** Null: no file. */
  readonly filePath: string | null;
  readonly toStderr: boolean;
  /** Text lines without severity, time and event. */
  readonly skipHeaders: boolean;
}

export const LoggingSettings = Symbol('LoggingSettings');

export const DEFAULT_LOGGING: LoggingSettings = {
  format: 'text',
  verbosity: 0,
  verbosityPatterns: [],
  splitStream: false,
  filePath: null,
  toStderr: true,
  skipHeaders: false,
};
