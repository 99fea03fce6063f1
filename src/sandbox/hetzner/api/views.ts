import type { Project } from '../state/project.js';
import { gatewayOf } from '../state/addresses.js';
import { membersOf } from '../state/private-network.js';
import type {
  ActionRecord,
  Deprecation,
  FirewallRecord,
  ImageRecord,
  LocationRecord,
  NetworkRecord,
  PlacementGroupRecord,
  PrimaryIpRecord,
  ServerTypeRecord,
  SshKeyRecord,
  VolumeRecord,
} from '../state/records.js';
import type { HetznerWorld } from '../state/world.js';

/** Records as the API shows them. */

const VAT = 1.19;
const HOURS_PER_MONTH = 730;
export const INCLUDED_TRAFFIC_BYTES = 21_990_232_555_520;

/** RFC 3339, in whole seconds. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeText(ms);
}

/** Net with ten digits, gross with sixteen, as decimal text. */
export function priceView(net: number): { readonly net: string; readonly gross: string } {
  return { net: net.toFixed(10), gross: (net * VAT).toFixed(16) };
}

export function locationView(location: LocationRecord): unknown {
  const { id, name, description, country, city, latitude, longitude, networkZone } = location;
  return { id, name, description, country, city, latitude, longitude, network_zone: networkZone };
}

/** What a server shows of its type: without prices and offers, which belong to the catalogue. */
export function embeddedTypeView(type: ServerTypeRecord): Readonly<Record<string, unknown>> {
  return {
    id: type.id,
    name: type.name,
    description: type.name.toUpperCase(),
    category: type.cpuType === 'dedicated' ? 'Dedicated vCPU' : 'Shared vCPU',
    cores: type.cores,
    memory: type.memoryGb,
    disk: type.diskGb,
    storage_type: 'local',
    cpu_type: type.cpuType,
    architecture: type.architecture,
    prices: [],
    deprecated: type.deprecation !== null,
    deprecation: deprecationView(type.deprecation),
    locations: [],
  };
}

export function serverTypeView(world: HetznerWorld, type: ServerTypeRecord): unknown {
  const shownAtMs = world.now() - world.settings.catalogueLagMs;
  const locations = [...type.offers].map(([locationName, offer]) => ({
    id: world.location(locationName).id,
    name: locationName,
    deprecation: deprecationView(offer.deprecation),
    available:
      offer.deprecation === null &&
      (offer.pinnedAvailability ?? world.stock.wasAvailable(type.name, locationName, shownAtMs)),
    recommended: offer.recommended,
  }));
  return { ...embeddedTypeView(type), prices: serverPrices(type), locations };
}

export function serverPrices(type: ServerTypeRecord): readonly unknown[] {
  return [...type.hourlyEur].map(([location, hourly]) => ({
    location,
    price_hourly: priceView(hourly),
    price_monthly: priceView(hourly * HOURS_PER_MONTH),
    included_traffic: INCLUDED_TRAFFIC_BYTES,
    price_per_tb_traffic: priceView(1),
  }));
}

function deprecationView(deprecation: Deprecation | null): unknown {
  if (deprecation === null) return null;
  return {
    announced: timeText(deprecation.announcedMs),
    unavailable_after: timeText(deprecation.unavailableAfterMs),
  };
}

export function imageView(image: ImageRecord): unknown {
  const [flavor = null, version = null] = image.type === 'system' ? (image.name ?? '').split('-') : [];
  return {
    id: image.id,
    type: image.type,
    status: image.status,
    name: image.name,
    description: image.description,
    image_size: image.type === 'snapshot' ? 2.3 : null,
    disk_size: image.diskGb,
    created: timeText(image.createdMs),
    created_from: null,
    bound_to: null,
    os_flavor: flavor ?? 'unknown',
    os_version: version,
    architecture: image.architecture,
    rapid_deploy: image.type === 'system',
    protection: { delete: false },
    deprecated: timeOrNull(image.deprecatedMs),
    deleted: timeOrNull(image.deletedMs),
    labels: image.labels,
  };
}

