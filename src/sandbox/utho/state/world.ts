import type { MachineFleet } from '../../world/machine.js';
import type { SeededRandom } from '../../world/seeded-random.js';
import type { ScheduledTask, WorldClock } from '../../world/world-clock.js';
import type { UthoSettings } from '../settings.js';
import { EventLog } from './events.js';
import { WorkerFaults } from './worker-faults.js';
import { defaultPlans } from './plans.js';
import { ReadLag } from './read-lag.js';
import type { Cluster, Pool, Token, Worker } from './records.js';

export interface WorldParts {
  readonly clock: WorldClock;
  readonly random: SeededRandom;
  readonly fleet: MachineFleet;
  readonly settings: UthoSettings;
}

/** Where a worker is. */
export interface Place {
  readonly cluster: Cluster;
  readonly pool: Pool;
}

const FIRST_CLOUD_ID = 1_284_400;
/** Ids are handed out with gaps, as they are where many customers share one sequence. */
const ID_STRIDE_MAX = 7;
/** Documentation addresses (RFC 5737) first, then its neighbours. */
const FIRST_PUBLIC = [203, 0, 113, 7] as const;

/** All state of the simulated platform, and the means by which it changes later. */
export class UthoWorld {
  readonly clusters = new Map<string, Cluster>();
  /** By value. */
  readonly tokens = new Map<string, Token>();
  readonly plans = defaultPlans();
  readonly events: EventLog;
  readonly faults = new WorkerFaults();
  readonly readLag: ReadLag;
  readonly settings: UthoSettings;
  readonly fleet: MachineFleet;
  /** Who is hit. */
  readonly victims: SeededRandom;
  /** Parts of names. */
  readonly names: SeededRandom;
  /** Types of fields in answers. */
  readonly types: SeededRandom;
  /** Whether a fault with a probability happens. */
  readonly chances: SeededRandom;
  private readonly clock: WorldClock;
  private readonly ids: SeededRandom;
  private readonly tasks = new Set<ScheduledTask>();
  private lastCloudId = FIRST_CLOUD_ID;
  private lastAddress = 0;
  private lastSerial = 0;

  constructor({ clock, random, fleet, settings }: WorldParts) {
    this.clock = clock;
    this.settings = settings;
    this.fleet = fleet;
    this.victims = random.fork('victims');
    this.names = random.fork('names');
    this.types = random.fork('types');
    this.chances = random.fork('chances');
    this.ids = random.fork('ids');
    const now = (): number => this.now();
    this.events = new EventLog(now);
    this.readLag = new ReadLag(now, settings);
  }

  now(): number {
    return this.clock.now();
  }

  /** Later work of this world; never happens once the world was disposed of, or after an infinite delay. */
  schedule(delayMs: number, work: () => void): ScheduledTask {
    if (delayMs === Infinity) return { cancel: () => undefined };
    const task = this.clock.schedule(delayMs, () => {
      this.tasks.delete(task);
      work();
    });
    this.tasks.add(task);
    return {
      cancel: () => {
        this.tasks.delete(task);
        task.cancel();
      },
    };
  }

  /** Ends the world: nothing happens any more. Its clusters must be gone. */
  dispose(): void {
    for (const task of this.tasks) task.cancel();
    this.tasks.clear();
  }

  nextCloudId(): string {
    this.lastCloudId += 1 + this.ids.int(ID_STRIDE_MAX);
    return this.lastCloudId.toString();
  }

  nextSerial(): number {
    return ++this.lastSerial;
  }

  /** A public address and one in the private network of the same host. */
  nextAddresses(): { readonly publicIp: string; readonly privateIp: string } {
    const host = ++this.lastAddress;
    const [first, second, third, fourth] = FIRST_PUBLIC;
    const last = fourth + host - 1;
    return {
      publicIp: `${first}.${second}.${third + (last >>> 8)}.${last & 255}`,
      privateIp: `10.0.${(host + 1) >>> 8}.${(host + 1) & 255}`,
    };
  }

  /** By the id of its instance; undefined when there is none. */
  findWorker(cloudId: string): (Place & { readonly worker: Worker }) | undefined {
    for (const cluster of this.clusters.values()) {
      for (const pool of cluster.pools.values()) {
        const worker = pool.workers.find((one) => one.cloudId === cloudId);
        if (worker !== undefined) return { cluster, pool, worker };
      }
    }
    return undefined;
  }
}
