import type { Container } from 'inversify';
import { LeaderRun } from '../../../src/application/loop/index.js';
import type { RunEnd } from '../../../src/application/loop/index.js';
import { checkOptions, parseFlags } from '../../../src/infrastructure/command-line/index.js';
import { composeAutoscaler } from '../../../src/infrastructure/composition/compose.js';
import type { Variations } from '../../../src/infrastructure/composition/compose.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/hetzner/index.js';
import { HetznerSandbox, POOL_LABEL } from '../../../src/sandbox/hetzner-sandbox.js';
import type { HetznerSandboxOptions } from '../../../src/sandbox/hetzner-sandbox.js';
import type { InProcessDispatcher } from '../../../src/sandbox/http/index.js';
import { SeededRandom, VirtualClock } from '../../../src/sandbox/world/index.js';

/** The composed program against the sandbox, both on one virtual clock: real adapters, no sockets, no waiting. */

export const KUBERNETES = 'http://kubernetes.test';
export const HETZNER = 'http://hetzner.test';

export const FLAGS: readonly string[] = [
  '--cloud-provider=hetzner',
  `--kubernetes=${KUBERNETES}?inClusterConfig=false`,
  '--kube-client-qps=1000',
  '--kube-client-burst=1000',
  '-v=1',
];

export const ENVIRONMENT: Readonly<Record<string, string>> = {
  HCLOUD_TOKEN: DEFAULT_TOKEN,
  HCLOUD_ENDPOINT: `${HETZNER}/v1`,
  HCLOUD_CLOUD_INIT: Buffer.from('#cloud-config\nruncmd: [join]\n').toString('base64'),
  HCLOUD_IMAGE: 'ubuntu-24.04',
};

/** What a program runs against: any cluster and any cloud behind the dispatcher. */
export interface Surroundings {
  readonly clock: VirtualClock;
  readonly dispatcher: InProcessDispatcher;
}

export interface World extends Surroundings {
  readonly sandbox: HetznerSandbox;
}

export function createWorld(options: Partial<HetznerSandboxOptions> = {}): World {
  const clock = new VirtualClock();
  const sandbox = new HetznerSandbox({ clock, seed: 1, ...options });
  sandbox.start();
  const dispatcher = sandbox.dispatcher({ kubernetes: KUBERNETES, cloud: HETZNER });
  return { clock, sandbox, dispatcher };
}

/** The API server is away until the returned function is called. */
export function takeAwayApiServer({ dispatcher, sandbox }: World): () => void {
  dispatcher.unmount(KUBERNETES);
  sandbox.cluster.faults.cutWatches();
  return () => dispatcher.mount(KUBERNETES, sandbox.cluster.front);
}

export function seedWorker(
  { sandbox }: World,
  pool: string,
  type: string,
  location: string,
  name?: string,
): string {
  const server = { name: name ?? `${pool}-0000000000000001`, type, location, labels: { [POOL_LABEL]: pool } };
  return sandbox.cloud.seedServer(server).name;
}

export class Program {
  readonly lines: string[] = [];
  private readonly stopping = new AbortController();
  private readonly running: Promise<RunEnd>;
  private ended = false;

  private constructor(
    readonly container: Container,
    private readonly world: Surroundings,
    lines: string[],
  ) {
    this.lines = lines;
    this.running = container.get(LeaderRun).run(this.stopping.signal);
    this.running
      .catch(() => undefined)
      .finally(() => {
        this.ended = true;
      });
  }

  /** It runs no more, for whatever reason. */
  get isEnded(): boolean {
    return this.ended;
  }

  /** Reads flags and environment as the command line does, and starts to run. */
  static async start(
    world: Surroundings,
    flags: readonly string[],
    environment: Readonly<Record<string, string>> = ENVIRONMENT,
    hostName = 'evenkeel-0',
    variations: Variations = {},
  ): Promise<Program> {
    const parsed = parseFlags([...FLAGS, ...flags]);
    if (parsed.kind !== 'flags') throw new Error(`bad flags: ${JSON.stringify(parsed)}`);
    const check = checkOptions(parsed.flags.options);
    if (!check.ok)
      throw new Error(check.faults.map(({ place, problem }) => `${place}: ${problem}`).join('\n'));
    const lines: string[] = [];
    const outside = {
      clock: world.clock,
      random: new SeededRandom(seedFor(world)),
      environment,
      hostName,
      kubernetesDispatcher: world.dispatcher,
      cloudDispatcher: world.dispatcher,
      logDestination: { write: (text: string) => lines.push(text.trimEnd()) },
    };
    const container = await composeAutoscaler(check.settings, outside, variations);
    return new Program(container, world, lines);
  }

  /** Log lines of one event. */
  linesOf(event: string): readonly string[] {
    return this.lines.filter((line) => line.includes(` ${event}]`));
  }

  /** Moves time until it has ended. */
  end(): Promise<RunEnd> {
    return this.world.clock.complete(this.running);
  }

  /** As SIGTERM does. */
  async stop(): Promise<RunEnd> {
    this.stopping.abort(new Error('stopped by the test'));
    return this.end();
  }
}

/** Every process of one world draws other names for its machines. */
function seedFor({ clock }: Surroundings): string {
  const serial = (processesOf.get(clock) ?? 0) + 1;
  processesOf.set(clock, serial);
  return serial === 1 ? 'program' : `program ${serial}`;
}

const processesOf = new WeakMap<VirtualClock, number>();

export function runningPods({ sandbox }: World, app: string): number {
  return sandbox.cluster
    .pods('default')
    .filter((pod) => pod.metadata.labels?.['app'] === app && pod.status?.phase === 'Running')
    .filter((pod) => pod.metadata.deletionTimestamp === undefined).length;
}
