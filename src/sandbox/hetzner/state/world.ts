import type { MachineFleet } from '../../world/machine.js';
import type { SeededRandom } from '../../world/seeded-random.js';
import type { ScheduledTask, WorldClock } from '../../world/world-clock.js';
import type { HetznerSettings, Timing } from '../settings.js';
import { PublicAddresses } from './addresses.js';
import { BehaviourFaults } from './behaviour-faults.js';
import { buildCatalogue } from './catalogue.js';
import type { Catalogue } from './catalogue.js';
import { CostLedger } from './cost-ledger.js';
import { Project } from './project.js';
import type { LocationRecord, ServerRecord, ServerTypeRecord } from './records.js';
import { Stock } from './stock.js';

export interface Token {
  readonly projectId: string;
  access: 'read-write' | 'read-only';
}

export type IdKind = 'server' | 'action' | 'primary-ip' | 'placement-group' | 'volume';

const FIRST_IDS: Readonly<Record<IdKind, number>> = {
  server: 71_000_100,
  action: 90_210_000,
  'primary-ip': 8_800_400,
  'placement-group': 1_000,
  volume: 31_000,
};

/** Ids are handed out with gaps, as they are where many customers share one sequence. */
const ID_STRIDE_MAX = 7;

export interface WorldParts {
  readonly clock: WorldClock;
  readonly random: SeededRandom;
  readonly fleet: MachineFleet;
  readonly settings: HetznerSettings;
}

/** All state of the simulated cloud, and the means by which it changes later. */
export class HetznerWorld {
  readonly catalogue: Catalogue;
  readonly stock: Stock;
  readonly addresses = new PublicAddresses();
  readonly ledger: CostLedger;
  readonly faults = new BehaviourFaults();
  readonly projects = new Map<string, Project>();
  readonly tokens = new Map<string, Token>();
  readonly settings: HetznerSettings;
  readonly fleet: MachineFleet;
  /** Chances: whether something happens. */
  readonly random: SeededRandom;
  /** Text without meaning: correlation ids, passwords. */
  readonly texts: SeededRandom;
  private readonly clock: WorldClock;
  private readonly lastIds: Record<IdKind, number> = { ...FIRST_IDS };
  private readonly idStream: SeededRandom;
  private readonly timingStream: SeededRandom;
  private readonly tasks = new Set<ScheduledTask>();

  constructor(parts: WorldParts) {
    this.clock = parts.clock;
    this.settings = parts.settings;
    this.random = parts.random.fork('chance');
    this.texts = parts.random.fork('texts');
    this.idStream = parts.random.fork('ids');
    this.timingStream = parts.random.fork('timings');
    this.fleet = parts.fleet;
    this.catalogue = buildCatalogue(this.now());
    const now = (): number => this.now();
    this.stock = new Stock(now);
    this.ledger = new CostLedger(now);
  }

  now(): number {
    return this.clock.now();
  }

  /** Later work of this world; it never happens once the world was disposed of. */
  schedule(delayMs: number, work: () => void): void {
    const task = this.clock.schedule(delayMs, () => {
      this.tasks.delete(task);
      work();
    });
    this.tasks.add(task);
  }

  /** Ends the world: nothing happens any more, and its machines are gone. */
  dispose(): void {
    for (const task of this.tasks) task.cancel();
    this.tasks.clear();
    for (const machine of [...this.fleet.running()]) {
      if (machine.providerId.startsWith('hcloud://')) this.fleet.remove(machine);
    }
  }

  nextId(kind: IdKind): number {
    this.lastIds[kind] += 1 + this.idStream.int(ID_STRIDE_MAX);
    return this.lastIds[kind];
  }

  duration(timing: Timing): number {
    return Math.max(0, Math.round(this.timingStream.around(timing.meanMs, timing.spreadMs)));
  }

  /** Draws whether something of this probability happens. Certain and impossible things draw nothing. */
  happens(probability: number): boolean {
    return probability >= 1 || (probability > 0 && this.random.next() < probability);
  }

  project(id: string): Project {
    let project = this.projects.get(id);
    if (project === undefined) {
      project = new Project(id, () => this.now());
      this.projects.set(id, project);
      if (this.settings.listLagMs > 0) project.history.start([]);
    }
    return project;
  }

  serverType(name: string): ServerTypeRecord {
    return found(this.catalogue.serverTypes, name);
  }

  location(name: string): LocationRecord {
    return found(this.catalogue.locations, name);
  }

  isLocked(server: ServerRecord): boolean {
    return server.locks.size > 0 || server.foreignLockUntilMs > this.now();
  }
}

function found<T extends { readonly name: string }>(items: readonly T[], name: string): T {
  const item = items.find((one) => one.name === name);
  if (item === undefined) throw new Error(`the catalogue has no '${name}'`);
  return item;
}
