import { FaultPlan } from '../world/fault-plan.js';
import { FaultyFront } from '../world/faulty-front.js';
import type { Front } from '../world/front.js';
import type { MachineFleet } from '../world/machine.js';
import { SeededRandom } from '../world/seeded-random.js';
import type { WorldClock } from '../world/world-clock.js';
import { UthoAccount } from './account.js';
import type { Platform } from './account.js';
import { Journal } from './api/journal.js';
import type { CallFilter, RecordedCall } from './api/journal.js';
import { RequestNumbers } from './api/request-numbers.js';
import { Router } from './api/router.js';
import { tokenOf } from './api/token-of.js';
import { UthoApi } from './api/utho-api.js';
import { Views } from './api/views.js';
import { CatalogueHandlers } from './handlers/catalogue.js';
import { ClusterHandlers } from './handlers/clusters.js';
import { NodePoolHandlers } from './handlers/node-pools.js';
import { brokenInvariants } from './invariants.js';
import { changedSettings, defaultSettings } from './settings.js';
import type { SettingsChange } from './settings.js';
import { slowly } from './slow-body.js';
import { ClusterPower } from './state/cluster-power.js';
import type { UthoEvent } from './state/events.js';
import { UthoWorld } from './state/world.js';
import { Workforce } from './state/workforce.js';

/** A key that may do everything. */
export const DEFAULT_TOKEN = 'sandbox-utho-key-0000000000000000';

export interface UthoCloudOptions {
  readonly clock: WorldClock;
  readonly random: SeededRandom;
  readonly fleet: MachineFleet;
  /** Differences from the defaults. */
  readonly settings?: SettingsChange;
}

/**
 * Utho, simulated: `front` speaks its API under `/v2`; `frontWithAdmin` adds an interface for the operations that
 * tests in process find here as methods. Ids, victims and chances depend on the seed and the requests alone. Nothing
 * is there at the beginning but a catalogue and a key.
 */
export class UthoCloud extends UthoAccount {
  readonly front: Front;
  /** Faults of single requests; they act before the API looks at them. */
  readonly faults: FaultPlan;
  readonly clock: WorldClock;
  protected platform: Platform;
  private journal: Journal;

  constructor(private readonly options: UthoCloudOptions) {
    super();
    this.clock = options.clock;
    this.faults = new FaultPlan(() => this.world.chances.next());
    const built = this.build(options.random, {});
    this.platform = built.platform;
    this.journal = built.journal;
    this.front = { handle: (request) => this.journal.handle(request) };
  }

  /** Everything as at the beginning, with another history if there is another seed. Rules for faults are gone. */
  reset(seed?: number | string, settings: SettingsChange = {}): void {
    for (const { id } of this.clusters()) this.destroyCluster(id);
    this.world.dispose();
    this.faults.clear();
    const built = this.build(seed === undefined ? this.options.random : new SeededRandom(seed), settings);
    this.platform = built.platform;
    this.journal = built.journal;
  }

  /** Requests to the API, oldest first, at most 10,000. */
  calls(filter?: CallFilter): readonly RecordedCall[] {
    return this.journal.calls(filter);
  }

  /** POST and DELETE among them. */
  writes(): readonly RecordedCall[] {
    return this.calls().filter(({ method }) => method !== 'GET');
  }

  /** What happened in the pools, oldest first, at most 10,000; of one kind if it is given. */
  events<K extends UthoEvent['kind']>(kind: K): readonly (UthoEvent & { readonly kind: K })[];
  events(): readonly UthoEvent[];
  events(kind?: UthoEvent['kind']): readonly UthoEvent[] {
    const events = this.world.events.list();
    return kind === undefined ? events : events.filter((event) => event.kind === kind);
  }

  /** The next matching requests are answered with this instead, without effect. Paths are as in the description. */
  answerNext(
    method: string,
    path: string | RegExp,
    answer: {
      readonly status: number;
      readonly body: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly times?: number;
    },
  ): string {
    const { status, body, headers, times = 1 } = answer;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const action = { kind: 'answer', status, body: text, ...(headers && { headers }) } as const;
    return this.faults.add({ match: { method, path: withVersion(path) }, times, action });
  }

  /** HTTP 200 that says no (shape E1). */
  refuseNext(method: string, path: string | RegExp, message: string, times = 1): string {
    return this.answerNext(method, path, { status: 200, body: { status: 'error', message }, times });
  }

  /** The next matching requests do their work, but the connection is cut before the answer. */
  loseNextReply(method: string, path: string | RegExp, times = 1): string {
    return this.faults.add({
      match: { method, path: withVersion(path) },
      times,
      action: { kind: 'cut-after' },
    });
  }

  /** The bodies of the next matching answers stop half-way for so long. */
  slowNextBody(method: string, path: string | RegExp, ms: number, times = 1): string {
    const change = slowly(this.clock, ms);
    return this.faults.add({
      match: { method, path: withVersion(path) },
      times,
      action: { kind: 'rewrite', change },
    });
  }

  /** Ends all faults of requests and of single workers that have not happened yet. Settings stay. */
  clearFaults(): void {
    this.faults.clear();
    this.world.faults.clear();
  }

  /** Sentences on what should never be so; empty when all is well. */
  invariants(): readonly string[] {
    return brokenInvariants(this.world, this.calls());
  }

  private build(
    random: SeededRandom,
    settings: SettingsChange,
  ): { readonly platform: Platform; readonly journal: Journal } {
    const { clock, fleet } = this.options;
    const world = new UthoWorld({
      clock,
      fleet,
      random: random.fork('utho'),
      settings: changedSettings(changedSettings(defaultSettings(), this.options.settings), settings),
    });
    world.tokens.set(DEFAULT_TOKEN, { name: 'default', writable: true, clusters: null });
    const workforce = new Workforce(world);
    const power = new ClusterPower(world, workforce);
    const router = routerFor({ world, workforce, power });
    const numbers = new RequestNumbers();
    const api = new FaultyFront(new UthoApi(world, router, numbers), this.faults, clock);
    const journal = new Journal(api, {
      numbers,
      now: () => clock.now(),
      isImplemented: (method, path) => router.find(method, path) !== null,
      tokenName: (request) => tokenOf(world, request)?.name ?? null,
    });
    return { platform: { world, workforce, power }, journal };
  }
}

function routerFor({ world, workforce, power }: Platform): Router {
  const views = new Views(world);
  return new Router([
    ...new ClusterHandlers(world, power, views).routes(),
    ...new NodePoolHandlers(world, workforce, views).routes(),
    ...new CatalogueHandlers(world, workforce, views).routes(),
  ]);
}

function withVersion(path: string | RegExp): string | RegExp {
  return typeof path === 'string' ? `/v2/${path.replace(/^\//, '')}` : path;
}