export function networkView(network: NetworkRecord): unknown {
  const subnets = network.subnets.map((subnet) => ({
    type: 'cloud',
    ip_range: subnet.ipRange,
    network_zone: subnet.networkZone,
    gateway: gatewayOf(network.ipRange),
    vswitch_id: null,
  }));
  return {
    id: network.id,
    name: network.name,
    ip_range: network.ipRange,
    created: timeText(network.createdMs),
    subnets,
    routes: [],
    servers: [...membersOf(network)],
    load_balancers: [],
    protection: { delete: false },
    labels: network.labels,
    expose_routes_to_vswitch: false,
  };
}

export function firewallView(project: Project, firewall: FirewallRecord): unknown {
  const members = [...project.servers.values()].filter((server) => server.firewalls.has(firewall.id));
  const bySelector =
    firewall.labelSelector === null
      ? []
      : [{ type: 'label_selector', label_selector: { selector: firewall.labelSelector } }];
  return {
    id: firewall.id,
    name: firewall.name,
    labels: firewall.labels,
    created: timeText(firewall.createdMs),
    rules: [],
    applied_to: [...bySelector, ...members.map((server) => ({ type: 'server', server: { id: server.id } }))],
  };
}

export function sshKeyView(key: SshKeyRecord): unknown {
  const { id, name, fingerprint, publicKey, labels } = key;
  return { id, name, fingerprint, public_key: publicKey, labels, created: timeText(key.createdMs) };
}

export function placementGroupView(group: PlacementGroupRecord): unknown {
  const { id, name, labels } = group;
  return {
    id,
    name,
    type: 'spread',
    labels,
    created: timeText(group.createdMs),
    servers: [...group.members],
  };
}

export function primaryIpView(world: HetznerWorld, primaryIp: PrimaryIpRecord): unknown {
  return {
    id: primaryIp.id,
    name: primaryIp.name,
    type: primaryIp.type,
    ip: primaryIp.ip,
    assignee_id: primaryIp.assigneeId,
    assignee_type: 'server',
    auto_delete: primaryIp.autoDelete,
    blocked: false,
    created: timeText(primaryIp.createdMs),
    dns_ptr: primaryIp.type === 'ipv4' ? [{ ip: primaryIp.ip, dns_ptr: reverseName(primaryIp.ip) }] : [],
    labels: primaryIp.labels,
    protection: { delete: false },
    location: locationView(world.location(primaryIp.locationName)),
  };
}

export function reverseName(ipv4: string): string {
  return `static.${ipv4.split('.').reverse().join('.')}.clients.example`;
}

export function volumeView(world: HetznerWorld, volume: VolumeRecord): unknown {
  return {
    id: volume.id,
    name: volume.name,
    server: volume.serverId,
    status: 'available',
    size: volume.sizeGb,
    location: locationView(world.location(volume.locationName)),
    created: timeText(volume.createdMs),
    labels: volume.labels,
    protection: { delete: false },
    linux_device: `/dev/disk/by-id/scsi-0HC_Volume_${volume.id}`,
    format: 'ext4',
  };
}

export function actionView(action: ActionRecord, nowMs: number): unknown {
  return {
    id: action.id,
    command: action.command,
    status: action.status,
    progress: progressOf(action, nowMs),
    started: timeText(action.startedMs),
    finished: timeOrNull(action.finishedMs),
    resources: action.resources,
    error: action.status === 'error' ? action.error : null,
  };
}

/** Rises evenly; 100 only once it has ended. */
function progressOf(action: ActionRecord, nowMs: number): number {
  if (action.finishedMs !== null) return 100;
  if (nowMs <= action.beginsMs || action.endsMs === Infinity) return 0;
  return Math.min(99, Math.floor(((nowMs - action.beginsMs) / (action.endsMs - action.beginsMs)) * 100));
}
