import type { Labels } from '../api/labels.js';
import type { Project } from './project.js';
import type { PrimaryIpRecord, ServerRecord } from './records.js';
import type { HetznerWorld } from './world.js';

export interface PrimaryIpOrder {
  readonly name: string | null;
  readonly type: 'ipv4' | 'ipv6';
  readonly locationName: string;
  readonly autoDelete: boolean;
  readonly labels: Labels;
}

export function createPrimaryIp(
  world: HetznerWorld,
  project: Project,
  order: PrimaryIpOrder,
): PrimaryIpRecord {
  const id = world.nextId('primary-ip');
  const primaryIp: PrimaryIpRecord = {
    id,
    name: order.name ?? `primary_ip-${id}`,
    type: order.type,
    ip: order.type === 'ipv4' ? world.addresses.nextIpv4() : world.addresses.nextIpv6(),
    assigneeId: null,
    autoDelete: order.autoDelete,
    createdMs: world.now(),
    labels: order.labels,
    locationName: order.locationName,
  };
  project.primaryIps.set(id, primaryIp);
  return primaryIp;
}

export function assignPrimaryIp(primaryIp: PrimaryIpRecord, server: ServerRecord): void {
  primaryIp.assigneeId = server.id;
  if (primaryIp.type === 'ipv4') server.ipv4Id = primaryIp.id;
  else server.ipv6Id = primaryIp.id;
}

export function unassignPrimaryIp(primaryIp: PrimaryIpRecord, server: ServerRecord): void {
  primaryIp.assigneeId = null;
  if (server.ipv4Id === primaryIp.id) server.ipv4Id = null;
  if (server.ipv6Id === primaryIp.id) server.ipv6Id = null;
}

export function deletePrimaryIp(world: HetznerWorld, project: Project, primaryIp: PrimaryIpRecord): void {
  project.primaryIps.delete(primaryIp.id);
  if (primaryIp.type === 'ipv4') world.addresses.release(primaryIp.ip);
}

/** What becomes of the addresses of a server that is gone. */
export function releasePrimaryIps(world: HetznerWorld, project: Project, server: ServerRecord): void {
  for (const id of [server.ipv4Id, server.ipv6Id]) {
    const primaryIp = id === null ? undefined : project.primaryIps.get(id);
    if (primaryIp === undefined) continue;
    unassignPrimaryIp(primaryIp, server);
    if (primaryIp.autoDelete && world.settings.implicitPrimaryIpsGo)
      deletePrimaryIp(world, project, primaryIp);
  }
}
