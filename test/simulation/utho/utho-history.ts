import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InProcessDispatcher } from '../../../src/sandbox/http/index.js';
import { UthoSandbox } from '../../../src/sandbox/utho-sandbox.js';
import { DEFAULT_CLUSTER, DEFAULT_TOKEN } from '../../../src/sandbox/utho/index.js';
import type { SettingsChange } from '../../../src/sandbox/utho/index.js';
import { SeededRandom, VirtualClock } from '../../../src/sandbox/world/index.js';
import { KUBERNETES, Program } from '../../integration/program/program.js';
import { ObservedFront } from '../observed-front.js';
import { isFinished, isMovable } from '../watchman.js';
import { AGENT } from '../workloads.js';
import { UthoChaos } from './utho-chaos.js';
import { POOLS, STATIC_POOL } from './utho-pools.js';
import { UthoWatchman } from './utho-watchman.js';
import type { Losses } from './utho-watchman.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
const UTHO = 'http://utho.test';
/** What goes on at the end (a removal, a worker that boots) may be as old as this. */
const GOING_ON_MS = 3 * MINUTE;

export interface UthoHistoryOptions {
  readonly seed: number;
  readonly turmoilMs: number;
  readonly quietMs: number;
}

export interface UthoHistoryEnd {
  /** All that went wrong, in sentences. */
  readonly problems: readonly string[];
  readonly losses: Losses;
  /** Requests of the program that changed something. */
  readonly writes: number;
}

interface Instance {
  readonly program: Program;
  readonly dispatcher: InProcessDispatcher;
}

/** One random history of a cluster on Utho with the composed program in it. The same seed gives the same history. */
export class UthoHistory {
  readonly random: SeededRandom;
  readonly clock = new VirtualClock();
  readonly sandbox: UthoSandbox;
  /** What was done to the world, for whoever has to find out why. */
  readonly diary: string[] = [];
  /** Of all runs of the program. */
  readonly log: string[] = [];
  private readonly watchman: UthoWatchman;
  private readonly findings: string[] = [];
  private readonly latencyMs: number;
  private readonly folder = mkdtempSync(join(tmpdir(), 'evenkeel-utho-'));
  private instance: Instance | null = null;

  constructor(private readonly options: UthoHistoryOptions) {
    this.random = new SeededRandom(options.seed);
    const settings = this.random.fork('settings');
    this.latencyMs = settings.pick([0, 20, 250]);
    const utho = drawSettings(settings);
    this.note(JSON.stringify(utho));
    this.sandbox = new UthoSandbox({ clock: this.clock, seed: options.seed, utho });
    this.watchman = new UthoWatchman(this.sandbox);
  }

