import type { Machine } from '../../world/machine.js';
import type { ScheduledTask } from '../../world/world-clock.js';
import type { Cause, WorkerEvent } from './events.js';
import { planOf, workerMachine } from './machine-of.js';
import { liveWorkers } from './records.js';
import type { Pool, Worker } from './records.js';
import type { Place, UthoWorld } from './world.js';

const SUFFIX_DIGITS = 6;
const PLATFORM: Cause = { kind: 'platform' };

/** Keeps every pool at its count: orders workers, draws victims, and lets each live its life (`utho` 5.1). */
export class Workforce {
  /** What comes next for a worker, by serial. */
  private readonly tasks = new Map<number, ScheduledTask>();
  private readonly machines = new Map<number, Machine>();

  constructor(private readonly world: UthoWorld) {}

  /** Below the number of live workers, the platform chooses who goes. */
  setCount(place: Place, count: number, cause: Cause): void {
    if (count !== place.pool.count) this.changeCount(place, count, cause);
    if (count === 0 && this.world.settings.zeroCount === 'remove') this.removePool(place, cause);
    else this.reconcile(place, cause);
  }

  /** Orders what is missing and removes what is too much. */
  reconcile(place: Place, cause: Cause): void {
    const { cluster, pool } = place;
    const live = [...liveWorkers(pool)];
    for (let missing = pool.count - live.length - pool.replacementsDue; missing > 0; missing--) {
      this.order(place);
    }
    while (live.length > pool.count) {
      const [victim] = live.splice(this.world.victims.int(live.length), 1);
      this.tell('victim', place, victim!, cause);
      this.startDeleting(place, victim!);
    }
    this.world.readLag.changed(cluster);
  }

  /** Deletes by name, or whom the settings say. */
  dismiss(place: Place, named: Worker, cause: Cause): void {
    const { settings } = this.world;
    if (settings.deleteEffect === 'none') return;
    const hit = this.hitBy(place.pool, named);
    this.tell(hit === named ? 'named' : 'victim', place, hit, cause);
    this.startDeleting(place, hit);
    if (settings.deleteDecrements) this.changeCount(place, Math.max(0, place.pool.count - 1), cause);
    else this.replaceLater(place);
    this.world.readLag.changed(place.cluster);
  }

  /** Destroys the worker's instance behind the pool's back. */
  destroy(place: Place, worker: Worker, cause: Cause): void {
    this.tell('lost', place, worker, cause);
    this.vanish(place, worker);
    this.replaceLater(place);
    this.world.readLag.changed(place.cluster);
  }

  /** Pool and workers are gone at once. */
  removePool(place: Place, cause: Cause): void {
    const { cluster, pool } = place;
    for (const worker of [...pool.workers]) {
      if (worker.state !== 'deleting') this.tell('victim', place, worker, cause);
      this.vanish(place, worker);
    }
    cluster.pools.delete(pool.id);
    this.world.events.add({ kind: 'pool-removed', clusterId: cluster.id, poolId: pool.id, to: '', cause });
    this.world.readLag.changed(cluster);
  }

  /** Its workers stay, under the new name. A name that is taken must have been refused before. */
  rename({ cluster, pool }: Place, to: string, cause: Cause): void {
    if (to === pool.id) return;
    this.world.events.add({ kind: 'pool-renamed', clusterId: cluster.id, poolId: pool.id, to, cause });
    cluster.pools.delete(pool.id);
    pool.id = to;
    cluster.pools.set(to, pool);
    this.world.readLag.changed(cluster);
  }

  /** As if it had happened long ago: nothing is told, nothing waits. */
  place(place: Place, worker: Worker): void {
    place.pool.workers.push(worker);
    if (worker.state === 'requested') this.expectRecord(place, worker);
    else if (worker.state === 'pending') this.expectRun(place, worker);
    else if (worker.state === 'active') this.powerOn(place, worker);
  }

  /** It runs from now on, also without a record until now. Throws a RangeError where no machine of its plan can exist. */
  run(place: Place, worker: Worker): void {
    planOf(this.world, worker.planId);
    this.forgetNextStep(worker);
    worker.cloudId ??= this.world.nextCloudId();
    worker.state = 'active';
    this.powerOn(place, worker);
    this.world.readLag.changed(place.cluster);
  }

  /** It will never run, or no longer as it should. */
  fail(place: Place, worker: Worker, message: string): void {
    this.forgetNextStep(worker);
    worker.state = 'failed';
    worker.message = message;
    this.world.readLag.changed(place.cluster);
  }

  machineOf(worker: Worker): Machine | undefined {
    return this.machines.get(worker.serial);
  }

  /** A worker that nobody has heard of yet. */
  newWorker({ pool }: Place): Worker {
    return {
      serial: this.world.nextSerial(),
      cloudId: null,
      hostname: this.freeHostname(pool),
      planId: pool.planId,
      state: 'requested',
      hasRun: false,
      message: '',
      publicIp: '',
      privateIp: '',
      createdMs: this.world.now(),
      words: null,
      distortion: {},
    };
  }

