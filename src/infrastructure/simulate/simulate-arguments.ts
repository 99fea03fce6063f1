import { parseArgs } from 'node:util';

export interface SimulateArguments {
  readonly files: readonly string[];
  /** Null: each story's own. */
  readonly seed: string | number | null;
  readonly asJson: boolean;
  readonly verbose: boolean;
}

export type SimulateRequest =
  | { readonly kind: 'play'; readonly arguments: SimulateArguments }
  | { readonly kind: 'help' }
  | { readonly kind: 'schema' }
  | { readonly kind: 'error'; readonly problem: string };

export const SIMULATE_USAGE = `Usage: evenkeel simulate [options] scenario.yaml...

Plays stories against a simulated cloud and cluster in virtual time, and says what was decided and why.

  -o, --output json   print the outcome as JSON
      --seed n        seed of all chances, instead of the stories' own
  -v, --verbose       also print the log, and where pods go
      --schema        print the JSON schema of scenarios

Exit code: 0 if all expectations hold, 1 if not, 2 for a faulty scenario. docs/scenarios.md describes scenarios.
`;

export function readSimulateArguments(argv: readonly string[]): SimulateRequest {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        seed: { type: 'string' },
        verbose: { type: 'boolean', short: 'v' },
        schema: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return { kind: 'error', problem: (error as Error).message };
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { kind: 'help' };
  if (values.schema === true) return { kind: 'schema' };
  if (values.output !== undefined && values.output !== 'json') {
    return { kind: 'error', problem: `--output is "${values.output}": json is the only other form` };
  }
  if (positionals.length === 0) return { kind: 'error', problem: 'no scenario is named' };
  const { seed } = values;
  return {
    kind: 'play',
    arguments: {
      files: positionals,
      seed: seed === undefined ? null : /^\d+$/u.test(seed) ? Number(seed) : seed,
      asJson: values.output === 'json',
      verbose: values.verbose === true,
    },
  };
}
