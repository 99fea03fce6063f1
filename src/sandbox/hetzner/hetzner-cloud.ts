import { FaultPlan } from '../world/fault-plan.js';
import { FaultyFront, TRANSPORT_FAULTS } from '../world/faulty-front.js';
import type { Front } from '../world/front.js';
import type { MachineFleet } from '../world/machine.js';
import { SeededRandom } from '../world/seeded-random.js';
import type { WorldClock } from '../world/world-clock.js';
import { apiError } from './api/api-error.js';
import { HetznerApi } from './api/hetzner-api.js';
import { Journal } from './api/journal.js';
import type { CallFilter, RecordedCall } from './api/journal.js';
import { Router } from './api/router.js';
import { allRoutes } from './handlers/routes.js';
import { Services } from './handlers/services.js';
import { brokenInvariants } from './invariants.js';
import { STATIC_SERVERS, seedServer } from './server-seed.js';
import type { ServerSeed } from './server-seed.js';
import { changedSettings, defaultSettings } from './settings.js';
import type { HetznerSettings, Quotas, SettingsChange } from './settings.js';
import type { BehaviourFaults } from './state/behaviour-faults.js';
import type { CostLedger } from './state/cost-ledger.js';
import { addLocation, addServerType } from './state/catalogue.js';
import type { ServerTypeOrder } from './state/catalogue.js';
import { addFixtures } from './state/fixtures.js';
import type { Project } from './state/project.js';
import type { ServerRecord, ServerStatus, ServerTypeRecord, VolumeRecord } from './state/records.js';
import { HetznerWorld } from './state/world.js';
import type { Token } from './state/world.js';

export const DEFAULT_PROJECT = 'default';
/** As long as a real one. */
export const DEFAULT_TOKEN = 'sandboxtoken'.padEnd(64, '0');

export interface HetznerCloudOptions {
  readonly clock: WorldClock;
  readonly random: SeededRandom;
  readonly fleet: MachineFleet;
  /** Differences from the defaults. */
  readonly settings?: SettingsChange;
  /** Default true: the networks, images, … of appendix A are there. */
  readonly fixtures?: boolean;
}

/**
 * Hetzner Cloud, simulated: `front` speaks its API under `/v1`; `frontWithAdmin` adds an interface for the operations
 * that tests in process find here as methods. Ids, durations and chances depend on the seed and the requests alone.
 */
export class HetznerCloud {
  readonly front: Front;
  /** Faults of single requests; the kind `answer` acts after authentication and rate limit, all others before. */
  readonly faults: FaultPlan;
  readonly clock: WorldClock;
  private currentWorld: HetznerWorld;
  private services: Services;
  private journal: Journal;

  constructor(private readonly options: HetznerCloudOptions) {
    this.clock = options.clock;
    this.faults = new FaultPlan(() => this.currentWorld.random.next());
    const built = this.build(options.random);
    this.currentWorld = built.world;
    this.services = built.services;
    this.journal = built.journal;
    this.front = { handle: (request) => this.journal.handle(request) };
  }

  /** Everything as at the beginning, with another history if there is another seed. Rules for faults are gone. */
  reset(seed?: number | string, settings?: SettingsChange): void {
    this.currentWorld.dispose();
    this.faults.clear();
    const built = this.build(seed === undefined ? this.options.random : new SeededRandom(seed), settings);
    this.currentWorld = built.world;
    this.services = built.services;
    this.journal = built.journal;
  }

  get world(): HetznerWorld {
    return this.currentWorld;
  }

  /** May be changed at any time. */
  get settings(): HetznerSettings {
    return this.currentWorld.settings;
  }

  /** Faults inside the cloud: failing or stuck actions, hidden entities, nodes that never join. */
  get behaviour(): BehaviourFaults {
    return this.currentWorld.faults;
  }

  get ledger(): CostLedger {
    return this.currentWorld.ledger;
  }

  project(id: string = DEFAULT_PROJECT): Project {
    return this.currentWorld.project(id);
  }

  /** Another tenant with its own token. */
  addProject(id: string, token: string, access: Token['access'] = 'read-write'): Project {
    this.currentWorld.tokens.set(token, { projectId: id, access });
    const project = this.project(id);
    if (this.options.fixtures !== false) addFixtures(project, this.currentWorld.now());
    return project;
  }

  setTokenAccess(access: Token['access'], token: string = DEFAULT_TOKEN): void {
    const known = this.currentWorld.tokens.get(token);
    if (known !== undefined) known.access = access;
  }

  revokeToken(token: string = DEFAULT_TOKEN): void {
    this.currentWorld.tokens.delete(token);
  }

  /** All servers of the project, oldest first. */
  servers(projectId?: string): readonly ServerRecord[] {
    return [...this.project(projectId).servers.values()];
  }

  /** By id or name. Throws when there is none. */
  server(reference: number | string, projectId?: string): ServerRecord {
    const server = this.servers(projectId).find((one) => one.id === reference || one.name === reference);
    if (server === undefined) throw new Error(`the simulated project has no server ${reference}`);
    return server;
  }

  /** Requests to the API, oldest first, at most 10,000. */
  calls(filter?: CallFilter): readonly RecordedCall[] {
    return this.journal.calls(filter);
  }