  private order(place: Place): void {
    const worker = this.newWorker(place);
    place.pool.workers.push(worker);
    if (this.world.faults.take('never-shown', place.pool.id) === null) this.expectRecord(place, worker);
  }

  private expectRecord(place: Place, worker: Worker): void {
    this.after(this.world.settings.timings.visibleAfterMs, worker, () => {
      worker.cloudId = this.world.nextCloudId();
      worker.state = 'pending';
      this.world.readLag.changed(place.cluster);
      if (this.world.faults.take('never-runs', place.pool.id) === null) this.expectRun(place, worker);
    });
  }

  private expectRun(place: Place, worker: Worker): void {
    this.after(this.world.settings.timings.activeAfterMs, worker, () => {
      const failure = this.failureOf(place.pool, worker);
      if (failure === null) this.run(place, worker);
      else this.fail(place, worker, failure);
    });
  }

  private powerOn({ cluster, pool }: Place, worker: Worker): void {
    if (worker.publicIp === '') Object.assign(worker, this.world.nextAddresses());
    worker.hasRun = true;
    const machine = workerMachine(this.world, cluster, pool, worker);
    this.machines.set(worker.serial, machine);
    // In a cluster that is off it waits for the start.
    if (cluster.powerStatus === 'Running') this.world.fleet.powerOn(machine);
  }

  /** Why it will not run, or null. */
  private failureOf(pool: Pool, worker: Worker): string | null {
    const { settings, faults, plans } = this.world;
    const fault = faults.take('fails', pool.id);
    if (fault !== null) return fault.message;
    if ((pool.capacity ?? settings.capacity) === 'fail') return settings.capacityMessage;
    return plans.has(worker.planId) ? null : `Unknown plan ${worker.planId}.`;
  }

  private hitBy(pool: Pool, named: Worker): Worker {
    const { deleteVictim } = this.world.settings;
    if (deleteVictim === 'named') return named;
    const candidates = liveWorkers(pool).filter((worker) => deleteVictim === 'random' || worker !== named);
    return candidates.length === 0 ? named : this.world.victims.pick(candidates);
  }

  private changeCount({ cluster, pool }: Place, to: number, cause: Cause): void {
    const change = { from: pool.count, to, cause };
    this.world.events.add({ kind: 'count', clusterId: cluster.id, poolId: pool.id, ...change });
    pool.count = to;
  }

  private replaceLater(place: Place): void {
    const { pool } = place;
    pool.replacementsDue++;
    this.world.schedule(this.world.settings.timings.recreateAfterMs, () => {
      pool.replacementsDue--;
      // A pool that is gone has no workers.
      if (place.cluster.pools.get(pool.id) === pool) this.reconcile(place, PLATFORM);
    });
  }

  private startDeleting(place: Place, worker: Worker): void {
    worker.state = 'deleting';
    this.after(this.world.settings.timings.deleteTakesMs, worker, () => {
      this.vanish(place, worker);
      this.world.readLag.changed(place.cluster);
      const { pool } = place;
      const isEmpty = pool.count === 0 && pool.workers.length === 0;
      if (isEmpty && this.world.settings.emptiedPool === 'vanish') this.removePool(place, PLATFORM);
    });
  }

  private vanish({ pool }: Place, worker: Worker): void {
    this.forgetNextStep(worker);
    pool.workers = pool.workers.filter((one) => one !== worker);
    const machine = this.machines.get(worker.serial);
    if (machine !== undefined) this.world.fleet.remove(machine);
    this.machines.delete(worker.serial);
  }

  /** The worker's next step; one that was to come instead never does. No time at all is now. */
  private after(delayMs: number, worker: Worker, step: () => void): void {
    this.forgetNextStep(worker);
    if (delayMs <= 0) step();
    else this.tasks.set(worker.serial, this.world.schedule(delayMs, step));
  }

  private forgetNextStep(worker: Worker): void {
    this.tasks.get(worker.serial)?.cancel();
    this.tasks.delete(worker.serial);
  }

  private tell(kind: WorkerEvent['kind'], { cluster, pool }: Place, worker: Worker, cause: Cause): void {
    this.world.events.add({
      ...{ kind, cause, clusterId: cluster.id, poolId: pool.id },
      ...{ workerId: worker.cloudId, hostname: worker.hostname, state: worker.state },
      ...{ count: pool.count, live: liveWorkers(pool).length },
    });
  }

  private freeHostname(pool: Pool): string {
    const taken = new Set(pool.workers.map(({ hostname }) => hostname));
    // A label may hold what a host name may not.
    const prefix = pool.id.replaceAll(/[^A-Za-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'worker';
    for (;;) {
      const name = `${prefix}-${this.world.names.hex(SUFFIX_DIGITS)}`;
      if (!taken.has(name)) return name;
    }
  }
}
