import type { Machine } from '../../world/machine.js';
import type { Cause } from './events.js';
import { masterMachine } from './machine-of.js';
import type { Cluster } from './records.js';
import type { UthoWorld } from './world.js';
import type { Workforce } from './workforce.js';

/** Switches whole clusters on and off, for a while or for good. */
export class ClusterPower {
  constructor(
    private readonly world: UthoWorld,
    private readonly workforce: Workforce,
  ) {}

  /** Reads go on; writes to its pools are refused. The words are a guess. */
  stop(cluster: Cluster): void {
    cluster.status = 'Stopped';
    cluster.powerStatus = 'Off';
    for (const machine of this.machinesOf(cluster)) this.world.fleet.powerOff(machine);
    this.world.readLag.changed(cluster);
  }

  start(cluster: Cluster): void {
    cluster.status = 'Active';
    cluster.powerStatus = 'Running';
    for (const machine of this.machinesOf(cluster)) this.world.fleet.powerOn(machine);
    this.world.readLag.changed(cluster);
  }

  destroy(cluster: Cluster, cause: Cause): void {
    for (const pool of [...cluster.pools.values()]) this.workforce.removePool({ cluster, pool }, cause);
    this.world.fleet.remove(masterMachine(this.world, cluster));
    this.world.clusters.delete(cluster.id);
  }

  private machinesOf(cluster: Cluster): readonly Machine[] {
    const workers = [...cluster.pools.values()].flatMap(({ workers: all }) => all);
    const machines = workers.map((worker) => this.workforce.machineOf(worker));
    return [masterMachine(this.world, cluster), ...machines.filter((machine) => machine !== undefined)];
  }
}
