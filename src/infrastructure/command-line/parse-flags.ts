import { optionKey } from './flag-definition.js';
import type { FlagDefinition } from './flag-definition.js';
import { FLAGS } from './flag-table.js';
import type { AutoscalerOptions, FlagName } from './flag-table.js';

/** What the command line said. */
export interface ParsedFlags {
  readonly options: AutoscalerOptions;
  /** Flags that the command line names, in the order of their first occurrence. */
  readonly explicit: ReadonlySet<FlagName>;
}

export type ParseResult =
  | { readonly kind: 'flags'; readonly flags: ParsedFlags }
  | { readonly kind: 'help' }
  /** Unknown flag or bad value; ends the process with usage text and exit code 2. */
  | { readonly kind: 'error'; readonly problem: string };

/** One argument taken apart. `text` is undefined where the value, if any, is the next argument. */
interface Occurrence {
  readonly name: string;
  /** As an error names it: `--scan-interval`, `-v, --v`. */
  readonly shown: string;
  readonly text: string | undefined;
}

/**
 * Reads flags by the grammar of the Go program (`interface` 1.1): double dash before names, `_` equals `-`, booleans
 * take a value only behind `=`, the last scalar wins, lists append, words without dashes are ignored, `--` ends flags.
 */
export function parseFlags(argv: readonly string[]): ParseResult {
  const values = new Map<FlagName, unknown>();
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index]!;
    if (argument === '--') break;
    if (!argument.startsWith('-') || argument === '-') continue;
    const occurrence = takeApart(argument);
    if ('problem' in occurrence) return { kind: 'error', problem: occurrence.problem };
    if (occurrence.name === 'help') return { kind: 'help' };
    const definition = definitionOf(occurrence.name);
    if (definition === undefined) return { kind: 'error', problem: `unknown flag: --${occurrence.name}` };
    let text = occurrence.text ?? definition.type.bareText;
    if (text === undefined) {
      index += 1;
      text = argv[index];
    }
    if (text === undefined) return { kind: 'error', problem: `flag needs an argument: ${argument}` };
    const name = occurrence.name as FlagName;
    const reading = definition.type.read(text, values.get(name));
    if (!reading.ok) {
      const problem = `invalid argument ${JSON.stringify(text)} for "${occurrence.shown}" flag: ${reading.problem}`;
      return { kind: 'error', problem };
    }
    values.set(name, reading.value);
  }
  return { kind: 'flags', flags: { options: toOptions(values), explicit: new Set(values.keys()) } };
}

/** The options of an empty command line. */
export function defaultOptions(): AutoscalerOptions {
  return toOptions(new Map());
}

function takeApart(argument: string): Occurrence | { readonly problem: string } {
  return argument.startsWith('--') ? takeApartLong(argument) : takeApartShort(argument);
}

function takeApartLong(argument: string): Occurrence | { readonly problem: string } {
  const equals = argument.indexOf('=');
  const written = equals === -1 ? argument.slice(2) : argument.slice(2, equals);
  if (written === '' || written.startsWith('-')) return { problem: `bad flag syntax: ${argument}` };
  const name = written.replaceAll('_', '-');
  return { name, shown: `--${name}`, text: equals === -1 ? undefined : argument.slice(equals + 1) };
}

/** Only `-v N`, `-v=N`, `-vN` and `-h` exist; anything else is a bundle with an unknown letter. */
function takeApartShort(argument: string): Occurrence | { readonly problem: string } {
  const letter = argument[1]!;
  const rest = argument.slice(2);
  if (letter === 'h') return { name: 'help', shown: '-h', text: '' };
  if (letter !== 'v') {
    const shown = JSON.stringify(letter).replaceAll('"', "'");
    return { problem: `unknown shorthand flag: ${shown} in ${argument}` };
  }
  const text = rest === '' ? undefined : rest.replace(/^=/u, '');
  return { name: 'v', shown: '-v, --v', text };
}

function definitionOf(name: string): FlagDefinition | undefined {
  return FLAGS.get(name as FlagName);
}

function toOptions(values: ReadonlyMap<FlagName, unknown>): AutoscalerOptions {
  const entries = [...FLAGS].map(([name, definition]) => [
    optionKey(name, definition),
    values.has(name) ? values.get(name) : definition.default,
  ]);
  // The table's type says key and value of each entry; only the loop over it can't.
  return Object.fromEntries(entries) as AutoscalerOptions;
}
