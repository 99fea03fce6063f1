export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Structured log. `event` is a stable, kebab-case id that people grep for (`scale-up-planned`); `message` is the
 * sentence. Secrets never go in: adapters redact what they hand over. Levels are those of `-v`: `info` and `warn` are 0,
 * `debug` is 4; a number in the field `v` gives a message another one (`{ v: 5 }` for dumps).
 */
export interface Logger {
  debug(event: string, message: string, fields?: LogFields): void;
  info(event: string, message: string, fields?: LogFields): void;
  warn(event: string, message: string, fields?: LogFields): void;
  error(event: string, message: string, fields?: LogFields): void;
}

export const Logger = Symbol('Logger');
