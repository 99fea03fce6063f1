import type { Project } from '../state/project.js';
import type { PrimaryIpRecord, ServerRecord } from '../state/records.js';
import type { HetznerWorld } from '../state/world.js';
import {
  INCLUDED_TRAFFIC_BYTES,
  embeddedTypeView,
  imageView,
  locationView,
  placementGroupView,
  reverseName,
  timeText,
} from './views.js';

/** A server as the API shows it. What it refers to may be gone by the time of a lagging list. */
export function serverView(world: HetznerWorld, project: Project, server: ServerRecord): unknown {
  const type = world.serverType(server.typeName);
  const image = server.imageId === null ? undefined : project.images.get(server.imageId);
  const group =
    server.placementGroupId === null ? undefined : project.placementGroups.get(server.placementGroupId);
  return {
    id: server.id,
    name: server.name,
    status: server.status,
    created: timeText(server.createdMs),
    public_net: publicNetView(project, server),
    private_net: server.nics.map((nic) => ({
      network: nic.networkId,
      ip: nic.ip,
      alias_ips: [],
      mac_address: nic.macAddress,
    })),
    server_type: embeddedTypeView(type),
    location: locationView(world.location(server.locationName)),
    image: image === undefined ? null : imageView(image),
    iso: null,
    rescue_enabled: false,
    locked: world.isLocked(server),
    backup_window: null,
    outgoing_traffic: 0,
    ingoing_traffic: 0,
    included_traffic: INCLUDED_TRAFFIC_BYTES,
    protection: server.protection,
    labels: server.labels,
    volumes: server.volumeIds,
    load_balancers: [],
    primary_disk_size: type.diskGb,
    placement_group: group === undefined ? null : placementGroupView(group),
  };
}

function publicNetView(project: Project, server: ServerRecord): unknown {
  const find = (id: number | null): PrimaryIpRecord | undefined =>
    id === null ? undefined : project.primaryIps.get(id);
  const ipv4 = find(server.ipv4Id);
  const ipv6 = find(server.ipv6Id);
  return {
    ipv4:
      ipv4 === undefined ? null : { id: ipv4.id, ip: ipv4.ip, blocked: false, dns_ptr: reverseName(ipv4.ip) },
    ipv6: ipv6 === undefined ? null : { id: ipv6.id, ip: ipv6.ip, blocked: false, dns_ptr: [] },
    floating_ips: [],
    firewalls: [...server.firewalls].map(([id, status]) => ({ id, status })),
  };
}
