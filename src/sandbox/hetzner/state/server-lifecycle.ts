import { serverResource } from './action-runner.js';
import type { ActionRunner } from './action-runner.js';
import { machineOf } from './machine-of.js';
import { releasePrimaryIps } from './primary-ips.js';
import { releaseAddresses, reserveAddress } from './private-network.js';
import type { AddressWish } from './private-network.js';
import type { Project } from './project.js';
import type { ActionRecord, NetworkRecord, ServerRecord, ServerStatus } from './records.js';
import type { HetznerWorld } from './world.js';

/** What a server goes through once it exists, in `hetzner` 4.4. Callers have checked that the step is allowed. */
export class ServerLifecycle {
  constructor(
    private readonly world: HetznerWorld,
    private readonly actions: ActionRunner,
  ) {}

  powerOn(project: Project, server: ServerRecord): ActionRecord {
    const action = this.actions.accept(project, 'start_server', [serverResource(server)]);
    server.locks.add(action.id);
    if (server.status === 'running') this.actions.run(action, 0, () => server.locks.delete(action.id));
    else this.start(project, server, action);
    return action;
  }

  /** Runs an accepted `start_server`, which holds a lock already. */
  start(project: Project, server: ServerRecord, action: ActionRecord): void {
    this.setStatus(project, server, 'starting');
    this.actions.run(action, this.world.duration(this.world.settings.timings.startServer), (succeeded) => {
      server.locks.delete(action.id);
      if (!project.servers.has(server.id) || server.status === 'deleting') return;
      this.setStatus(project, server, succeeded ? 'running' : 'off');
      if (succeeded) this.announce(project, server);
    });
  }

  powerOff(project: Project, server: ServerRecord): ActionRecord {
    if (server.status === 'off') return this.instantly(project, server, 'stop_server');
    server.status = 'stopping';
    const durationMs = this.world.duration(this.world.settings.timings.powerOff);
    const onSuccess = (): void => this.switchOff(project, server);
    return this.actions.runOnServer(project, server, { command: 'stop_server', durationMs, onSuccess });
  }

  /** The action means only that the signal was sent; the guest takes its time, or ignores it. */
  shutdown(project: Project, server: ServerRecord): ActionRecord {
    const action = this.instantly(project, server, 'shutdown_server');
    if (server.status !== 'running' || server.ignoresShutdown) return action;
    const { guestShutdown, powerOff } = this.world.settings.timings;
    this.world.schedule(this.world.duration(guestShutdown), () => {
      if (server.status !== 'running') return;
      this.setStatus(project, server, 'stopping');
      this.world.schedule(this.world.duration(powerOff), () => {
        if (server.status === 'stopping') this.switchOff(project, server);
      });
    });
    return action;
  }

  reboot(project: Project, server: ServerRecord): ActionRecord {
    const durationMs = this.world.duration(this.world.settings.timings.reboot);
    return this.actions.runOnServer(project, server, { command: 'reboot_server', durationMs });
  }

  attach(project: Project, server: ServerRecord, network: NetworkRecord, wish: AddressWish): ActionRecord {
    const nic = reserveAddress(network, this.world.location(server.locationName), server.id, wish);
    return this.actions.runOnServer(project, server, {
      command: 'attach_to_network',
      durationMs: this.world.duration(this.world.settings.timings.attachToNetwork),
      others: [{ id: network.id, type: 'network' }],
      onSuccess: () => server.nics.push(nic),
      onFailure: () => network.addresses.delete(nic.ip),
    });
  }

  detach(project: Project, server: ServerRecord, network: NetworkRecord): ActionRecord {
    return this.actions.runOnServer(project, server, {
      command: 'detach_from_network',
      durationMs: this.world.duration(this.world.settings.timings.attachToNetwork),
      others: [{ id: network.id, type: 'network' }],
      onSuccess: () => {
        const index = server.nics.findIndex((nic) => nic.networkId === network.id);
        if (index >= 0) server.nics.splice(index, 1);
        releaseAddresses(network, server.id);
      },
    });
  }

  /** Something small that takes effect at the end of its action. */
  change(project: Project, server: ServerRecord, command: string, onSuccess: () => void): ActionRecord {
    const durationMs = this.world.duration(this.world.settings.timings.other);
    return this.actions.runOnServer(project, server, { command, durationMs, onSuccess });
  }

  delete(project: Project, server: ServerRecord): ActionRecord {
    const before = server.status;
    const action = this.actions.accept(project, 'delete_server', [serverResource(server)]);
    server.locks.add(action.id);
    this.setStatus(project, server, 'deleting');
    this.actions.run(action, this.world.duration(this.world.settings.timings.deleteServer), (succeeded) => {
      server.locks.delete(action.id);
      if (!project.servers.has(server.id)) return;
      if (succeeded) this.remove(project, server);
      else this.setStatus(project, server, before);
    });
    return action;
  }

  /** Gone at once, with everything it held. */
  remove(project: Project, server: ServerRecord): void {
    const machine = machineOf(this.world, project, server);
    for (const id of server.volumeIds) {
      const volume = project.volumes.get(id);
      if (volume !== undefined) volume.serverId = null;
    }
    for (const network of project.networks.values()) releaseAddresses(network, server.id);
    releasePrimaryIps(this.world, project, server);
    if (server.placementGroupId !== null) {
      project.placementGroups.get(server.placementGroupId)?.members.delete(server.id);
    }
    if (server.holdsStock) this.world.stock.giveBack(server.typeName, server.locationName);
    this.world.ledger.end(server.id);
    project.servers.delete(server.id);
    project.history.note(server.id, null);
    this.world.fleet.remove(machine);
  }

  setStatus(project: Project, server: ServerRecord, status: ServerStatus): void {
    server.status = status;
    project.history.note(server.id, server);
  }

  /** Tells the world that the machine has power, unless its node is never to be seen. */
  announce(project: Project, server: ServerRecord): void {
    if (!server.nodeNeverRegisters) this.world.fleet.powerOn(machineOf(this.world, project, server));
  }

  /** Without power from now on. */
  switchOff(project: Project, server: ServerRecord): void {
    this.setStatus(project, server, 'off');
    this.world.fleet.powerOff(machineOf(this.world, project, server));
  }

  private instantly(project: Project, server: ServerRecord, command: string): ActionRecord {
    const action = this.actions.accept(project, command, [serverResource(server)]);
    this.actions.run(action, 0, () => undefined);
    return action;
  }
}