  seedServer(seed: ServerSeed, projectId?: string): ServerRecord {
    return seedServer(this.currentWorld, this.services.lifecycle, this.project(projectId), seed);
  }

  /** Three protected control-plane servers and one with a misleading name. */
  seedStaticServers(): readonly ServerRecord[] {
    return STATIC_SERVERS.map((seed) => this.seedServer(seed));
  }

  seedVolume(name: string, server: ServerRecord): VolumeRecord {
    const id = this.currentWorld.nextId('volume');
    const createdMs = this.currentWorld.now();
    const { locationName } = server;
    const volume = { id, name, sizeGb: 10, locationName, serverId: server.id, createdMs, labels: {} };
    this.project().volumes.set(id, volume);
    server.volumeIds.push(id);
    return volume;
  }

  /** Puts a machine type on sale, in place of one of the same name. */
  addServerType(order: ServerTypeOrder): ServerTypeRecord {
    return addServerType(this.currentWorld.catalogue, order);
  }

  typeOnSale(name: string): ServerTypeRecord | undefined {
    return this.currentWorld.catalogue.serverTypes.find((type) => type.name === name);
  }

  /** A place that is its own zone, unless there is one of this name. */
  addLocation(name: string): void {
    addLocation(this.currentWorld.catalogue, name);
  }

  /** The answer with which the API reports an error of this code; with another status if one is given. */
  errorAnswer(
    code: string,
    status: number | null = null,
  ): { readonly status: number; readonly body: string } {
    const error = apiError(code, code);
    return { status: status ?? error.status, body: error.toBody() };
  }

  /** 0 is sold out; Infinity is the state at the beginning. */
  setStock(typeName: string, locationName: string, count: number): void {
    this.currentWorld.stock.set(typeName, locationName, count);
  }

  setLocationClosed(locationName: string, closed = true): void {
    this.currentWorld.stock.setLocationClosed(locationName, closed);
  }

  setQuotas(quotas: Partial<Quotas>, projectId?: string): void {
    Object.assign(this.project(projectId).quotas, quotas);
  }

  setRateLimit(limit: number, remaining?: number, projectId?: string): void {
    this.project(projectId).rateLimit.set(limit, remaining);
  }

  /** Lists of servers show the past from now on; 0 ends it. */
  setListLag(lagMs: number): void {
    this.settings.listLagMs = lagMs;
    for (const project of this.currentWorld.projects.values()) {
      if (lagMs > 0) project.history.start(project.servers.values());
      else project.history.stop();
    }
  }

  /** The next matching requests are answered with this error, without effect. */
  failNext(
    method: string,
    path: string | RegExp,
    code: string,
    options: { message?: string; times?: number } = {},
  ): string {
    const error = apiError(code, options.message ?? code);
    return this.faults.add({
      match: { method, path: typeof path === 'string' ? `/v1${path}` : path },
      times: options.times ?? 1,
      action: { kind: 'answer', status: error.status, body: error.toBody() },
    });
  }

  /** The next matching requests do their work, but the connection is cut before the answer. */
  loseNextReply(method: string, path: string | RegExp, times = 1): string {
    return this.faults.add({
      match: { method, path: typeof path === 'string' ? `/v1${path}` : path },
      times,
      action: { kind: 'cut-after' },
    });
  }

  /** As the provider's maintenance or somebody at the console would. */
  setServerStatus(reference: number | string, status: ServerStatus): void {
    const server = this.server(reference);
    if (status === 'off') this.services.lifecycle.switchOff(this.project(), server);
    else this.services.lifecycle.setStatus(this.project(), server, status);
    if (status === 'running') this.services.lifecycle.announce(this.project(), server);
  }

  /** A foreign action keeps the server locked for a while. */
  lockServer(reference: number | string, ms: number): void {
    this.server(reference).foreignLockUntilMs = this.currentWorld.now() + ms;
  }

  /** It disappears at once, as if somebody else had deleted it long ago. */
  vanishServer(reference: number | string): void {
    this.services.lifecycle.remove(this.project(), this.server(reference));
  }

  /** Sentences on what should never be so; empty when all is well. */
  invariants(): readonly string[] {
    return brokenInvariants(this.currentWorld, this.calls());
  }

  private build(
    random: SeededRandom,
    settings: SettingsChange = {},
  ): { readonly world: HetznerWorld; readonly services: Services; readonly journal: Journal } {
    const { clock, fleet, fixtures } = this.options;
    const world = new HetznerWorld({
      clock,
      fleet,
      random: random.fork('hetzner'),
      settings: changedSettings(changedSettings(defaultSettings(), this.options.settings), settings),
    });
    world.tokens.set(DEFAULT_TOKEN, { projectId: DEFAULT_PROJECT, access: 'read-write' });
    if (fixtures !== false) addFixtures(world.project(DEFAULT_PROJECT), world.now());
    const services = new Services(world);
    const router = new Router(allRoutes(services));
    const api = new FaultyFront(
      new HetznerApi(world, router, this.faults),
      this.faults,
      clock,
      TRANSPORT_FAULTS,
    );
    const journal = new Journal(
      api,
      () => clock.now(),
      (path) => router.isKnown(path),
    );
    return { world, services, journal };
  }
}
