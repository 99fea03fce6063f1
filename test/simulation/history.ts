import { HetznerSandbox } from '../../src/sandbox/hetzner-sandbox.js';
import { InProcessDispatcher } from '../../src/sandbox/http/index.js';
import type { Machine } from '../../src/sandbox/world/index.js';
import { SeededRandom, VirtualClock } from '../../src/sandbox/world/index.js';
import type { NodeProfile } from '../../src/sandbox/kubernetes/index.js';
import { ENVIRONMENT, HETZNER, KUBERNETES, Program } from '../integration/program/program.js';
import { Chaos } from './chaos.js';
import { ObservedFront } from './observed-front.js';
import { POOLS, nodesFlag } from './pools.js';
import { unrest } from './rest.js';
import { Watchman } from './watchman.js';
import { AGENT } from './workloads.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

export interface HistoryOptions {
  readonly seed: number;
  readonly turmoilMs: number;
  /** Longest back-off (30 min in the provider, after a growing number of refusals) and then some. */
  readonly quietMs: number;
}

interface Instance {
  readonly program: Program;
  readonly dispatcher: InProcessDispatcher;
  readonly startedMs: number;
}

/** One random history of a cluster with the composed program in it. The same seed gives the same history. */
export class History {
  readonly random: SeededRandom;
  readonly clock = new VirtualClock();
  readonly sandbox: HetznerSandbox;
  readonly watchman: Watchman;
  /** What was done to the world, for whoever has to find out why. */
  readonly diary: string[] = [];
  readonly findings: string[] = [];
  readonly flags: readonly string[];
  private readonly latencyMs: number;
  private readonly lagsMs: { readonly nodes: number; readonly pods: number; readonly others: number };
  private readonly profiles: SeededRandom;
  private instance: Instance | null = null;
  private generation = 0;
  /** Chance that a new machine is slow or never joins; 0 while the world is at rest. */
  sickness = 0;

  constructor(private readonly options: HistoryOptions) {
    this.random = new SeededRandom(options.seed);
    this.profiles = this.random.fork('profiles');
    const settings = this.random.fork('settings');
    this.latencyMs = settings.pick([0, 5, 40, 250]);
    const isLagging = settings.next() < 0.5;
    const lag = (): number => (isLagging ? settings.int(2_000) : 0);
    this.lagsMs = { nodes: lag(), pods: lag(), others: lag() };
    this.flags = drawFlags(settings);
    this.sandbox = new HetznerSandbox({
      clock: this.clock,
      seed: options.seed,
      nodeProfile: (machine) => this.profileOf(machine),
    });
    this.watchman = new Watchman(this.sandbox, POOLS);
  }

  /** All that went wrong, in sentences; empty when all is well. */
  async run(): Promise<readonly string[]> {
    this.begin();
    await this.start();
    const chaos = new Chaos(this);
    const endMs = this.clock.now() + this.options.turmoilMs;
    this.sickness = 0.15;
    while (this.clock.now() < endMs) {
      await this.pass((5 + this.random.int(90)) * SECOND);
      await chaos.act();
    }
    this.sickness = 0;
    chaos.calm();
    if (this.instance === null) await this.start();
    await this.pass(this.options.quietMs);
    const shortage = unrest(this.sandbox, POOLS);
    await this.stop();
    this.sandbox.stop();
    return [...this.findings, ...this.watchman.breaches, ...shortage, ...this.sandbox.cloud.invariants()];
  }

  note(text: string): void {
    this.diary.push(`${new Date(this.clock.now()).toISOString()} ${text}`);
  }

  get isRunning(): boolean {
    return this.instance !== null;
  }

  async start(): Promise<void> {
    this.generation++;
    this.note(`start ${this.generation}`);
    const dispatcher = this.connect();
    const world = { clock: this.clock, sandbox: this.sandbox, dispatcher };
    const program = await Program.start(world, [...POOLS.map(nodesFlag), ...this.flags], {
      ...ENVIRONMENT,
      HCLOUD_SERVERS_CACHE_TTL: '60s',
    });
    this.instance = { program, dispatcher, startedMs: this.clock.now() };
  }

  /** As SIGTERM does. */
  async stop(): Promise<void> {
    const { instance } = this;
    if (instance === null) return;
    this.instance = null;
    this.note('stop');
    // It rejects with the reason of its end where it still waited for the lease.
    await instance.program.stop().catch(() => undefined);
    await this.close(instance);
  }

  /** Sudden death: no request gets through any more. Some that are on their way may have been served. */
  async crash(): Promise<void> {
    const { instance } = this;
    if (instance === null) return;
    this.instance = null;
    this.note('crash');
    await instance.dispatcher.destroy(new Error('the process died'));
    await instance.program.stop().catch(() => undefined);
    await this.close(instance);
  }

