import { ConfigurationError } from '../../application/ports/configuration.js';

export interface ListenAddress {
  /** Null: all interfaces. */
  readonly host: string | null;
  /** 0: any free port. */
  readonly port: number;
}

/** `--address` as Go writes it: `:8085`, `127.0.0.1:8085`, `[::1]:8085`. Throws ConfigurationError. */
export function parseListenAddress(text: string): ListenAddress {
  const match = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d+)$/u.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw addressError(text, 'it is not of the form host:port', 'write for example :8085');
  }
  const host = match[1] ?? match[2] ?? '';
  return { host: host === '' ? null : host, port };
}

export function addressError(value: string, problem: string, remedy: string): ConfigurationError {
  return new ConfigurationError([{ place: '--address', value, problem, remedy }]);
}
