import type { Container } from 'inversify';
import { LeaderRun } from '../../../src/application/loop/index.js';
import type { RunEnd } from '../../../src/application/loop/index.js';
import { checkOptions, parseFlags } from '../../../src/infrastructure/command-line/index.js';
import { composeAutoscaler } from '../../../src/infrastructure/composition/compose.js';
import { DEFAULT_TOKEN } from '../../../src/sandbox/hetzner/index.js';
import { HetznerSandbox, POOL_LABEL } from '../../../src/sandbox/hetzner-sandbox.js';
import type { HetznerSandboxOptions } from '../../../src/sandbox/hetzner-sandbox.js';
import type { InProcessDispatcher } from '../../../src/sandbox/http/index.js';
import { SeededRandom, VirtualClock } from '../../../src/sandbox/world/index.js';

/** The composed program against the sandbox, both on one virtual clock: real adapters, no sockets, no waiting. */

const KUBERNETES = 'http://kubernetes.test';
const HETZNER = 'http://hetzner.test';

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

export interface World {
  readonly clock: VirtualClock;
  readonly sandbox: HetznerSandbox;
  readonly dispatcher: InProcessDispatcher;
}

export function createWorld(options: Partial<HetznerSandboxOptions> = {}): World {
  const clock = new VirtualClock();
  const sandbox = new HetznerSandbox({ clock, seed: 1, ...options });
  sandbox.start();
  const dispatcher = sandbox.dispatcher({ kubernetes: KUBERNETES, hetzner: HETZNER });
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

  private constructor(
    readonly container: Container,
    private readonly world: World,
    lines: string[],
  ) {
    this.lines = lines;
    this.running = container.get(LeaderRun).run(this.stopping.signal);
    this.running.catch(() => undefined);
  }

  /** Reads flags and environment as the command line does, and starts to run. */
  static async start(
    world: World,
    flags: readonly string[],
    environment: Readonly<Record<string, string>> = ENVIRONMENT,
    hostName = 'evenkeel-0',
  ): Promise<Program> {
    const parsed = parseFlags([...FLAGS, ...flags]);
    if (parsed.kind !== 'flags') throw new Error(`bad flags: ${JSON.stringify(parsed)}`);
    const check = checkOptions(parsed.flags.options);
    if (!check.ok)
      throw new Error(check.faults.map(({ place, problem }) => `${place}: ${problem}`).join('\n'));
    const lines: string[] = [];
    const container = await composeAutoscaler(check.settings, {
      clock: world.clock,
      random: new SeededRandom('program'),
      environment,
      hostName,
      kubernetesDispatcher: world.dispatcher,
      cloudDispatcher: world.dispatcher,
      logDestination: { write: (text) => lines.push(text.trimEnd()) },
    });
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

export function runningPods({ sandbox }: World, app: string): number {
  return sandbox.cluster
    .pods('default')
    .filter((pod) => pod.metadata.labels?.['app'] === app && pod.status?.phase === 'Running')
    .filter((pod) => pod.metadata.deletionTimestamp === undefined).length;
}
