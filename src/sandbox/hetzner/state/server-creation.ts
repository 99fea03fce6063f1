import { parseSelector } from '../api/labels.js';
import { serverResource } from './action-runner.js';
import type { ActionRunner } from './action-runner.js';
import { assignPrimaryIp, createPrimaryIp } from './primary-ips.js';
import { reserveAddress } from './private-network.js';
import type { Project } from './project.js';
import type { ActionRecord, PrimaryIpRecord, PrivateNic, ServerRecord } from './records.js';
import type { ServerLifecycle } from './server-lifecycle.js';
import type { ServerOrder } from './server-order.js';
import type { HetznerWorld } from './world.js';

export interface AcceptedServer {
  readonly server: ServerRecord;
  readonly action: ActionRecord;
  readonly nextActions: readonly ActionRecord[];
}

/** From the accepted order to a server that is `off` or `running` (`hetzner` 4.4). */
export class ServerCreation {
  constructor(
    private readonly world: HetznerWorld,
    private readonly actions: ActionRunner,
    private readonly lifecycle: ServerLifecycle,
  ) {}

  accept(project: Project, order: ServerOrder): AcceptedServer {
    const server = this.build(project, order);
    const resources = [serverResource(server)];
    const create = this.actions.accept(project, 'create_server', resources);
    const start = order.startAfterCreate ? this.actions.accept(project, 'start_server', resources) : null;
    const attach = order.networks.map((network) =>
      this.actions.accept(project, 'attach_to_network', [...resources, { id: network.id, type: 'network' }]),
    );
    const nics = order.networks.map((network) => reserveAddress(network, order.location, server.id));
    if (order.willLackStock) {
      create.error = { code: 'resource_unavailable', message: this.world.settings.stockMessage };
    }
    server.locks.add(create.id);
    if (start !== null) server.locks.add(start.id);
    this.actions.run(create, this.world.duration(this.world.settings.timings.createServer), (succeeded) => {
      server.locks.delete(create.id);
      const followers = start === null ? attach : [...attach, start];
      if (!project.servers.has(server.id) || server.status === 'deleting') this.abandon(server, followers);
      else if (succeeded) this.created(project, { server, nics, attach, start });
      else this.failed(project, server, followers);
    });
    project.history.note(server.id, server);
    const listed = this.world.settings.networkActionListed ? attach : [];
    return { server, action: create, nextActions: start === null ? listed : [...listed, start] };
  }

  private build(project: Project, order: ServerOrder): ServerRecord {
    const { world } = this;
    const server: ServerRecord = {
      id: world.nextId('server'),
      name: order.name,
      status: 'initializing',
      labels: order.labels,
      createdMs: world.now(),
      typeName: order.type.name,
      locationName: order.location.name,
      imageId: order.image.id,
      userData: order.userData,
      ipv4Id: null,
      ipv6Id: null,
      nics: [],
      firewalls: new Map(order.firewalls.map((firewall) => [firewall.id, 'pending'])),
      placementGroupId: order.placementGroup?.id ?? null,
      protection: { delete: false, rebuild: false },
      volumeIds: [],
      locks: new Set(),
      foreignLockUntilMs: 0,
      ignoresShutdown: false,
      nodeNeverRegisters:
        order.image.architecture !== order.type.architecture || world.faults.takeNodeless(order.labels),
      holdsStock: !order.willLackStock,
    };
    project.servers.set(server.id, server);
    order.placementGroup?.members.add(server.id);
    if (server.holdsStock) world.stock.take(order.type.name, order.location.name);
    if (order.enableIpv4) assignPrimaryIp(order.ipv4 ?? this.implicitIp(project, order, 'ipv4'), server);
    if (order.enableIpv6) assignPrimaryIp(order.ipv6 ?? this.implicitIp(project, order, 'ipv6'), server);
    world.ledger.begin(server, order.type.hourlyEur.get(order.location.name) ?? 0);
    return server;
  }

  private implicitIp(project: Project, order: ServerOrder, type: 'ipv4' | 'ipv6'): PrimaryIpRecord {
    const locationName = order.location.name;
    return createPrimaryIp(this.world, project, {
      name: null,
      type,
      locationName,
      autoDelete: true,
      labels: {},
    });
  }

  private created(
    project: Project,
    step: {
      readonly server: ServerRecord;
      readonly nics: readonly PrivateNic[];
      readonly attach: readonly ActionRecord[];
      readonly start: ActionRecord | null;
    },
  ): void {
    const { server, nics, attach, start } = step;
    server.status = 'off';
    server.nics.push(...nics);
    for (const action of attach) this.actions.run(action, 0, () => undefined);
    for (const id of server.firewalls.keys()) server.firewalls.set(id, 'applied');
    this.applyMatchingFirewalls(project, server);
    if (start !== null) this.lifecycle.start(project, server, start);
    else project.history.note(server.id, server);
  }

  /** Firewalls with a label selector come after the creation, and lock the server once more. */
  private applyMatchingFirewalls(project: Project, server: ServerRecord): void {
    for (const firewall of project.firewalls.values()) {
      if (firewall.labelSelector === null || server.firewalls.has(firewall.id)) continue;
      if (!parseSelector(firewall.labelSelector)(server.labels)) continue;
      server.firewalls.set(firewall.id, 'pending');
      const durationMs = this.world.duration(this.world.settings.timings.applyFirewall);
      const others = [{ id: firewall.id, type: 'firewall' }];
      const onSuccess = (): void => void server.firewalls.set(firewall.id, 'applied');
      this.actions.runOnServer(project, server, { command: 'apply_firewall', durationMs, others, onSuccess });
    }
  }

  /** The server exists all the same, and costs. */
  private failed(project: Project, server: ServerRecord, followers: readonly ActionRecord[]): void {
    this.abandon(server, followers);
    server.status = 'off';
    if (this.world.settings.failedCreateVanishes) this.lifecycle.remove(project, server);
    else project.history.note(server.id, server);
  }

  private abandon(server: ServerRecord, actions: readonly ActionRecord[]): void {
    for (const action of actions) {
      server.locks.delete(action.id);
      this.actions.abandon(action);
    }
  }
}
