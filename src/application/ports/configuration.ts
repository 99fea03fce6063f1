/** Where configuration text comes from: environment variables and files. */
export interface ConfigurationSource {
  /** The variable as set; undefined when it is not set. An empty string counts as set. */
  variable(name: string): string | undefined;
  /** Content of a file. Throws {@link UnreadableFileError} naming the path when it can't be read. */
  file(path: string): string;
}

export const ConfigurationSource = Symbol('ConfigurationSource');

/** One faulty value. */
export interface ConfigurationFault {
  /** Variable, flag or JSON path: `HCLOUD_NETWORK`, `--nodes[1]`, `HCLOUD_CLUSTER_CONFIG.nodeConfigs.pool1.labels`. */
  readonly place: string;
  /** The value as found, shortened; null when it is missing, `(secret)` when it must not be shown. */
  readonly value: string | null;
  /** What is wrong with it. */
  readonly problem: string;
  /** What to write instead. */
  readonly remedy: string;
}

/** Configuration that can't be used. Reported as a whole, before any request is sent. */
export class ConfigurationError extends Error {
  /** `headline`: a first line before the faults, where users and their scripts know a text of the Go program. */
  constructor(
    readonly faults: readonly ConfigurationFault[],
    readonly headline?: string,
  ) {
    super([...(headline === undefined ? [] : [headline]), ...faults.map(renderFault)].join('\n'));
    this.name = 'ConfigurationError';
  }
}

/** A file that can't be read. `code` is the operating system's (`ENOENT`, `EACCES`, `EISDIR`, …), or empty. */
export class UnreadableFileError extends ConfigurationError {
  constructor(
    readonly code: string,
    fault: ConfigurationFault,
    cause?: unknown,
  ) {
    super([fault]);
    this.name = 'UnreadableFileError';
    if (cause !== undefined) this.cause = cause;
  }
}

export function renderFault(fault: ConfigurationFault): string {
  const value = fault.value === null ? 'not set' : `is ${JSON.stringify(fault.value)}`;
  return `${fault.place} ${value}: ${fault.problem}; ${fault.remedy}`;
}
