import { renderFault } from '../../../application/ports/configuration.js';
import type { ConfigurationFault } from '../../../application/ports/configuration.js';

/** A faulty value that ends the start, with the exit code of the Go program (`interface` 1.10). */
export interface StartFault extends ConfigurationFault {
  /** 255: fatal. 2: flag error or panic. 1: the gRPC certificate. */
  readonly exitCode: 1 | 2 | 255;
  /** A line before it, where users and their scripts know a text of the Go program. */
  readonly headline?: string;
}

export function renderStartFault(fault: StartFault): string {
  return fault.headline === undefined ? renderFault(fault) : `${fault.headline}\n${renderFault(fault)}`;
}

export function fatal(flagName: string, value: string | null, problem: string, remedy: string): StartFault {
  return { place: `--${flagName}`, value, problem, remedy, exitCode: 255 };
}

/** A value made from text, or why not. */
export type Checked<Value> = { readonly value: Value } | { readonly fault: StartFault };
