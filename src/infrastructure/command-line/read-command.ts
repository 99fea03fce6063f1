import { parseFlags } from './parse-flags.js';
import type { ParsedFlags } from './parse-flags.js';
import { readDemoArguments } from './read-demo.js';
import type { DemoCloud } from './read-demo.js';
import { renderCommandHelp, renderUsage } from './usage.js';

/** What the process was asked to do. Texts go to stderr, as the Go program does. */
export type Command =
  | { readonly kind: 'run'; readonly flags: ParsedFlags }
  | { readonly kind: 'demo'; readonly cloud: DemoCloud }
  | { readonly kind: 'sandbox'; readonly argv: readonly string[] }
  | { readonly kind: 'simulate'; readonly argv: readonly string[] }
  | { readonly kind: 'version' }
  /** Exit code 0. */
  | { readonly kind: 'help'; readonly text: string }
  /** Exit code 2, nothing else done. */
  | { readonly kind: 'usage-error'; readonly text: string };

/**
 * Reads everything behind the program's name. `argv` without a command but with flags means `run`, so that a manifest
 * needs nothing but another image; the launcher `cluster-autoscaler` puts `run` in front.
 */
export function readCommand(argv: readonly string[]): Command {
  const [first, ...rest] = argv;
  switch (first) {
    case 'run':
      return readRun(rest);
    case 'demo':
      return readDemo(rest);
    case 'sandbox':
      return { kind: 'sandbox', argv: rest };
    case 'simulate':
      return { kind: 'simulate', argv: rest };
    case 'version':
    case '--version':
      return { kind: 'version' };
    case undefined:
    case 'help':
    case '--help':
    case '-h':
      return { kind: 'help', text: renderCommandHelp() };
    default:
      if (first.startsWith('-')) return readRun(argv);
      return usageError(`unknown command: ${first}`);
  }
}

function usageError(problem: string): Command {
  return { kind: 'usage-error', text: `${renderCommandHelp()}\n${problem}\n` };
}

function readDemo(argv: readonly string[]): Command {
  const result = readDemoArguments(argv);
  switch (result.kind) {
    case 'demo':
      return result;
    case 'help':
      return { kind: 'help', text: renderCommandHelp() };
    case 'problem':
      return usageError(result.problem);
  }
}

function readRun(argv: readonly string[]): Command {
  const result = parseFlags(argv);
  switch (result.kind) {
    case 'flags':
      return { kind: 'run', flags: result.flags };
    case 'help':
      return { kind: 'help', text: renderUsage('cluster-autoscaler') };
    case 'error':
      return {
        kind: 'usage-error',
        text: `${renderUsage('cluster-autoscaler')}\n${result.problem}\n`,
      };
  }
}
