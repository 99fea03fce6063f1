import { parseArgs } from 'node:util';

/** Clouds that can be served. */
const CLOUDS = ['hetzner', 'utho'] as const;
export type SandboxCloud = (typeof CLOUDS)[number];

/** What `evenkeel sandbox` was asked for. */
export interface SandboxArguments {
  readonly cloud: SandboxCloud;
  /** 0: any free port. */
  readonly kubernetesPort: number;
  readonly cloudPort: number;
  /** Where the kubeconfig goes; null: into a folder of its own, which goes with the process. */
  readonly kubeconfig: string | null;
  /** Seconds of waiting that pass in a second. */
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

export const SANDBOX_USAGE = `Usage of evenkeel sandbox: serves a simulated cluster on this machine.

  --cloud name
        The cloud that it is on: ${CLOUDS.join(', ')} (default hetzner)
  --port-kubernetes number
        Port of the Kubernetes API (default: any free one)
  --port-hetzner number
        Port of the Hetzner Cloud API (default: any free one)
  --port-utho number
        Port of the Utho API (default: any free one)
  --kubeconfig path
        Where to write the kubeconfig; what the autoscaler needs goes beside it (default: a temporary folder)
  --speed factor
        So many times sooner machines boot and pods start; times are those of the wall (default 1).
        With --scenario, how fast its time runs, which is then ahead of the wall
  --seed text
        Same seed and same requests, same names and chances (default 1)
  --workers number
        Workers in the group that grows, at the beginning (default 1)
  --scenario file
        Begin with the world of a scenario instead (on Hetzner Cloud)
`;

/** Far more than anyone can follow; a day takes nine seconds. */
const SPEED_MAX = 10_000;
const WORKERS_MAX = 1_000;
const PORT_MAX = 65_535;

const OPTIONS = {
  cloud: { type: 'string', default: 'hetzner' },
  'port-kubernetes': { type: 'string', default: '0' },
  'port-hetzner': { type: 'string' },
  'port-utho': { type: 'string' },
  kubeconfig: { type: 'string' },
  speed: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  workers: { type: 'string' },
  scenario: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export function readSandboxArguments(argv: readonly string[]): ReadArguments {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true });
    if (values.help) return { kind: 'help' };
    const cloud = cloudOf(values.cloud);
    refuseWithoutUse(cloud, values);
    const portName = `port-${cloud}` as const;
    const value = {
      cloud,
      kubernetesPort: wholeNumber('port-kubernetes', values['port-kubernetes'], PORT_MAX),
      cloudPort: wholeNumber(portName, values[portName] ?? '0', PORT_MAX),
      kubeconfig: values.kubeconfig ?? null,
      speed: speedOf(values.speed),
      seed: values.seed,
      workers: wholeNumber('workers', values.workers ?? '1', WORKERS_MAX),
      scenario: values.scenario ?? null,
    };
    return { kind: 'arguments', value };
  } catch (error) {
    // Node's own sentence on an unknown option, or ours on a value.
    return { kind: 'problem', problem: error instanceof Error ? error.message : String(error) };
  }
}

function cloudOf(name: string): SandboxCloud {
  const cloud = CLOUDS.find((one) => one === name);
  if (cloud === undefined) throw new RangeError(`--cloud is one of ${CLOUDS.join(', ')}, not '${name}'`);
  return cloud;
}

/** An option that would do nothing is a mistake. */
function refuseWithoutUse(cloud: SandboxCloud, values: Readonly<Record<string, unknown>>): void {
  for (const other of CLOUDS) {
    if (other !== cloud && values[`port-${other}`] !== undefined) {
      throw new RangeError(`--port-${other} is for --cloud=${other}`);
    }
  }
  if (values['scenario'] === undefined) return;
  if (cloud !== 'hetzner') throw new RangeError('--scenario tells stories of Hetzner Cloud');
  if (values['workers'] !== undefined)
    throw new RangeError('--workers is not for a --scenario, which has its own');
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
