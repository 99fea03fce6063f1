import { parseArgs } from 'node:util';

/** What `evenkeel sandbox` was asked for. */
export interface SandboxArguments {
  /** 0: any free port. */
  readonly kubernetesPort: number;
  readonly hetznerPort: number;
  /** Where the kubeconfig goes; null: into a folder of its own, which goes with the process. */
  readonly kubeconfig: string | null;
  /** World seconds in a second. */
  readonly speed: number;
  readonly seed: string;
  readonly workers: number;
  /** Path of a scenario that the world is built from; null: a small world. */
  readonly scenario: string | null;
}

/** The arguments, a wish for help, or a sentence on what is wrong with them. */
export type ReadArguments =
  | { readonly kind: 'arguments'; readonly value: SandboxArguments }
  | { readonly kind: 'help' }
  | { readonly kind: 'problem'; readonly problem: string };

export const SANDBOX_USAGE = `Usage of evenkeel sandbox: serves a simulated cluster on Hetzner Cloud on this machine.

  --port-kubernetes number
        Port of the Kubernetes API (default: any free one)
  --port-hetzner number
        Port of the Hetzner Cloud API (default: any free one)
  --kubeconfig path
        Where to write the kubeconfig; one for the autoscaler goes beside it (default: a temporary folder)
  --speed factor
        How fast the time of the world runs (default 1)
  --seed text
        Same seed and same requests, same names and chances (default 1)
  --workers number
        Workers in the group pool1 at the beginning (default 1)
  --scenario file
        Begin with the world of a scenario instead
`;

/** Far more than anyone can follow; a day takes nine seconds. */
const SPEED_MAX = 10_000;
const WORKERS_MAX = 1_000;
const PORT_MAX = 65_535;

const OPTIONS = {
  'port-kubernetes': { type: 'string', default: '0' },
  'port-hetzner': { type: 'string', default: '0' },
  kubeconfig: { type: 'string' },
  speed: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  workers: { type: 'string', default: '1' },
  scenario: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function readSandboxArguments(argv: readonly string[]): ReadArguments {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true });
    if (values.help) return { kind: 'help' };
    const value = {
      kubernetesPort: wholeNumber('port-kubernetes', values['port-kubernetes'], PORT_MAX),
      hetznerPort: wholeNumber('port-hetzner', values['port-hetzner'], PORT_MAX),
      kubeconfig: values.kubeconfig ?? null,
      speed: speedOf(values.speed),
      seed: values.seed,
      workers: wholeNumber('workers', values.workers, WORKERS_MAX),
      scenario: values.scenario ?? null,
    };
    return { kind: 'arguments', value };
  } catch (error) {
    // Node's own sentence on an unknown option, or ours on a value.
    return { kind: 'problem', problem: error instanceof Error ? error.message : String(error) };
  }
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value <= max)) throw new RangeError(`--${name} is a whole number from 0 to ${max}, not '${text}'`);
  return value;
}

function speedOf(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= SPEED_MAX)) {
    throw new RangeError(`--speed is a number above 0 and at most ${SPEED_MAX}, not '${text}'`);
  }
  return value;
}
