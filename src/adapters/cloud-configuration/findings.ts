import { ConfigurationError } from '../../application/ports/configuration.js';
import type { ConfigurationFault } from '../../application/ports/configuration.js';

/** Longest piece of a faulty value that is shown. */
const SHOWN_CHARACTERS_MAX = 80;

/** Collects what is wrong or odd with a configuration, so that all of it can be told at once. */
export class Findings {
  readonly faults: ConfigurationFault[] = [];
  readonly warnings: string[] = [];

  /** `secretProperties`: names of properties whose values must not be shown. */
  constructor(private readonly secretProperties: ReadonlySet<string> = new Set()) {}

  isSecret(property: string): boolean {
    return this.secretProperties.has(property);
  }

  fault(place: string, value: string | null, problem: string, remedy: string): void {
    this.faults.push({ place, value: value === null ? null : shorten(value), problem, remedy });
  }

  warn(sentence: string): void {
    this.warnings.push(sentence);
  }

  /** `headline`: see {@link ConfigurationError}. */
  throwIfFaulty(headline?: string): void {
    if (this.faults.length > 0) throw new ConfigurationError(this.faults, headline);
  }
}

function shorten(value: string): string {
  return value.length <= SHOWN_CHARACTERS_MAX ? value : `${value.slice(0, SHOWN_CHARACTERS_MAX)}…`;
}
