import type { ConfigurationFault } from '../../../application/ports/configuration.js';

/** A faulty value that ends the start, with the exit code of the Go program (`interface` 1.10). */
export interface StartFault extends ConfigurationFault {
  /** 255: fatal. 2: flag error or panic. 1: the gRPC certificate. */
  readonly exitCode: 1 | 2 | 255;
}

export function fatal(flagName: string, value: string | null, problem: string, remedy: string): StartFault {
  return { place: `--${flagName}`, value, problem, remedy, exitCode: 255 };
}

/** A value made from text, or why not. */
export type Checked<Value> = { readonly value: Value } | { readonly fault: StartFault };