  async run(): Promise<UthoHistoryEnd> {
    this.begin();
    try {
      await this.start();
      const chaos = new UthoChaos(this);
      const endMs = this.clock.now() + this.options.turmoilMs;
      while (this.clock.now() < endMs) {
        await this.pass((5 + this.random.int(70)) * SECOND);
        await chaos.act();
      }
      chaos.calm();
      if (this.instance === null) await this.start();
      await this.pass(this.options.quietMs);
      const unrest = this.unrest();
      await this.stop();
      return this.end(unrest);
    } finally {
      this.sandbox.stop();
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  note(text: string): void {
    this.diary.push(`${new Date(this.clock.now()).toISOString()} ${text}`);
  }

  get isRunning(): boolean {
    return this.instance !== null;
  }

  async start(): Promise<void> {
    this.note('start');
    const dispatcher = this.connect();
    const program = await Program.start({ clock: this.clock, dispatcher }, this.flags(), {});
    this.instance = { program, dispatcher };
  }

  /** As SIGTERM does. */
  async stop(): Promise<void> {
    const { instance } = this;
    if (instance === null) return;
    this.instance = null;
    this.note('stop');
    await instance.program.stop().catch(() => undefined);
    await this.close(instance);
  }

  /** Sudden death: no request gets through any more. */
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
    const { instance } = this;
    if (instance?.program.isEnded !== true) return;
    this.instance = null;
    this.note('ended by itself');
    await this.close(instance);
    await this.start();
  }

  private begin(): void {
    const { cloud, cluster } = this.sandbox;
    this.sandbox.start();
    for (const { id, planId, min, max } of POOLS) cloud.seedPool({ id, planId, min, max, workers: 1 });
    cloud.seedPool({ id: STATIC_POOL, autoScale: false, workers: 1 });
    cluster.apply(AGENT);
    const config = { cluster_id: DEFAULT_CLUSTER, token: DEFAULT_TOKEN, api_url: `${UTHO}/v2` };
    writeFileSync(this.configPath(), JSON.stringify(config));
  }

  private flags(): readonly string[] {
    return [
      '--cloud-provider=utho',
      `--cloud-config=${this.configPath()}`,
      '--scan-interval=15s',
      '--scale-down-unneeded-time=1m',
      '--scale-down-unready-time=3m',
      '--scale-down-delay-after-add=1m',
      '--unremovable-node-recheck-timeout=30s',
      '--max-node-provision-time=4m',
      '--max-node-startup-time=4m',
      '--initial-node-group-backoff-duration=30s',
      '--max-node-group-backoff-duration=2m',
      '--node-group-backoff-reset-timeout=10m',
      '--ok-total-unready-count=20',
      '--max-drain-parallelism=2',
    ];
  }

  private configPath(): string {
    return join(this.folder, 'cloud-config');
  }

  private connect(): InProcessDispatcher {
    const { cluster, cloud } = this.sandbox;
    const utho = new ObservedFront(cloud.front, this.clock, (request) => this.watchman.cloudRequest(request));
    return new InProcessDispatcher({ clock: this.clock, latencyMs: this.latencyMs })
      .mount(KUBERNETES, cluster.front)
      .mount(UTHO, utho);
  }

  private async close({ program, dispatcher }: Instance): Promise<void> {
    await dispatcher.close();
    this.log.push(...program.lines);
    this.findings.push(...program.lines.filter((line) => line.includes('internalError')));
    if (program.lines.some((line) => line.includes(DEFAULT_TOKEN))) this.findings.push('the token is logged');
  }

  private end(unrest: readonly string[]): UthoHistoryEnd {
    const losses = this.watchman.judge();
    const problems = [...this.findings, ...this.watchman.breaches, ...unrest];
    return { problems, losses, writes: this.sandbox.cloud.writes().length };
  }

  /** What should not be so in a world that has been quiet for long, with room for all pods. */
  private unrest(): readonly string[] {
    const { cluster, cloud } = this.sandbox;
    // Where names are not honoured nothing can be deleted safely: failed workers stay and take up the room.
    if (cloud.settings.deleteVictim !== 'named') return [];
    const oldestMs = this.clock.now() - GOING_ON_MS;
    const marked = cluster
      .nodes()
      .filter(({ spec }) =>
        spec?.taints?.some(
          ({ key, value }) => key.startsWith('ToBeDeleted') && Number(value) * 1_000 < oldestMs,
        ),
      )
      .map(({ metadata }) => `node ${metadata.name} is still marked`);
    const waiting = cluster
      .pods()
      .filter((pod) => isMovable(pod) && !isFinished(pod) && pod.status?.phase !== 'Running')
      .map(({ metadata, status }) => `pod ${metadata.name} is ${status?.phase ?? 'without phase'}`);
    const dead = POOLS.flatMap(({ id }) =>
      cloud
        .workers(id)
        .filter(({ state, createdMs }) => ['pending', 'failed'].includes(state) && createdMs < oldestMs)
        .map(({ hostname, state }) => `worker ${hostname} is ${state}`),
    );
    return [...marked, ...waiting, ...dead];
  }
}

/** What is not known of the platform is drawn. It shows and replaces a worker within two minutes, at the latest. */
function drawSettings(random: SeededRandom): SettingsChange {
  return {
    timings: {
      visibleAfterMs: random.pick([0, 0, random.int(20 * SECOND)]),
      activeAfterMs: 5 * SECOND + random.int(55 * SECOND),
      deleteTakesMs: SECOND + random.int(25 * SECOND),
      recreateAfterMs: 20 * SECOND + random.int(60 * SECOND),
    },
    readLagMs: random.pick([0, 0, 0, random.int(4 * SECOND)]),
    updateResponse: random.pick(['minimal', 'rich']),
    deleteDecrements: random.next() < 0.8,
    deleteVictim: random.next() < 0.1 ? random.pick(['random', 'other'] as const) : 'named',
    typing: random.pick(['documented', 'strings', 'numbers', 'legacy', 'random']),
    junkPrefix: random.pick(['none', 'newline', 'BOM', 'text']),
    emptyCollections: random.pick(['[]', '{}', 'null', 'omitted']),
    enforceBounds: random.pick(['off', 'on', 'error']),
    dialect: random.pick(['sdk', 'ccm', 'mixed']),
    emptyPendingShape: random.next() < 0.5,
  };
}