  /** Moves time, and starts the program again when it has ended by itself. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    this.watchman.look();
    if (this.instance?.program.isEnded !== true) return;
    const { instance } = this;
    this.instance = null;
    this.note('ended by itself');
    await this.close(instance);
    await this.start();
  }

  private begin(): void {
    this.sandbox.start();
    this.sandbox.cloud.seedServer({ name: 'static-1', type: 'cx33' });
    this.sandbox.cluster.apply(AGENT);
  }

  private connect(): InProcessDispatcher {
    const { cluster, cloud } = this.sandbox;
    const { nodes, pods, others } = this.lagsMs;
    const lagOf = (path: string): number =>
      path.endsWith('/nodes') ? nodes : path.endsWith('/pods') ? pods : others;
    const kubernetes = new ObservedFront(
      cluster.front,
      this.clock,
      (request) => this.watchman.kubernetesRequest(request),
      lagOf,
    );
    const hetzner = new ObservedFront(cloud.front, this.clock, (request) =>
      this.watchman.cloudRequest(request),
    );
    return new InProcessDispatcher({ clock: this.clock, latencyMs: this.latencyMs })
      .mount(KUBERNETES, kubernetes)
      .mount(HETZNER, hetzner);
  }

  private async close({ program, dispatcher, startedMs }: Instance): Promise<void> {
    await dispatcher.close();
    this.findings.push(
      ...bugsIn(program.lines),
      ...leaksIn(program.lines),
      ...floodIn(program.lines, this.clock.now() - startedMs),
    );
  }

  private profileOf({ name }: Machine): NodeProfile {
    if (name.startsWith('static') || this.profiles.next() >= this.sickness) return {};
    const fate = this.profiles.next();
    if (fate < 0.3) return { joins: false };
    if (fate < 0.5) return { readyAfterMs: null };
    if (fate < 0.8)
      return { joinAfterMs: this.profiles.int(5 * MINUTE), readyAfterMs: this.profiles.int(MINUTE) };
    if (fate < 0.9) return { failsAfterMs: 3 * MINUTE + this.profiles.int(20 * MINUTE) };
    return {
      flaps: { upMs: 2 * MINUTE + this.profiles.int(5 * MINUTE), downMs: this.profiles.int(2 * MINUTE) },
    };
  }
}

/** Quick enough for a short history, and not always the same. */
function drawFlags(random: SeededRandom): readonly string[] {
  const maybe = (flag: string): readonly string[] => (random.next() < 0.3 ? [flag] : []);
  return [
    '--scale-down-unneeded-time=2m',
    '--scale-down-unready-time=4m',
    '--scale-down-delay-after-add=2m',
    '--unremovable-node-recheck-timeout=1m',
    '--max-node-provision-time=6m',
    '--max-node-startup-time=6m',
    '--initial-node-group-backoff-duration=1m',
    '--max-node-group-backoff-duration=5m',
    '--node-group-backoff-reset-timeout=20m',
    '--ok-total-unready-count=20',
    `--max-drain-parallelism=${1 + random.int(3)}`,
    `--expander=${random.pick(['least-waste', 'random', 'most-pods', 'least-nodes'])}`,
    ...maybe('--leader-elect=false'),
    ...maybe('--salvo-scale-up'),
    ...maybe('--parallel-scale-up'),
    ...maybe('--balance-similar-node-groups'),
    ...maybe('--enforce-node-group-min-size'),
    ...maybe('--scale-down-delay-type-local'),
    ...maybe('--max-bulk-soft-taint-count=0'),
    ...maybe('--node-deletion-batcher-interval=5s'),
    ...maybe('--cordon-node-before-terminating=false'),
    ...maybe('--scale-down-delay-after-add=0s'),
    ...maybe('--force-delete-unregistered-nodes'),
  ];
}

/** Errors that no world can excuse. */
function bugsIn(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.includes('internalError'));
}

const SECRETS = [ENVIRONMENT['HCLOUD_TOKEN']!, ENVIRONMENT['HCLOUD_CLOUD_INIT']!];

function leaksIn(lines: readonly string[]): readonly string[] {
  const leak = lines.find((line) => SECRETS.some((secret) => line.includes(secret)));
  return leak === undefined ? [] : ['a secret stands in the log'];
}

/** Two lines a minute over the whole life, and a few hundred for its busiest time. */
function floodIn(lines: readonly string[], lifeMs: number): readonly string[] {
  const allowed = 300 + (2 * lifeMs) / MINUTE;
  if (lines.length <= allowed) return [];
  const counts = new Map<string, number>();
  for (const line of lines) {
    const event = / ([a-z-]+)\]/u.exec(line)?.[1] ?? 'other';
    counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  const most = [...counts].sort(([, left], [, right]) => right - left).slice(0, 5);
  return [`${lines.length} lines in ${Math.round(lifeMs / MINUTE)} minutes: ${JSON.stringify(most)}`];
}
